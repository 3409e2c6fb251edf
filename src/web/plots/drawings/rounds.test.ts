import { describe, expect, it } from 'vitest'
import type { Project } from '../../../protocol/project.ts'
import type { ClosedRound } from '../../../protocol/rounds.ts'
import { type Rounds, roundsOf, strideOf, windowOf } from './rounds.ts'

const estimate = { value: 0.1, low: 0.03, high: 0.27, level: 0.99, answers: 40, isRevised: true }
const closed = (number: number, more: Partial<ClosedRound> = {}): ClosedRound => ({
  round: number - 1,
  number,
  strategy: 'alis',
  answers: 40,
  learnedFrom: 40 * (number - 1),
  ...more,
})
const asking = { kind: 'asking', purpose: 'learn', round: 2, number: 3, size: 40 } as const
const project = (more: Partial<Project>) =>
  ({
    rounds: [closed(1), closed(2, { estimate })],
    phase: asking,
    answers: 92,
    plan: { strategy: 'alis', batch: 40, budget: 400 },
    ...more,
  }) as Project

describe('the rounds of a project', () => {
  it('are marks with their intervals, or with the reason why there is none', () => {
    const { marks, open, planned, level } = roundsOf(project({}))
    expect(marks.map(({ value, low, why }) => [value, low, why])).toEqual([
      [undefined, null, 'no model\nyet'],
      [0.1, 0.03, 'no\nestimate'],
    ])
    expect({ open, planned, level }).toEqual({ open: { number: 3, size: 40 }, planned: 10, level: 0.99 })
  })

  it('follow the plan of the next round', () => {
    const nextPlan = { strategy: 'alis', batch: 10, budget: 200 }
    expect(roundsOf(project({ nextPlan })).planned).toBe(11)
  })

  it('are fewer where answers were spent on audits', () => {
    expect(roundsOf(project({ answers: 320 })).planned).toBe(5)
  })

  it('have none open while a model is measured', () => {
    expect(roundsOf(project({ phase: { ...asking, purpose: 'audit' } })).open).toBeUndefined()
  })
})

describe('what fits', () => {
  const rounds = (count: number, planned: number): Rounds => roundsLike(count, planned)

  it('is all that is planned where there is room', () => {
    expect(windowOf(rounds(5, 10), 20, false)).toMatchObject({ first: 1, last: 10 })
  })

  it('is the newest rounds, and one to come, where there is not', () => {
    const { first, last, marks } = windowOf(rounds(43, 100), 20, false)
    expect([first, last, marks[0]?.number]).toEqual([26, 45, 26])
  })

  it('begins with the first estimate and ends with the open round where it is narrow', () => {
    expect(windowOf(rounds(5, 10), 8, true)).toMatchObject({ first: 2, last: 6 })
  })

  it('prints as many numbers as have room', () => {
    expect([strideOf(57, 36), strideOf(29, 36), strideOf(10, 36)]).toEqual([1, 2, 4])
  })
})

function roundsLike(count: number, planned: number): Rounds {
  const marks = Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    learnedFrom: 40 * i,
    answers: 40,
    ...(i > 0 && { value: 0.1 }),
    low: null,
    high: null,
    why: '',
    isRevised: false,
  }))
  return { marks, open: { number: count + 1, size: 40 }, planned, level: 0.95 }
}
