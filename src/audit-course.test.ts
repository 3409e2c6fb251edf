import { describe, expect, it } from 'vitest'
import { randomPoints, testFrame, testPool } from '../test/questions/test-pool.ts'
import { type AuditPlan, audit } from './audit.ts'
import { stratumCodes } from './core/strata.ts'
import { columnOracle } from './oracles/column.ts'
import { axesOf } from './questions/frame.ts'
import type { AuditRules, Goal } from './questions/record.ts'
import { question } from './questions/spec.ts'
import { memoryStore } from './stores/memory.ts'

const { ids, points, truth, subject } = testPool(randomPoints(90, 4, 0.25))
const [error, yes] = [question('error'), question('prevalence', { positive: 'yes' })]

/** An audit of a small pool, and how often its oracle was asked for how many answers. */
async function audited(changes: Partial<AuditPlan>) {
  const asked: number[] = []
  const column = columnOracle(truth)
  const oracle: AuditPlan['oracle'] = {
    ...column,
    label: (open, signal) => {
      asked.push(open.length)
      return column.label(open, signal)
    },
  }
  const store = changes.store ?? memoryStore()
  const rounds = await Array.fromAsync(
    audit({ subject: subject(), questions: [error], seed: 5, batch: 30, ...changes, oracle, store }),
  )
  return { rounds, store, asked }
}

describe('a small audit', () => {
  it.each<[Goal]>([[{ tolerance: 0.3 }], [{ below: 0.9 }], [{ budget: 40 }], [{ tolerance: 0.001, budget: 40 }]])(
    'has its goal on record, and no more: %o',
    async (goal) => {
      const { store } = await audited(goal)
      for (const { rules } of await store.rounds()) expect((rules as AuditRules).goal).toStrictEqual(goal)
    },
  )

  it('asks for as many answers as its batches, what is drawn alike, its budget and its pool leave', async () => {
    expect((await audited({ budget: 75 })).asked).toEqual([30, 20, 25])
    const { rounds, asked, store } = await audited({ budget: 500 })
    expect(asked).toEqual([30, 20, 30, 10])
    expect(rounds.at(-1)).toMatchObject({ answered: 90, isReached: true, questions: [{ state: 'known' }] })
    expect(await store.rounds()).toHaveLength(4) // no round on record that nothing was drawn in
  })

  it('stops once all that was asked is as narrow as wanted, and not before', async () => {
    const narrow = async (...questions: AuditPlan['questions'] & object) =>
      (await audited({ questions, tolerance: 0.15, batch: 15 })).rounds.at(-1)!
    const [one, other, both] = [await narrow(error), await narrow(yes), await narrow(error, yes)]
    expect([one, other, both].map(({ isReached }) => isReached)).toEqual([true, true, true])
    for (const { low, high } of both.questions) expect((high! - low!) / 2).toBeLessThanOrEqual(0.15)
    expect(both.answered).toBeGreaterThanOrEqual(Math.min(one.answered, other.answered))
    const { rounds } = await audited({ questions: [error, yes], tolerance: 0.15, batch: 15 })
    for (const { isReached, questions } of rounds) expect(isReached).toBe(questions.every((each) => each.isReached))
  })

  it('says again what was said last, and asks nothing, once it has what it was to have', async () => {
    const { store, rounds } = await audited({ budget: 60 })
    const again = await audited({ store, budget: 60 })
    expect(again.asked).toEqual([])
    expect(again.rounds).toHaveLength(1)
    expect(again.rounds[0]!.questions).toEqual(rounds.at(-1)!.questions)
    expect(again.rounds[0]!.round).toBe(2)
    const whole = await audited({ store, budget: 60, fromStart: true })
    expect(whole.rounds.map(({ answered }) => answered)).toEqual([30, 50, 60])
    expect((await audited({ store, budget: 70 })).asked).toEqual([10])
  })

  it('has the stratum of every draw on record, with the chance it had', async () => {
    const { store } = await audited({ budget: 60 })
    const { stratum } = stratumCodes(axesOf(testFrame))
    for (const { draws } of await store.rounds())
      for (const { id, scores, mass, remaining, probability } of draws) {
        expect(stratum(scores[0]!).predicted).toEqual([points[ids.indexOf(id)]!.predicted, points[ids.indexOf(id)]!.other])
        expect(probability).toBeCloseTo(mass / remaining, 12)
      }
  })

  it('finds the best of its models, or goes on', async () => {
    const race = { within: 0.02, level: 0.9 }
    const { rounds } = await audited({ questions: [], race, batch: 10 })
    const last = rounds.at(-1)!
    expect(last.isReached).toBe(true)
    expect(last.best!.model).not.toBeNull()
    for (const { best, isReached } of rounds) expect(isReached).toBe(best!.model !== null)
    expect('best' in (await audited({ budget: 30 })).rounds[0]!).toBe(false)
    const beside = await audited({ race, batch: 10 })
    expect(beside.rounds.at(-1)!.questions).toHaveLength(1)
  })

  it('waits for a round that is open for something else', async () => {
    const { store } = await audited({ budget: 30 })
    const [audit] = await store.rounds()
    await store.openRound({ ...audit!, round: 1, stream: 'learn/1', draws: [{ ...audit!.draws[0]!, id: ids[0]! }] })
    await expect(audited({ store, budget: 60 })).rejects.toThrow(
      'audit: the round that is open must be finished first, got one in the record',
    )
  })

  it('counts what other rounds have said between its own', async () => {
    const { store } = await audited({ budget: 30 })
    const drawn = new Set((await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id)))
    const rest = ids.filter((id) => !drawn.has(id)).slice(0, 40)
    const [first] = await store.rounds()
    const draws = rest.map((id, k) => ({ ...first!.draws[0]!, id, order: k + 1 }))
    await store.openRound({ ...first!, round: 1, stream: 'given/1', draws })
    for (const id of rest) await store.answer(1, id, truth.get(id)!)
    await store.closeRound(1)
    const { rounds, asked } = await audited({ store, budget: 90 })
    expect(asked.reduce((a, b) => a + b, 0)).toBe(20)
    expect(rounds.at(-1)!.questions[0]).toMatchObject({ state: 'known', answers: 50 })
  })
})
