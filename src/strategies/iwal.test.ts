import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { evaluate, type Formula } from '../core/formula.ts'
import { type LinearModel, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import type { RoundFacts } from '../core/record.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { learn } from '../loop.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import { iwal, iwalStrategy, pointsPassed, queryProbability } from './iwal.ts'

const c1 = 5 + 2 * Math.sqrt(2)
const c2 = 5

/** The right-hand side of the defining equation, as it is printed. */
function defining(s: number, k: number, c0: number): number {
  const share = (c0 * Math.log(k)) / (k - 1)
  return (c1 / Math.sqrt(s) - c1 + 1) * Math.sqrt(share) + (c2 / s - c2 + 1) * share
}

const ks = fc.integer({ min: 2, max: 1e9 })
const constants = fc.double({ min: 1e-6, max: 100, noNaN: true })

it('solves its defining equation to 1e-12', () => {
  fc.assert(
    fc.property(ks, constants, fc.double({ min: 0, max: 1, noNaN: true }), (k, c0, where) => {
      const gap = defining(1, k, c0) * 10 ** (8 * where)
      const s = queryProbability(gap, k, c0)
      expect(s).toBeGreaterThan(0)
      expect(s).toBeLessThanOrEqual(1)
      // (c₁ − 1)√b is taken away again: what can be seen of an equation is relative to its largest term
      const share = (c0 * Math.log(k)) / (k - 1)
      const scale = gap + (c1 - 1) * Math.sqrt(share) + (c2 - 1) * share
      if (s < 1) expect(Math.abs(defining(s, k, c0) - gap) / scale).toBeLessThan(1e-12)
      else expect(gap).toBeLessThanOrEqual(defining(1, k, c0) * (1 + 1e-12))
    }),
    { numRuns: 20_000 },
  )
})

it('asks about everything up to the threshold, is continuous there, and falls with the gap', () => {
  fc.assert(
    fc.property(ks, constants, (k, c0) => {
      const threshold = defining(1, k, c0)
      expect(queryProbability(threshold * (1 - 1e-12), k, c0)).toBe(1)
      expect(queryProbability(threshold * (1 + 1e-9), k, c0)).toBeCloseTo(1, 6)
      const further = [1.1, 2, 5, 100].map((factor) => queryProbability(factor * threshold, k, c0))
      for (const [i, s] of further.entries()) expect(s).toBeLessThan(i === 0 ? 1 : further[i - 1]!)
    }),
  )
  expect(queryProbability(1e9, 1, 1)).toBe(1) // the first point is always asked about
})

it('the same check fails for a root divided by 2 and then multiplied', () => {
  const [gap, k, c0] = [1, 100, 0.1]
  const b = (c0 * Math.log(k)) / (k - 1)
  const sum = gap + (c1 - 1) * Math.sqrt(b) + (c2 - 1) * b
  const top = c1 * Math.sqrt(b) + Math.sqrt(c1 ** 2 * b + 4 * c2 * b * sum)
  expect(defining((top / (2 * sum)) ** 2, k, c0)).toBeCloseTo(gap, 12)
  expect(Math.abs(defining(((top / 2) * sum) ** 2, k, c0) - gap)).toBeGreaterThan(0.1)
})

it('is the same as a formula', () => {
  const passed = (points: number) =>
    [{ stream: 'learn/1', strategy: 'iwal', survey: { points }, draws: [{ remaining: 1 }] }] as unknown as RoundFacts[]
  const loss = fc.double({ min: 0, max: 20, noNaN: true })
  const losses = fc.array(loss, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), losses, fc.double({ min: 1e-3, max: 50, noNaN: true }), (k, own, form) => {
      const { value, express } = iwal.massAfter!(passed(k)).parts[0]!.of
      const belief = { probabilities: new Float64Array(0), losses: Float64Array.from(own), forms: Float64Array.of(form) }
      const columns = own.map((_, at): Formula => ({ column: `l${at}` }))
      const formula = express!({ probabilities: [], losses: columns, forms: [{ column: 'form' }] }, new Float64Array(0))
      const row: Record<string, number> = { form }
      for (const [at, each] of own.entries()) row[`l${at}`] = each
      expect(evaluate(formula, row)).toBeCloseTo(value(belief, new Float64Array(0)), 12)
    }),
  )
})

it('counts every other label as one point that passed', () => {
  const draws = [{ remaining: 2 }, { remaining: 5 }]
  const round = (changes: object) =>
    ({ stream: 'learn/1', strategy: 'iwal', survey: { points: 20 }, draws, ...changes }) as unknown as RoundFacts
  expect(pointsPassed([round({})])).toBeCloseTo(20 / 2 + 19 / 5, 12)
  expect(pointsPassed([round({ strategy: 'alis' }), round({ stream: 'audit/0' }), round({})])).toBeCloseTo(4 + 10 + 3.8, 12)
})

it('refuses a wariness that means nothing', () => {
  expect(() => iwalStrategy({ wariness: 0 })).toThrow('iwal: wariness must be a positive number, got 0')
})

const size = 120
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: 2 * size }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const features = dense(values, 2)
const truth = new Map(ids.map((id, i) => [id, values[2 * i]! + 0.3 * uniform(1, 'noise', id) > 0.1 ? 'yes' : 'no']))

async function run(rounds: number, learner = logisticLearner({ l2: 0.5 })) {
  const store = memoryStore()
  const plan = { engine: memoryEngine({ ids, features }), store, oracle: columnOracle(truth), learner, classes: ['no', 'yes'] }
  const models: LinearModel[] = []
  for await (const { model } of learn({ ...plan, strategy: iwal, seed: 3, start: 10, batch: 5, rounds })) models.push(model)
  return { record: (await store.rounds()) as RoundFacts[], models }
}

it('counts the points that passed by: one for each label of the start, more for each draw after it', async () => {
  const { record } = await run(3)
  const start = record[0]!
  expect(pointsPassed([start])).toBe(10)
  const first = record[1]!
  const byHand = first.draws.reduce((sum, draw, k) => sum + (110 - k) / draw.remaining, 10)
  expect(pointsPassed(record.slice(0, 2))).toBeCloseTo(byHand, 12)
  expect(byHand).toBeGreaterThan(15)
})

it('draws by the query probability, where the gap is the weight of an opposite label that changes the prediction', async () => {
  const { record, models } = await run(2)
  const last = record[2]!
  const k = 1 + pointsPassed(record.slice(0, 2))
  const labelled = record.slice(0, 2).flatMap(({ draws, answers }) => draws.map(({ id }) => [id, answers.get(id)!] as const))
  const probabilities = record.slice(0, 2).flatMap(({ draws }) => draws.map(({ probability }) => probability))
  const weights = lure(probabilities)
  const fitWith = (id: string, label: number, weight: number) =>
    logisticLearner({ l2: 0.5 }).fit(
      {
        features: features.select([...labelled.map(([own]) => ids.indexOf(own)), ids.indexOf(id)]),
        labels: [...labelled.map(([, own]) => (own === 'yes' ? 1 : 0)), label],
        weights: [...weights, weight],
      },
      ['no', 'yes'],
    ) as LinearModel
  for (const { id, mass } of last.draws) {
    const score = scoreOf(models[1]!, id)
    const opposite = score > 0 ? 0 : 1
    expect(scoreOf(fitWith(id, opposite, 0), id)).toBeCloseTo(score, 6) // the model that drew
    // Bisection for the weight at which the score is 0: exact, where the rule has one step of Newton's.
    let [low, high] = [0, 1e4]
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2
      if (scoreOf(fitWith(id, opposite, middle), id) * score > 0) low = middle
      else high = middle
    }
    const exact = queryProbability(low / 15, k, 1e-4)
    expect(mass / exact).toBeGreaterThan(0.5)
    expect(mass / exact).toBeLessThan(2)
  }
})

function lure(probabilities: readonly number[]): number[] {
  const M = probabilities.length
  const raw = probabilities.map((q, i) => 1 + ((size - M) / (size - i - 1)) * (1 / ((size - i) * q) - 1))
  const mean = raw.reduce((a, b) => a + b, 0) / M
  return raw.map((weight) => weight / mean)
}

function scoreOf(model: LinearModel, id: string): number {
  const into = new Float64Array(1)
  scorerOf(model)(features, ids.indexOf(id), into)
  return into[0]!
}
