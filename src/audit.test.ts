import { describe, expect, it } from 'vitest'
import { type AuditPlan, type AuditRound, audit } from './audit.ts'
import { logit } from './certificates/calibrated.ts'
import { dense } from './core/features.ts'
import { type LinearModel, predictedClass, scorerOf } from './core/model.ts'
import { uniform } from './core/randomness.ts'
import type { Label } from './core/record.ts'
import { memoryEngine } from './engines/memory.ts'
import { logisticLearner } from './learners/margin-learner.ts'
import { multinomialLearner } from './learners/multinomial.ts'
import { learn } from './loop.ts'
import { errorLens } from './losses/error-lens.ts'
import { columnOracle } from './oracles/column.ts'
import type { Oracle } from './oracles/oracle.ts'
import { memoryStore } from './stores/memory.ts'
import { strategies } from './strategies/catalogue.ts'

const size = 3000
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const chances = ids.map((id) => 0.9 * uniform(1, 'chance', id) ** 6)
const isWrong = ids.map((id, i) => uniform(1, 'wrong', id) < chances[i]!)
const error = isWrong.filter(Boolean).length / size
const truth = new Map<string, Label>(ids.map((id, i) => [id, isWrong[i] ? 'b' : 'a'])) // everything is predicted to be a
const features = dense(
  Float32Array.from({ length: 2 * size }, (_, k) => (k % 2 === 0 ? logit(chances[k / 2]!) : 0)),
  2,
)

const planWith = (changes: Partial<AuditPlan> = {}): AuditPlan => ({
  engine: memoryEngine({ ids, features }),
  store: memoryStore(),
  oracle: columnOracle(truth),
  model: { kind: 'columns', id: 'predictions', classes: ['right', 'wrong'], columns: 2 },
  classes: ['a', 'b'],
  seed: 7,
  ...changes,
})

const all = (plan: AuditPlan): Promise<AuditRound[]> => Array.fromAsync(audit(plan))

it('reaches its tolerance with an interval that holds the truth, and stops there and then', async () => {
  const rounds = await all(planWith({ tolerance: 0.03 }))
  const { interval, isReached, draws, answers } = rounds.at(-1)!
  expect(isReached).toBe(true)
  expect(interval.high - interval.low).toBeLessThanOrEqual(0.06)
  expect(interval.low <= error && error <= interval.high).toBe(true)
  expect(interval.answers).toBe(50 * (rounds.length - 1) + answers.size)
  expect(answers.size).toBeLessThanOrEqual(draws.length)
  for (const round of rounds.slice(0, -1)) expect(round.isReached).toBe(false)
})

it('draws uniformly while it warms up, then where errors are expected', async () => {
  const rounds = await all(planWith({ budget: 300 }))
  const mean = (round: AuditRound) => round.draws.reduce((sum, { id }) => sum + chances[ids.indexOf(id)]!, 0) / round.draws.length
  expect(new Set(rounds[0]!.draws.map(({ mass }) => mass)).size).toBe(1)
  expect(new Set(rounds[1]!.draws.map(({ mass }) => mass)).size).toBeGreaterThan(10)
  expect((mean(rounds[3]!) + mean(rounds[4]!)) / 2).toBeGreaterThan((mean(rounds[0]!) + mean(rounds[1]!)) / 2)
  const flat = await all(planWith({ budget: 300, strategy: 'uniform' }))
  for (const { draws } of flat) expect(new Set(draws.map(({ mass }) => mass)).size).toBe(1)
})

it('looks for an upper limit alone when asked for a ceiling', async () => {
  const last = (await all(planWith({ below: error + 0.05 }))).at(-1)!
  expect(last.isReached).toBe(true)
  expect(last.interval.high).toBeLessThanOrEqual(error + 0.05)
  const never = (await all(planWith({ below: error / 2, budget: 200 }))).at(-1)!
  expect([never.isReached, never.interval.answers]).toEqual([false, 200])
  expect(never.forecast).toBeUndefined() // out of reach as far as one can see
})

it('takes answers in draw order, whatever order they come in', async () => {
  const backwards: Oracle = {
    name: 'backwards',
    close: async () => {},
    label: (open) => columnOracle(truth).label(open.toReversed()),
  }
  const forward = await all(planWith({ budget: 200 }))
  const reverse = await all(planWith({ budget: 200, oracle: backwards }))
  expect(reverse.map(({ interval }) => interval)).toEqual(forward.map(({ interval }) => interval))
})

it('goes on where it was stopped, also in the middle of a round', async () => {
  const whole = (await all(planWith({ tolerance: 0.03 }))).map(({ interval }) => interval)
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
  expect((await all(planWith({ store, tolerance: 0.03 }))).map(({ interval }) => interval)).toEqual(whole.slice(2))
})

it('a reached goal can be raised: the open rest of the round comes first', async () => {
  const store = memoryStore()
  const first = (await all(planWith({ store, tolerance: 0.04 }))).at(-1)!
  const rest = await all(planWith({ store, tolerance: 0.04, budget: 5000 }))
  expect(rest.at(-1)?.isReached ?? first.isReached).toBe(true)
  const ids = (await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

describe('"cannot tell"', () => {
  const unsure = new Map([...truth].map(([id, label]) => [id, uniform(2, 'unsure', id) < 0.1 ? null : label]))
  const least = [...unsure.values()].filter((label) => label === 'b').length / size
  const most = [...unsure.values()].filter((label) => label !== 'a').length / size

  it('widens the interval to cover both the best and the worst it could have been', async () => {
    const { interval } = (await all(planWith({ oracle: columnOracle(unsure), budget: 1500 }))).at(-1)!
    expect(interval.low).toBeLessThanOrEqual(least)
    expect(interval.high).toBeGreaterThanOrEqual(most)
  })

  it('even when nobody can tell anything', async () => {
    const { interval } = (await all(planWith({ oracle: columnOracle(new Map(ids.map((id) => [id, null]))), budget: 500 }))).at(
      -1,
    )!
    expect(interval.low).toBe(0)
    expect(interval.high).toBe(1)
  })
})

it('knows everything once everything is answered', async () => {
  const { interval } = (await all(planWith({ budget: size, batch: 1000 }))).at(-1)!
  expect(interval.low).toBeCloseTo(error, 9)
  expect(interval.high).toBeCloseTo(error, 9)
})

it.each([
  [{}, 'audit: a tolerance, a ceiling or a budget is required, got none'],
  [{ budget: 0 }, 'budget: must be a whole number of at least 1, got 0'],
  [{ below: 2 }, 'below: must be in (0, 1), got 2'],
  [{ tolerance: 0.7 }, 'tolerance: must be in (0, 0.5), got 0.7'],
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
      const certifying = { store, oracle, model: model!, lens: errorLens(learner.loss, names.length), classes: names, seed: 7 }
      const certified = (await all({ ...certifying, engine: engine(), tolerance: 0.04 })).at(-1)!

      const score = scorerOf(model!)
      const left = [...ids.keys()].filter((i) => !labelled.has(ids[i]!))
      const wrong = left.filter((i) => {
        const scores = new Float64Array(model!.weights.length)
        score(learnable, i, scores)
        return names[predictedClass(scores)] !== labels.get(ids[i]!)
      })
      const exact = wrong.length / left.length
      expect(certified.isReached).toBe(true)
      expect(certified.interval.low <= exact && exact <= certified.interval.high).toBe(true)

      const spent = 40 + certified.interval.answers
      const [next] = await Array.fromAsync(learn({ ...learning, engine: engine(), store, rounds: 4 }))
      expect(next!.round).toBe(4)
      expect(next!.labels).toBe(spent + 10)
      expect(next!.model.id).not.toBe(model!.id)
      const drawn = (await store.rounds()).flatMap((round) => round.draws.map(({ id }) => id))
      expect(new Set(drawn).size).toBe(drawn.length) // nobody is asked twice
    },
  )
})

it('takes points that were drawn and never asked for points that nobody can tell', async () => {
  const store = memoryStore()
  const oracle: Oracle = {
    name: 'weary',
    async *label(wanted) {
      for (const id of wanted.slice(0, 20)) yield { id, label: truth.get(id)! } // and then no more
    },
    async close() {},
  }
  const [left] = await all(planWith({ store, oracle, budget: 150 }))
  expect(left!.interval.answers).toBe(20)
  await store.closeRound(0) // people went on to something else
  const rounds = await all(planWith({ store, budget: 150 }))
  const known = new Map(
    [...truth].map(([id, label]) => [id, left!.draws.slice(20).some((draw) => draw.id === id) ? null : label]),
  )
  const asked = await all(planWith({ oracle: columnOracle(known), budget: 150 }))
  expect(rounds.at(-1)!.interval).toEqual(asked.at(-1)!.interval)
})

it('stops at the goal in draw order, whoever else has answered by then', async () => {
  const backwards: Oracle = {
    name: 'backwards',
    async *label(wanted) {
      for (const id of wanted.toReversed()) yield { id, label: truth.get(id)! }
    },
    async close() {},
  }
  const rounds = await all(planWith({ tolerance: 0.03 }))
  const others = await all(planWith({ tolerance: 0.03, oracle: backwards }))
  expect(others.at(-1)!.interval).toEqual(rounds.at(-1)!.interval)
})

it('gives the rounds on record too, where that is wanted', async () => {
  const store = memoryStore()
  const rounds = await all(planWith({ store, budget: 200 }))
  const again = await all(planWith({ store, budget: 200, fromStart: true }))
  expect(again.map(({ interval }) => interval)).toEqual(rounds.map(({ interval }) => interval))
  expect(await all(planWith({ store, budget: 200 }))).toHaveLength(1)
})
