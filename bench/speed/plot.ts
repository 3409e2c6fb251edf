import type { Pass } from './passes.ts'

/** Bars: what share of the machine's reading speed a survey reaches, by width, bits and threads. */
export function plotPasses(measured: readonly (Pass & { readonly threads: number })[]): string {
  const bars = measured.map(({ threads, columns, bits, share }) => ({
    columns,
    name: `${bits} bits, ${threads} thread${threads > 1 ? 's' : ''}`,
    share,
  }))
  const names = [...new Set(bars.map(({ name }) => name))]
  const widths = [...new Set(bars.map(({ columns }) => columns))]
  const colours = ['#4269d0', '#efb118', '#ff725c', '#6cc5b0']
  const [left, top, height, bar, gap] = [56, 40, 240, 22, 28]
  const group = names.length * bar + gap
  const width = left + widths.length * group + 150
  const y = (share: number) => top + height * (1 - Math.min(1.2, share) / 1.2)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${left}" x2="${width - 150}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/><text x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  )
  const marks = widths.flatMap((columns, g) => [
    `<text x="${left + g * group + (names.length * bar) / 2}" y="${top + height + 20}" text-anchor="middle">${columns}</text>`,
    ...names.flatMap((name, k) => {
      const found = bars.find((each) => each.columns === columns && each.name === name)
      if (!found) return []
      const x = left + g * group + k * bar
      return `<rect x="${x}" y="${y(found.share).toFixed(1)}" width="${bar - 3}" height="${(top + height - y(found.share)).toFixed(1)}" fill="${colours[k % 4]}"><title>${columns} features, ${name}: ${Math.round(100 * found.share)} %</title></rect>`
    }),
  ])
  const legend = names.map(
    (name, k) =>
      `<rect x="${width - 140}" y="${top + 22 * k}" width="12" height="12" fill="${colours[k % 4]}"/><text x="${width - 122}" y="${top + 11 + 22 * k}">${name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top + height + 50}" font-family="system-ui, sans-serif" font-size="13">
<title>A survey of the pool, as a share of reading alone</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${left}" y="22" font-weight="600">A survey of the pool, as a share of reading alone</text>
${[...grid, ...marks, ...legend].join('\n')}
<text x="${left}" y="${top + height + 42}">features of a point</text>
</svg>
`
}
