import type { Contestant } from './tables.ts'
import { titleOf } from './tables.ts'

interface Line {
  readonly contestant: Contestant
  readonly points: readonly { readonly labels: number; readonly ratio: number }[]
}

const colours = ['#4269d0', '#ff725c', '#efb118', '#6cc5b0', '#3ca951', '#9c6b4e', '#a463f2', '#97bbf5', '#ff8ab7', '#9498a0']

/** Lines: the error over that of the best peer on each set, by labels, both on scales of ratios. Ours are drawn thicker. */
export function plotRatios(lines: readonly Line[], checkpoints: readonly number[], title: string): string {
  const [left, top, width, height] = [56, 44, 520, 320]
  const all = lines.flatMap(({ points }) => points.map(({ ratio }) => ratio))
  const [low, high] = [Math.min(0.8, ...all), Math.max(2, ...all)]
  const x = (labels: number) =>
    left + 16 + ((width - 32) * Math.log(labels / checkpoints[0]!)) / Math.log(checkpoints.at(-1)! / checkpoints[0]!)
  const y = (ratio: number) => top + (height * Math.log(high / ratio)) / Math.log(high / low)
  const ticks = [0.5, 0.6, 0.7, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5].filter((tick) => tick >= low && tick <= high)
  const grid = ticks.map(
    (tick) =>
      `<line x1="${left}" x2="${left + width}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}" stroke="${tick === 1 ? '#888' : '#ddd'}"/><text x="${left - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${tick}</text>`,
  )
  const labels = checkpoints.map(
    (count) =>
      `<text x="${x(count).toFixed(1)}" y="${top + height + 20}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
  )
  const drawn = lines.map(({ contestant, points }, k) => {
    const path = points.map((point) => `${x(point.labels).toFixed(1)},${y(point.ratio).toFixed(1)}`).join(' ')
    return `<polyline points="${path}" fill="none" stroke="${colours[k % colours.length]}" stroke-width="${contestant.isPeer ? 1.5 : 3}"><title>${titleOf(contestant)}</title></polyline>`
  })
  const legend = lines.map(
    ({ contestant }, k) =>
      `<rect x="${left + width + 16}" y="${top + 22 * k}" width="12" height="12" fill="${colours[k % colours.length]}"/><text x="${left + width + 34}" y="${top + 11 + 22 * k}">${contestant.isPeer ? 'scikit-learn: ' : ''}${titleOf(contestant)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 250}" height="${top + height + 54}" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${left}" y="22" font-weight="600">${title}</text>
${[...grid, ...labels, ...drawn, ...legend].join('\n')}
<text x="${left + width / 2}" y="${top + height + 44}" text-anchor="middle">labels</text>
</svg>
`
}
