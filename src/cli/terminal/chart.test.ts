import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { percent } from '../../text/wording.ts'
import { drawChart } from './chart.ts'
import { displayWidth } from './width.ts'

/** A learning curve from 40 % down to about `floor`. */
function curve(floor: number, pace: number, rounds = 30): [number, number][] {
  return Array.from({ length: rounds }, (_, k) => [10 * (k + 1), floor + 0.4 * Math.exp((-10 * (k + 1)) / pace)])
}
const formatY = (y: number) => percent(y)

it('draws a level line: ticks, marks at the points, dots between', () => {
  const flat = { name: 'flat', points: [[0, 5] as const, [10, 5] as const] }
  // One value lies in the middle of [0, 10]; line 3 of 5, dots 3 and 6 of a braille cell: ⠤.
  expect(drawChart({ title: 'Level', xLabel: 'x', series: [flat], width: 30, height: 5 })).toBe(
    [
      'Level',
      '● flat 5',
      '',
      '10 ┤',
      '   │',
      '   │●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●',
      '   │',
      ' 0 ┤',
      '   └┬───────────┬───────────┬',
      '    0           5          10',
      '                           x →',
    ].join('\n'),
  )
})

it('draws two learning curves that can be told apart without colour', () => {
  const series = [
    { name: 'alis', points: curve(0.02, 45) },
    { name: 'uniform', points: curve(0.05, 90) },
  ]
  // By hand: alis begins at 34 %, between the ticks of 30 and 40, uniform at 41 %; they end at 2.1 % and 6.4 %.
  expect(drawChart({ title: 'Test error', xLabel: 'labels', series, formatY, width: 60, height: 12 })).toBe(
    [
      'Test error',
      '● alis 2.1 %   ○ uniform 6.4 %',
      '',
      '50 % ┤',
      '     │',
      '40 % ┤○⣀',
      '     │● ⠑⢄',
      '30 % ┤ ⠣⡀ ⠉○⠤⡀',
      '     │  ⠈⢆   ⠈⠑⠢⢄○',
      '20 % ┤    ⠑●      ⠉⠒⠤⢄○⡀',
      '     │      ⠉⠢⢄⡀       ⠈⠉⠒⠒○⢄⣀⣀○⡀',
      '10 % ┤         ⠈⠑●⠤⣀            ⠈⠉⠒⠒⠒○⠤⠤⠤⠤○⣀⣀⣀○⣀⡀',
      '     │              ⠉⠉●⠑⠒⠤⠤●⠤⠤⢄●⣀⣀⣀⣀⣀●⣀⡀        ⠈⠉⠉○⠉⠉⠉⠉○⠉○',
      ' 0 % ┤                                 ⠈⠉⠉●⠉⠉⠉●⠉⠉⠉⠉●⠉⠉⠉⠉●⠉●',
      '     └───────┬────────┬────────┬────────┬────────┬────────┬',
      '            50       100      150      200      250      300',
      '                                                    labels →',
    ].join('\n'),
  )
})

it('lets the first of two equal series win', () => {
  const points = curve(0.1, 50)
  const text = drawChart({
    title: 'Twice',
    xLabel: 'labels',
    series: [
      { name: 'a', points },
      { name: 'b', points, mark: 'x' },
    ],
  })
  const plot = text.split('\n').filter((line) => /[│┤]/.test(line))
  expect(plot.join('')).toContain('●')
  expect(plot.join('')).not.toContain('x')
  expect(text).toContain('● a 0.101   x b 0.101')
})

it.each([30, 60, 80, 120])('is never wider than %d columns', (width) => {
  const names = [
    'alis',
    'uniform',
    'margin-rank',
    'expected-loss',
    'a name much longer than the line can ever be, at any width',
    '漢字',
  ]
  const series = names.map((name, k) => ({ name, points: curve(0.02 * k, 40 + 10 * k, 150) }))
  const title = 'A title of many words, more than will fit into the narrowest of the four widths'
  for (const color of [false, true]) {
    const text = drawChart({ title, xLabel: 'labels', series, formatY, width, color })
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width)
  }
})

it('colours without changing a character', () => {
  const drawing = { title: 'Test error', xLabel: 'labels', series: [{ name: 'alis', points: curve(0.02, 45) }] }
  const plain = drawChart(drawing)
  const colored = drawChart({ ...drawing, color: true })
  expect(plain).toBe(stripVTControlCharacters(plain))
  expect(colored).not.toBe(plain)
  const trimmed = stripVTControlCharacters(colored).replace(/ +$/gm, '')
  expect(trimmed).toBe(plain)
})

it('labels ticks as finely as needed and no finer', () => {
  const labels = (points: [number, number][], format: (y: number) => string) =>
    drawChart({ title: 't', xLabel: 'x', series: [{ name: 's', points }], formatY: format })
      .split('\n')
      .flatMap((line) => /^ *(.*) ┤/.exec(line)?.[1] ?? [])
  expect(
    labels(
      [
        [0, 0.031],
        [1, 0.4],
      ],
      formatY,
    ),
  ).toEqual(['40 %', '30 %', '20 %', '10 %', '0 %']) // not 40.0 %
  expect(
    labels(
      [
        [0, 0.02],
        [1, 0.04],
      ],
      (y) => percent(y, 0),
    ),
  ).toEqual(['4 %', '3 %', '2 %']) // not 4, 4, 3, 3, 2
  expect(
    labels(
      [
        [0, 0.0211],
        [1, 0.0212],
      ],
      formatY,
    ),
  ).toEqual(['2.2 %', '2.1 %', '2.0 %'])
})

it('puts whole numbers under whole numbers', () => {
  const text = drawChart({
    title: 't',
    xLabel: 'round',
    series: [
      {
        name: 's',
        points: [
          [1, 1],
          [2, 2],
          [3, 4],
        ],
      },
    ],
  })
  expect(text.split('\n').at(-2)!.trim().split(/ +/)).toEqual(['1', '2', '3'])
})

it('draws one point', () => {
  const text = drawChart({ title: 't', xLabel: 'x', series: [{ name: 's', points: [[10, 0.3]] }], height: 6 })
  expect(text.split('\n').filter((line) => /[│┤].*●/.test(line)).length).toBe(1)
})

it('refuses what it cannot draw', () => {
  expect(() => drawChart({ title: 'Empty', xLabel: 'x', series: [] })).toThrow(
    'chart "Empty": must have a point to draw, got none',
  )
  const series = [{ name: 's', points: [[1, 2] as const, [2, Number.NaN] as const] }]
  expect(() => drawChart({ title: 'Broken', xLabel: 'x', series })).toThrow('chart "Broken": must have finite points, got 2,NaN')
})

it('shades what lies between two edges behind the curves, and says so in the legend', () => {
  const points = [0, 5, 10].map((x) => [x, 0.1] as const)
  const edges = [5, 10].map((x) => [x, 0, x === 5 ? 1 : 0.3] as const)
  const band = { name: 'surely between 0 and 0.3', points: edges }
  const drawn = drawChart({ title: 'now', xLabel: 'labels', series: [{ name: 'error', points, band }], width: 50, height: 11 })
  const [, legend, , ...rows] = drawn.split('\n')
  expect(legend).toBe('● error 0.1   ░ surely between 0 and 0.3')
  const shaded = rows.map((row) => row.split('░').length - 1)
  const highest = shaded.findIndex((cells) => cells > 0)
  expect(shaded[highest]).toBeLessThan(5) // it narrows
  expect(Math.max(...shaded)).toBeGreaterThan(15)
  expect(rows.filter((row) => row.includes('●'))).toHaveLength(1) // and hides no curve
  const left = rows.map((row) => row.indexOf('░')).filter((column) => column >= 0)
  expect(Math.min(...left)).toBeGreaterThan(20) // it begins in the middle
})
