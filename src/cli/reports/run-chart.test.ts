import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import type { TestedRound } from '../../projects/run-loop.ts'
import { displayWidth } from '../terminal/width.ts'
import { liveRun } from './run-chart.ts'

function terminal(size: { rows: number; columns: number }, isTTY = true) {
  const written: string[] = []
  const stream = { isTTY, ...size, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
  return { live: liveRun('alis', 400, stream), shown: () => written.at(-1)!.split('\n'), written }
}

const rounds = [20, 100, 200].map((labels) => ({
  labels,
  now: { value: 0.1, low: 0, high: 60 / labels, level: 0.95, answers: labels, over: 'unanswered', points: 1000 },
})) as unknown as readonly TestedRound[]

it.each([
  [24, 80],
  [40, 60],
  [16, 200],
])(
  'draws the picture so far above a bar, up to where the run will end: no more than fits into %i rows of %i',
  (rows, columns) => {
    const { live, shown } = terminal({ rows, columns })
    live.show(rounds)
    const lines = shown().map(stripVTControlCharacters)
    expect(lines.some((line) => line.includes('surely between 0 % and 30 %'))).toBe(true)
    expect(lines.at(-4)).toMatch(/100 .* 400$/)
    expect(lines.at(-1)).toMatch(/^labels {2}━{10}╌{10} {3}50 % {2}200\/400/)
    expect(lines.length).toBeLessThan(rows)
    for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns)
  },
)

it('has the bar alone where there is no room for a picture, or nothing to draw yet', () => {
  const low = terminal({ rows: 12, columns: 100 })
  low.live.show(rounds)
  expect(low.shown()).toEqual([expect.stringMatching(/200\/400 .*surely between 0 % and 30 % wrong$/)])
  const early = terminal({ rows: 24, columns: 80 })
  early.live.show([])
  expect(early.shown()).toEqual([expect.stringContaining('0/400')])
  early.live.show(rounds.slice(0, 1), 'searching 30 %')
  expect(early.shown()).toEqual([expect.stringMatching(/20\/400 .*searching 30 %$/)])
})

it('is silent where nobody watches', () => {
  const { live, written } = terminal({ rows: 24, columns: 80 }, false)
  live.show(rounds)
  live.clear()
  expect(written).toEqual([])
})
