import { describe, expect, it } from 'vitest'
import { linearise, meanOf, remainderWithin, sizeOf, slopesOf } from './linearisation.ts'
import { noPlan } from './plan.ts'
import type { Question } from './question.ts'

const three = [0, 1, 2]
const flag = (is: boolean) => (is ? 1 : 0)
const recalls = three.map(
  (c): Question => ({
    kinds: three.map((p) => three.map((y) => ({ num: flag(p === c && y === c), den: flag(y === c) }))),
    range: [0, 1],
    shape: 'product',
  }),
)

describe('the denominator of a part', () => {
  it('is a number where answers do not change it', () => {
    const precision = { ...recalls[1]!, kinds: three.map((p) => three.map((y) => ({ num: flag(y === 1), den: flag(p === 1) }))) }
    expect(sizeOf(precision, [4, 3, 2])).toBe(3)
  })

  it('is else asked for as a mean over all points, between the least and the most that it can be', () => {
    const part: Question = {
      kinds: [
        [1, 3].map((den) => ({ num: 0, den })),
        [2, 2].map((den) => ({ num: 0, den })),
        [0, 50].map((den) => ({ num: 0, den })),
      ],
      range: [0, 1],
      shape: 'product',
    }
    expect(sizeOf(part, [4, 1, 0])).toEqual({
      kinds: part.kinds.map((row) => row.map(({ den }) => ({ num: den, den: 1 }))),
      range: [6 / 5, 14 / 5],
      shape: 'product',
    })
  })
})

describe('a mean to first order', () => {
  const at = { ratios: [0.8, 0.6, 0.7], sizes: [5, 6, 4] }
  const counts = [6, 5, 4]
  // Answers 0, 1 and 2 so far, and "cannot tell".
  const told = [
    [2, 1, 0, 1],
    [0, 3, 0, 0],
    [0, 0, 1, 2],
  ]
  const slopes = slopesOf(recalls, at)
  const seen = told.flatMap((row, kind) => slopes[kind]!.map((u, answer) => row[answer]! * u)).reduce((a, b) => a + b, 0)
  // Points without an answer that says something: answers that cannot be told stay open.
  const open = [3, 2, 3]
  const extreme = (pick: (...values: number[]) => number) => open.reduce((sum, n, kind) => sum + n * pick(...slopes[kind]!), seen)
  const options = { parts: recalls, at, counts, told, lower: 0.025, upper: 0.025, plan: noPlan, grid: 60 }

  it('asks for the sum of what points add, between the least and the most that open ones can make of it', () => {
    const { question, interval } = linearise(options)!
    expect(question.range[0]).toBeCloseTo(extreme(Math.min), 12)
    expect(question.range[1]).toBeCloseTo(extreme(Math.max), 12)
    for (const [kind, row] of question.kinds.entries())
      for (const [answer, { num, den }] of row.entries()) {
        expect(num).toBeCloseTo(15 * slopes[kind]![answer]!, 12)
        expect(den).toBe(1)
      }
    expect(interval.seen.num).toBeCloseTo(15 * seen, 12)
    expect(interval.seen.den).toBe(7)
  })

  it('says as much as that sum and the remainder leave', () => {
    const { limits } = linearise(options)!
    const ofRatios = [0.5, 0.3, 0.2].map((low) => [low, low + 0.4] as const)
    const ofSizes = [4, 5, 3].map((low) => [low, low + 3] as const)
    const [least, most] = remainderWithin(at, ofRatios, ofSizes)
    const [low, high] = limits(ofRatios, ofSizes)
    expect(low).toBeCloseTo(meanOf(at.ratios) + extreme(Math.min) + least, 9)
    expect(high).toBeCloseTo(meanOf(at.ratios) + extreme(Math.max) + most, 9)
  })

  it('has nothing to ask where every answer is told', () => {
    const all = [
      [6, 0, 0, 0],
      [1, 4, 0, 0],
      [0, 1, 3, 0],
    ]
    expect(linearise({ ...options, told: all })).toBeUndefined()
  })
})
