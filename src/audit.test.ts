import { describe, expect, it } from 'vitest'
import { randomPoints, testFrame, testPool } from '../test/questions/test-pool.ts'
import { type AuditPlan, type AuditRound, audit } from './audit.ts'
import { dense } from './core/features.ts'
import { type LinearModel, predictedClass, scorerOf } from './core/model.ts'
import { uniform } from './core/randomness.ts'
import type { Label } from './core/record.ts'
import { memoryEngine } from './engines/memory.ts'
import { importLabels } from './import-labels.ts'
import { logisticLearner } from './learners/margin-learner.ts'
import { multinomialLearner } from './learners/multinomial.ts'
import { learn } from './loop.ts'
import { stratifyModel } from './losses/strata.ts'
import { columnOracle } from './oracles/column.ts'
import type { Oracle } from './oracles/oracle.ts'
import type { AuditRules } from './questions/record.ts'
import { question } from './questions/spec.ts'
import { memoryStore } from './stores/memory.ts'
import { strategies } from './strategies/catalogue.ts'

const size = 3000
const { ids, points, truth, subject } = testPool(randomPoints(size, 1, 0.06))
const isWrong = points.map(({ predicted, truth }) => predicted !== truth)
const error = isWrong.filter(Boolean).length / size
const chances = new Map(ids.map((id, i) => [id, points[i]!.chance]))

const planWith = (changes: Partial<AuditPlan> = {}): AuditPlan => ({
  subject: subject(),
  store: memoryStore(),
  oracle: columnOracle(truth),
  questions: [question('error')],
  seed: 7,
  ...changes,
})

const all = (plan: AuditPlan): Promise<AuditRound[]> => Array.fromAsync(audit(plan))
const first = ({ questions: [own] }: AuditRound) => own!
const intervals = (rounds: readonly AuditRound[]) => rounds.map(({ questions }) => questions)

it('reaches its tolerance with an interval that holds the truth, and stops there and then', async () => {
  const rounds = await all(planWith({ tolerance: 0.03 }))
  const { isReached, answered, draws, answers } = rounds.at(-1)!
  const { low, high, state } = first(rounds.at(-1)!)
  expect([isReached, state]).toEqual([true, 'defined'])
  expect(high! - low!).toBeLessThanOrEqual(0.06)
  expect(low! <= error && error <= high!).toBe(true)
  expect(answered).toBe(50 * (rounds.length - 1) + answers.size)
  expect(answers.size).toBeLessThanOrEqual(draws.length)
  for (const round of rounds.slice(0, -1)) expect(round.isReached).toBe(false)
})

it('goes on with a goal that is reached earlier, or with fewer questions, from all that is on record', async () => {
  const store = memoryStore()
  const both = [question('error'), question('recall', { positive: 'yes' })]
  const before = (await all(planWith({ store, tolerance: 0.05, questions: both, batch: 30 }))).at(-1)!
  const later = await all(planWith({ store, tolerance: 0.2, questions: [question('error')], batch: 30 }))
  expect(later).toHaveLength(1)
  expect(later[0]!.isReached).toBe(true)
  expect(later[0]!.answered).toBeGreaterThan(before.answered - 30) // up to its last round, all of it is read
  const { low, high } = first(later[0]!)
  expect(low! >= first(before).low! - 0.01 && high! <= first(before).high! + 0.01).toBe(true)
})

it('draws alike while it warms up, then where errors are expected', async () => {
  const rounds = await all(planWith({ budget: 300, batch: 30 }))
  const mean = (round: AuditRound) => round.draws.reduce((sum, { id }) => sum + chances.get(id)!, 0) / round.draws.length
  expect(rounds.slice(0, 3).map(({ draws }) => draws.length)).toEqual([30, 20, 30]) // the first fifty are drawn alike
  for (const { draws } of rounds.slice(0, 2)) expect(new Set(draws.map(({ mass }) => mass)).size).toBe(1)
  expect(new Set(rounds[2]!.draws.map(({ mass }) => mass)).size).toBeGreaterThan(10)
  expect(mean(rounds.at(-1)!) + mean(rounds.at(-2)!)).toBeGreaterThan(mean(rounds[0]!) + mean(rounds[1]!))
  const flat = await all(planWith({ budget: 300, strategy: 'uniform' }))
  for (const { draws } of flat) expect(new Set(draws.map(({ mass }) => mass)).size).toBe(1)
})

it('looks for an upper limit alone when asked for a ceiling', async () => {
  const last = (await all(planWith({ below: error + 0.05 }))).at(-1)!
  expect(last.isReached).toBe(true)
  expect(first(last).high).toBeLessThanOrEqual(error + 0.05)
  const never = (await all(planWith({ below: error / 2, budget: 200 }))).at(-1)!
  expect([never.isReached, never.answered]).toEqual([false, 200])
})

const backwards: Oracle = {
  name: 'backwards',
  close: async () => {},
  label: (open) => columnOracle(truth).label(open.toReversed()),
}

it('takes answers in draw order, whatever order they come in, and stops at the goal in that order', async () => {
  const goals = [{ budget: 200 }, { tolerance: 0.03 }]
  for (const goal of goals)
    expect(first((await all(planWith({ ...goal, oracle: backwards }))).at(-1)!)).toEqual(
      first((await all(planWith(goal))).at(-1)!),
    )
})

it('goes on where it was stopped, also in the middle of a round', async () => {
  const whole = intervals(await all(planWith({ tolerance: 0.03 })))
  const store = memoryStore()
  let asked = 0
  const leaves: Oracle = {
    name: 'leaves',
    close: async () => {},
    async *label(open) {
      for await (const answer of columnOracle(truth).label(open)) {
        if (asked++ === 130) throw new Error('gone home')
        yield answer
      }
    },
  }
  await expect(all(planWith({ store, oracle: leaves, tolerance: 0.03 }))).rejects.toThrow('gone home')
  expect(intervals(await all(planWith({ store, tolerance: 0.03 })))).toEqual(whole.slice(2))
})

it('a reached goal can be raised: the open rest of the round comes first', async () => {
  const store = memoryStore()
  const before = (await all(planWith({ store, tolerance: 0.04 }))).at(-1)!
  const after = (await all(planWith({ store, tolerance: 0.025 }))).at(-1)!
  expect([before.isReached, after.isReached]).toEqual([true, true])
  expect(after.answered).toBeGreaterThan(before.answered)
  expect([first(after).low! >= first(before).low!, first(after).high! <= first(before).high!]).toEqual([true, true])
  const drawn = (await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id))
  expect(new Set(drawn).size).toBe(drawn.length)
})

it('a goal that changes bets with the new plan from the next round on, and replays nothing', async () => {
  const store = memoryStore()
  await all(planWith({ store, budget: 100 }))
  await all(planWith({ store, tolerance: 0.03 }))
  const goals = (await store.rounds()).map(({ rules }) => (rules as AuditRules).goal)
  expect(goals.slice(0, 3)).toEqual([{ budget: 100 }, { budget: 100 }, { tolerance: 0.03 }])
})

describe('"cannot tell"', () => {
  const unsure = new Map([...truth].map(([id, label]) => [id, uniform(2, 'unsure', id) < 0.1 ? null : label]))
  const told = ids.map((id, i) => (unsure.get(id) === null ? null : isWrong[i]!))
  const least = told.filter((wrong) => wrong === true).length / size
  const most = told.filter((wrong) => wrong !== false).length / size

  it('widens the interval to cover both the best and the worst it could have been', async () => {
    const { low, high } = first((await all(planWith({ oracle: columnOracle(unsure), budget: 1500 }))).at(-1)!)
    expect(low!).toBeLessThanOrEqual(least)
    expect(high!).toBeGreaterThanOrEqual(most)
  })

  it('even when nobody can tell anything', async () => {
    const silent = columnOracle(new Map(ids.map((id) => [id, null])))
    const { low, high } = first((await all(planWith({ oracle: silent, budget: 500 }))).at(-1)!)
    expect([low, high]).toEqual([0, 1])
  })
})

it('knows everything once everything is answered, whatever was asked', async () => {
  const questions = [
    question('error'),
    question('recall', { positive: 'yes' }),
    question('f1', { positive: 'yes', slice: { column: 'region', value: 'south' } }),
    question('error', { against: 'other' }),
    question('kappa'),
  ]
  const last = (await all(planWith({ questions, budget: size, batch: 1000 }))).at(-1)!
  for (const { state, low, high } of last.questions) expect([state, high]).toEqual(['known', low])
  expect(first(last).low).toBeCloseTo(error, 12)
})

it.each([
  [{}, 'audit: a tolerance, a ceiling or a budget is required, got none'],
  [{ budget: 0 }, 'budget: must be a whole number of at least 1, got 0'],
  [{ tolerance: -1 }, 'tolerance: must be above 0, got -1'],
  [{ budget: 10, questions: [] }, 'audit: a question is required, got none'],
  [
    { below: 0.1, questions: [question('recall', { positive: 'yes' })] },
    'below: a metric that can have a ceiling is required, got recall',
  ],
  [{ budget: 10, questions: [question('recall', { positive: 'maybe' })] }, 'positive: one of no, yes is required, got maybe'],
  [
    { budget: 10, questions: [question('error', { slice: { column: 'region', value: 'west' } })] },
    'slice: a value of region is required, got west',
  ],
])('refuses a plan that means nothing: %j', async (changes, message) => {
  await expect(all(planWith(changes))).rejects.toThrow(message)
})

describe('on the store of a learning run', () => {
  const width = 3
  const values = Float32Array.from({ length: size * width }, (_, k) => 2 * uniform(3, 'feature', `${k}`) - 1)
  const learnable = dense(values, width)
  const answers = new Map<string, Label>(
    ids.map((id, i) => {
      const [a = 0, b = 0] = values.subarray(i * width)
      return [id, 2 * a - b + 0.8 * (uniform(3, 'noise', id) - 0.5) > 0 ? 'yes' : 'no']
    }),
  )
  const classes = ['no', 'yes']

  it.each([
    ['two classes', logisticLearner(), classes, answers],
    ['three classes', multinomialLearner(), ['maybe', ...classes], answers],
  ] as const)(
    'certifies the model of the moment on what is not labelled yet, and lends its answers to later ones: %s',
    async (_, learner, names, labels) => {
      const store = memoryStore()
      const oracle = columnOracle(labels)
      const engine = () => memoryEngine({ ids, features: learnable })
      const learning = { oracle, learner, strategy: strategies.alis, classes: names, seed: 7 }

      let model: LinearModel | undefined
      for await (const round of learn({ ...learning, engine: engine(), store, rounds: 3 })) model = round.model
      const labelled = new Set((await store.rounds()).flatMap((round) => round.draws.map(({ id }) => id)))
      const { stratify } = stratifyModel(learner.loss, names.length)
      const pool = engine().stratified(model!, stratify)
      const certified = { pool, frame: { classes: names, models: ['model'], slices: [] }, model: model!.id }
      const last = (await all(planWith({ subject: certified, store, oracle, tolerance: 0.04 }))).at(-1)!

      const score = scorerOf(model!)
      const left = [...ids.keys()].filter((i) => !labelled.has(ids[i]!))
      const wrong = left.filter((i) => {
        const scores = new Float64Array(model!.weights.length)
        score(learnable, i, scores)
        return names[predictedClass(scores)] !== labels.get(ids[i]!)
      })
      const exact = wrong.length / left.length
      const { low, high } = first(last)
      expect(last.isReached).toBe(true)
      expect(low! <= exact && exact <= high!).toBe(true)

      const spent = 40 + last.answered
      const [next] = await Array.fromAsync(learn({ ...learning, engine: engine(), store, rounds: 4 }))
      expect(next!.round).toBe(4)
      expect(next!.labels).toBe(spent + 10)
      expect(next!.model.id).not.toBe(model!.id)
      const drawn = (await store.rounds()).flatMap((round) => round.draws.map(({ id }) => id))
      expect(new Set(drawn).size).toBe(drawn.length) // no point is asked about twice
    },
  )
})

it('takes points that were drawn and never asked for points that nobody can tell', async () => {
  const store = memoryStore()
  const weary: Oracle = {
    name: 'weary',
    async *label(wanted) {
      for (const id of wanted.slice(0, 20)) yield { id, label: truth.get(id)! } // and then no more
    },
    async close() {},
  }
  const [left] = await all(planWith({ store, oracle: weary, budget: 150 }))
  expect(left!.answered).toBe(20)
  await store.closeRound(0) // people went on to something else
  const rounds = await all(planWith({ store, budget: 150 }))
  const unasked = new Set(left!.draws.slice(20).map(({ id }) => id))
  const known = new Map([...truth].map(([id, label]) => [id, unasked.has(id) ? null : label]))
  const asked = await all(planWith({ oracle: columnOracle(known), budget: 150 }))
  expect(first(rounds.at(-1)!)).toEqual(first(asked.at(-1)!))
})

it('labels given between rounds count without being bet on, and leave the interval of the same pool', async () => {
  const store = memoryStore()
  await all(planWith({ store, budget: 100 }))
  const drawn = new Set((await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id)))
  const given = ids.filter((id) => !drawn.has(id)).slice(0, 400)
  const labels = new Map(given.map((id) => [id, truth.get(id)!]))
  const engine = memoryEngine({ ids, features: dense(new Float32Array(size), 1) })
  await importLabels({ engine, store, labels, classes: testFrame.classes, seed: 7 })
  const last = (await all(planWith({ store, budget: 300 }))).at(-1)!
  const { low, high, answers } = first(last)
  expect(low! <= error && error <= high!).toBe(true)
  expect([last.answered, answers]).toEqual([300, 300])
  const rest = (await all(planWith({ store, budget: size, batch: 1000 }))).at(-1)!
  expect(first(rest)).toMatchObject({ state: 'known', low: expect.closeTo(error, 12) })
})

it('gives the rounds on record too, where that is wanted', async () => {
  const store = memoryStore()
  const rounds = await all(planWith({ store, budget: 200 }))
  const again = await all(planWith({ store, budget: 200, fromStart: true }))
  expect(intervals(again)).toEqual(intervals(rounds))
  expect(await all(planWith({ store, budget: 200 }))).toHaveLength(1)
})
