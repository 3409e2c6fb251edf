import { describe, expect, it } from 'vitest'
import { testFrame, testStrata } from '../../test/questions/test-pool.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import type { Strata } from './frame.ts'
import { asSaidThen, type Learned, startWealthOf } from './learned.ts'
import { type QuestionOptions, type QuestionSpec, question } from './spec.ts'

const strata = testStrata(testFrame, [{ predicted: [0, 0], slices: [0], count: 50 }])

/** Learning that owns 2 for every error behind the lower limit, and 3 behind the upper. */
function learnedBy(evidence: Learned['rules']['evidence'] = { keptBack: 0.25, poolSize: 60, rounds: [] }, log?: number): Strata {
  const logWealth: Learned['logWealth'] = (side, errors) => log ?? errors * Math.log(side === 'lower' ? 2 : 3)
  const learned = { rules: { calibrating: 0, ...(evidence && { evidence }) }, points: 50, logWealth }
  return { ...strata, learned: learned as unknown as Learned }
}

const start = (metric: QuestionSpec['metric'], options: QuestionOptions = {}, own = learnedBy()) =>
  startWealthOf(question(metric, options), own)

describe('what is owned before the first draw', () => {
  it.each<[QuestionSpec['metric'], number, 1 | -1, number]>([
    ['error', 0.1, 1, 2 ** 5], // more errors than five: a lower limit for them
    ['error', 0.119, 1, 2 ** 5], // which are a whole number
    ['error', 0.1, -1, 3 ** 5],
    ['error', 0.101, -1, 3 ** 6],
    ['accuracy', 0.9, -1, 2 ** 5], // an upper limit for what is right is a lower one for errors
    ['accuracy', 0.9, 1, 3 ** 5],
    ['accuracy', 0.899, 1, 3 ** 6],
    ['error', -0.1, 1, 1],
    ['error', 0.3, -1, 3 ** 15],
    ['error', 1.1, -1, 3 ** 50],
  ])('is a share kept back, and the rest times what was earned against as many errors: %s %d, %i', (metric, f, sign, earned) => {
    expect(start(metric)!(f, sign) / (0.25 + 0.75 * earned)).toBeCloseTo(1, 9)
  })

  it('has an end', () => {
    expect(start('error', {}, learnedBy(undefined, 1e6))!(0.1, 1)).toBe(0.25 + 0.75 * Math.exp(500))
    expect(start('error', {}, learnedBy(undefined, Number.NEGATIVE_INFINITY))!(0.1, 1)).toBe(0.25)
  })

  it.each<[string, QuestionSpec['metric'], QuestionOptions]>([
    ['not how many are wrong', 'recall', { positive: 'yes' }],
    ['a slice', 'error', { slice: { column: 'region', value: 'north' } }],
    ['two models', 'error', { against: 'other' }],
  ])('is 1 for a question about %s', (_, metric, options) => {
    expect(start(metric, options)).toBeUndefined()
  })

  it('is 1 where the learning says nothing, or of a pool with other points', () => {
    expect(start('error', {}, strata)).toBeUndefined()
    const { learned, ...rest } = learnedBy()
    const silent = { ...learned!, rules: { calibrating: 5 } }
    expect(start('error', {}, { ...rest, learned: silent })).toBeUndefined()
    const grown = { ...learnedBy(), poolSize: 80 }
    expect(start('error', { poolSize: 80 }, grown)).toBeUndefined()
    expect(start('error', { poolSize: 60 }, grown)).toBeDefined()
  })
})

it('answers are those that stood when the record had so many rounds', () => {
  const answers = new Map<string, Label>([
    ['a', 'third'],
    ['b', 'x'],
    ['c', 'new'],
  ])
  const revisions = [
    { id: 'a', from: 'first', to: 'second', opened: 2 },
    { id: 'c', from: null, to: 'new', opened: 3 },
    { id: 'a', from: 'second', to: 'third', opened: 4 },
  ]
  const [plain, revised] = [
    { answers, revisions: [] },
    { answers, revisions },
  ] as unknown as [RoundFacts, RoundFacts]
  const then = (rounds: number) => Object.fromEntries(asSaidThen([plain, revised], rounds)[1]!.answers)
  expect([1, 2, 3, 4].map(then)).toEqual([
    { a: 'first', b: 'x', c: null },
    { a: 'second', b: 'x', c: null },
    { a: 'second', b: 'x', c: 'new' },
    { a: 'third', b: 'x', c: 'new' },
  ])
  expect(asSaidThen([plain, revised], 1)[0]).toBe(plain)
  expect(asSaidThen([plain, revised], 4)[1]).toBe(revised)
})
