import { describe, expect, it } from 'vitest'
import { begunProject, classes, opening } from '../../../test/server/fixture.ts'
import type { Label, RoundOpening } from '../../core/record.ts'
import { logisticLearner } from '../../learners/margin-learner.ts'
import { closedRoundReader } from './closed-rounds.ts'
import { openRecord } from './record.ts'

async function recordOf(...rounds: readonly [change: Partial<RoundOpening>, answers: Readonly<Record<string, Label>>][]) {
  const record = await openRecord(await begunProject())
  for (const [round, [change, answers]] of rounds.entries()) {
    await record.open(opening(round, Object.keys(answers), change))
    for (const [id, label] of Object.entries(answers)) await record.answer(round, id, label)
    await record.close(round)
  }
  return record
}

const reader = () => closedRoundReader({ learner: logisticLearner(), classes })

describe('closed rounds', () => {
  it('are those of learning, counted as people count, with what each had learned from', async () => {
    const { rounds } = await recordOf(
      [{ stream: 'given/0', design: 'given' }, { g: 'yes' }],
      [{}, { a: 'yes', b: null }],
      [{ stream: 'audit/0' }, { m: 'yes' }],
      [{ strategy: 'uniform' }, { c: 'no' }],
    )
    const shown = reader()(rounds)
    expect(
      shown.map(({ round, number, strategy, answers, learnedFrom }) => [round, number, strategy, answers, learnedFrom]),
    ).toEqual([
      [1, 1, 'alis', 2, 1],
      [3, 2, 'uniform', 1, 3], // "cannot tell" teaches nothing
    ])
  })

  it('have an estimate only where there was a model', async () => {
    // Scores of 2 say yes: of four fresh answers one is no.
    const { rounds } = await recordOf([{}, { a: 'yes' }], [{}, { b: 'yes', c: 'no', d: 'yes', e: 'yes' }])
    const [first, second] = reader()(rounds)
    expect(first!.estimate).toBeUndefined()
    expect(second!.estimate).toMatchObject({ level: 0.95, answers: 4, isRevised: false })
    expect(second!.estimate!.low).toBeLessThan(second!.estimate!.value)
    expect(second!.estimate!.high).toBeGreaterThan(second!.estimate!.value)
  })

  it('are computed once, until an answer is revised', async () => {
    const record = await recordOf([{}, { a: 'yes' }], [{}, { b: 'yes', c: 'yes' }])
    const read = reader()
    const before = read(record.rounds)
    expect(read(record.rounds)[1]).toBe(before[1])
    await record.revise(1, 'c', 'no')
    const after = read(record.rounds)
    expect(after[0]).toBe(before[0])
    expect(after[1]!.estimate).toMatchObject({ isRevised: true })
    expect(after[1]!.estimate!.value).toBeGreaterThan(before[1]!.estimate!.value)
  })

  it('show what each answer counts for, at mean 1', async () => {
    const probabilities = [0.1, 0.1, 0.025, 0.4]
    const draws = opening(0, ['a', 'b', 'c', 'd']).draws.map((draw, k) => ({ ...draw, probability: probabilities[k]! }))
    const answers = { a: 'yes', b: 'yes', c: 'yes', d: 'yes' }
    const { rounds } = await recordOf([{ design: 'bernoulli', draws }, answers])
    const { weights } = reader()(rounds)[0]!
    // 1/p: 10, 10, 40 and 2.5, of mean 15.625: 0.64, 0.64, 2.56 and 0.16
    expect(weights!.counts).toEqual([1, 0, 2, 0, 1, 0])
    expect(weights!.largest).toBeCloseTo(2.56, 10)
    expect(weights!.effectiveSize).toBeCloseTo(62.5 ** 2 / (100 + 100 + 1600 + 6.25), 10)
  })

  it('have no weights where nothing was drawn at random, and no limit where no draw is uniform', async () => {
    const { rounds } = await recordOf(
      [{ design: 'top' }, { a: 'yes' }],
      [{ strategy: 'unknown' }, { b: 'yes' }],
      [{ survey: { ...opening(2, ['c']).survey, smallestMass: 0.25 } }, { c: 'no' }],
    )
    const [top, unknown, alis] = reader()(rounds)
    expect(top!.weights).toBeUndefined()
    expect(unknown!.weights).not.toHaveProperty('largestPossible')
    expect(alis!.weights!.largestPossible).toBe(4) // as on record, whatever the strategy's share is today
  })
})
