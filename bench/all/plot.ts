import { type Figure, shareOf } from './figure.ts'

/** A bar for each figure, from its goal to what was found, on a scale of ratios: to the left where the goal is met. */
export function plotFigures(figures: readonly Figure[]): string {
  const [left, top, width, line] = [430, 56, 420, 24]
  const measured = figures.flatMap((figure) => {
    const share = shareOf(figure)
    return share === undefined ? [] : [{ what: figure.what, share }]
  })
  const most = Math.max(10, ...measured.map(({ share }) => share))
  const least = Math.min(0.1, ...measured.map(({ share }) => share))
  const x = (share: number) => left + (width * Math.log(share / least)) / Math.log(most / least)
  const height = top + line * measured.length
  const ticks = [0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10, 100].filter((tick) => tick >= least && tick <= most)
  const grid = ticks.map(
    (tick) =>
      `<line x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="${top - 8}" y2="${height}" stroke="${tick === 1 ? '#888' : '#ddd'}"/><text x="${x(tick).toFixed(1)}" y="${top - 14}" text-anchor="middle">${tick}</text>`,
  )
  const bars = measured.flatMap(({ what, share }, k) => {
    const [from, to] = [Math.min(x(1), x(share)), Math.max(x(1), x(share))]
    const y = top + line * k
    return [
      `<text x="${left - 12}" y="${y + 13}" text-anchor="end">${what}</text>`,
      `<rect x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${line - 7}" fill="${share <= 1 ? '#4269d0' : '#ff725c'}"><title>${what}: ${share.toPrecision(2)} times the goal</title></rect>`,
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 30}" height="${height + 16}" font-family="system-ui, sans-serif" font-size="13">
<title>What was found over its goal</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="22" font-weight="600">What was found over its goal: blue where it is met</text>
${[...grid, ...bars].join('\n')}
</svg>
`
}
