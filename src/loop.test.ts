import { describe, expect, it } from 'vitest'
import { paperDistribution } from './bounds/paper-distribution.ts'
import { BatchInterval } from './certificates/batch-interval.ts'
import { dense } from './core/features.ts'
import { type LinearModel, scorerOf } from './core/model.ts'
import { sigmoid, softplus } from './core/numbers.ts'
import { uniform } from './core/randomness.ts'
import { inclusionProbabilities } from './designs/inclusion.ts'
import { memoryEngine } from './engines/memory.ts'
import { logisticLearner } from './learners/margin-learner.ts'
import { type LearnPlan, learn, type Round } from './loop.ts'
import { errorOf } from './losses/error.ts'
import { logistic } from './losses/logistic.ts'
import { pure } from './masses/mass.ts'
import { columnOracle } from './oracles/column.ts'
import type { Oracle } from './oracles/oracle.ts'
import { memoryStore } from './stores/memory.ts'
import { strategies } from './strategies/catalogue.ts'
import { poolMean } from './weights/pool-mean.ts'

const size = 400
const columns = 3
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const truth = new Map(
  ids.map((id, i) => {
    const score = 4 * values[i * columns]! - 3 * values[i * columns + 1]! + 2 * (uniform(1, 'noise', id) - 0.5)
    return [id, score > 0 ? 'yes' : 'no']
  }),
)

function planWith(changes: Partial<LearnPlan> = {}): LearnPlan {
  return {
    engine: memoryEngine({ ids, features: dense(values, columns) }),
    store: memoryStore(),
    oracle: columnOracle(truth),
    learner: logisticLearner(),
    strategy: strategies.alis,
    classes: ['no', 'yes'],
    seed: 7,
    rounds: 4,
    ...changes,
  }
}

async function all(plan: LearnPlan): Promise<Round[]> {
  const rounds = []
  for await (const round of learn(plan)) rounds.push(round)
  return rounds
}

it('puts draws on record before it asks about them', async () => {
  const store = memoryStore()
  const asks: Oracle = {
    name: 'asks',
    close: async () => {},
    async *label(open) {
      const last = (await store.rounds()).at(-1)!
      expect(last.isClosed).toBe(false)
      expect(last.draws.map(({ id }) => id)).toEqual(open)
      yield* columnOracle(truth).label(open)
    },
  }
  expect(await all(planWith({ store, oracle: asks }))).toHaveLength(5)
})

it('starts a fit at the model before, and a run that is resumed after any round does so too', async () => {
  const starts: (string | undefined)[] = []
  const learner: LearnPlan['learner'] = {
    ...logisticLearner(),
    fit(training, classes, previous) {
      starts.push(previous?.id)
      return logisticLearner().fit(training, classes, previous)
    },
  }
  const rounds = await all(planWith({ learner }))
  const models = rounds.map(({ model }) => model.id)
  expect(starts).toEqual([undefined, undefined, ...models.slice(0, -1)]) // blank, after the first round, then one after the other

  starts.length = 0
  const store = memoryStore()
  for (const [k, id] of models.entries()) {
    const { value } = await learn(planWith({ learner, store })).next() // and no more is asked for
    expect(value).toMatchObject({ round: k, model: { id } })
  }
  const pairs = models.flatMap((_, k) => [models[k - 2], models[k - 1]]) // found again, and gone on from
  expect(starts).toEqual(pairs)
})

it('draws with the model before, and a run that is resumed after any round, or in the midst of one, does the same', async () => {
  const drawnWith = (rounds: readonly Round[]) => rounds.map((round) => round.drawnWith)
  const whole = await all(planWith({ rounds: 12 }))
  expect(drawnWith(whole).slice(1)).toEqual(whole.slice(0, -1).map(({ model }) => model.id))
  const again = { rounds: 12, store: memoryStore(), oracle: tired() }
  const resumed: Round[] = []
  while (resumed.length < whole.length) {
    await expect(learn(planWith(again)).next()).rejects.toThrow('tired')
    resumed.push((await learn(planWith(again)).next()).value!)
  }
  expect(drawnWith(resumed)).toEqual(drawnWith(whole))
  expect(resumed.map(({ model }) => model.id)).toEqual(whole.map(({ model }) => model.id))
  expect(resumed.map(({ estimate }) => estimate)).toEqual(whole.map(({ estimate }) => estimate))
})

/** Every other time it is asked, it stops after three answers. */
function tired(): Oracle {
  let times = 0
  return {
    name: 'tired',
    close: async () => {},
    async *label(open) {
      times++
      yield* columnOracle(truth).label(open.slice(0, 3))
      if (times % 2 === 1) throw new Error('tired')
      yield* columnOracle(truth).label(open.slice(3))
    },
  }
}

it('goes on with an open round whose masses are those of an earlier model, and says of the newest how wrong it was', async () => {
  const store = memoryStore()
  const [start, second] = (await all(planWith({ store, rounds: 1 }))) as [Round, Round]
  const engine = memoryEngine({ ids, features: dense(values, columns) })
  await engine.take([start, second].flatMap(({ draws }) => draws.map(({ id }) => id)))
  const { mass, design, name: strategy } = strategies['margin-rank']
  const { draws, survey } = await engine.draw({
    ...{ model: start.model, loss: logistic, controls: [errorOf(logistic)], mass, design, size: 10 },
    stream: { seed: 7, name: 'learn/2' },
  })
  const latest = draws.map((draw) => ({ ...draw, predicting: [scoreOf(second.model, draw.id)] }))
  const opening = { round: 2, stream: 'learn/2', strategy, design: design.name, size: 10, model: start.model.id, survey }
  await store.openRound({ ...opening, draws: latest })
  const [third, fourth] = (await all(planWith({ store, rounds: 3 }))) as [Round, Round]
  expect(third).toMatchObject({ drawnWith: start.model.id, draws: latest })
  const losses = draws.map(({ id }) => ((scoreOf(second.model, id) >= 0 ? 'yes' : 'no') === truth.get(id) ? 0 : 1))
  expect(third.estimate!.value).toBeCloseTo(poolMean('successive', draws, losses, survey.points), 12)
  expect(fourth).toMatchObject({ drawnWith: third.model.id, now: { answers: 40 } })
})

it('refuses to continue under another seed', async () => {
  const store = memoryStore()
  await all(planWith({ store, rounds: 1 }))
  await expect(all(planWith({ store, seed: 8 }))).rejects.toThrow('run: must be continued as it was begun')
})

it('spends the budget exactly, to the last point of the pool', async () => {
  const { rounds: _, ...plan } = planWith({ budget: 47 })
  expect((await all(plan)).map(({ labels }) => labels)).toEqual([10, 20, 30, 40, 47])
  const { rounds: __, ...whole } = planWith({ budget: 10_000, batch: 150 })
  expect((await all(whole)).at(-1)!.labels).toBe(size)
})

it.each([
  [{ start: 0 }, 'start: must be a whole number of at least 1, got 0'],
  [{ batch: 1.5 }, 'batch: must be a whole number of at least 1, got 1.5'],
  [{ classes: ['only'] }, 'classes: at least two are required, got 1'],
])('refuses a plan that cannot work: %j', async (changes, message) => {
  await expect(all(planWith(changes))).rejects.toThrow(message)
})

it.each(['alis', 'uniform'] as const)('ends where every point was drawn, though some were never answered: %s', async (name) => {
  const store = memoryStore()
  const plan = planWith({ store, strategy: strategies[name], batch: 100, rounds: 8 })
  const [, last] = await all({ ...plan, rounds: 1 })
  const drawn = new Set((await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id)))
  const { draws, survey, model } = (await store.rounds())[1]!
  const rest = ids.filter((id) => !drawn.has(id)).map((id) => ({ ...draws[0]!, id }))
  await store.openRound({
    round: 2,
    stream: 'audit/2',
    strategy: 'alis-audit',
    design: 'successive',
    size: rest.length,
    model,
    survey,
    draws: rest,
  })
  await store.answer(2, rest[0]!.id, 'yes')
  expect(await all({ ...plan, engine: memoryEngine({ ids, features: dense(values, columns) }) })).toEqual([])
  expect(last!.labels).toBe(110)
})

it('leaves "cannot tell" out of training and half-way in the estimate', async () => {
  const unsure = columnOracle(new Map([...truth].map(([id, label], i) => [id, i % 3 === 0 ? null : label])))
  const rounds = await all(planWith({ oracle: unsure }))
  expect(rounds.at(-1)!.labels).toBe(50)
  const nobody = columnOracle(new Map(ids.map((id) => [id, null])))
  for (const { estimate, model } of await all(planWith({ oracle: nobody, strategy: strategies.uniform }))) {
    expect(estimate!.value).toBeCloseTo(0.5, 12)
    expect(model.weights[0]!.every((weight) => weight === 0)).toBe(true)
  }
})

describe('the interval of a round of independent draws', () => {
  const plan = { strategy: strategies.paper, batch: 60, rounds: 1 }

  it('is that of one batch with the chances and predictions of the whole pool', async () => {
    const [start, last] = (await all(planWith(plan))) as [Round, Round]
    const left = ids.filter((id) => !start.answers.has(id))
    const scores = left.map((id) => scoreOf(start.model, id))
    const pi = inclusionProbabilities(
      Float64Array.from(scores, (z) => Math.sqrt(softplus(Math.abs(z)))),
      60,
    )
    const g = scores.map((z) => sigmoid(-Math.abs(z)))
    const sum = (value: (i: number) => number) => left.reduce((total, _, i) => total + value(i), 0)
    const totals = {
      expected: 60,
      predictedLoss: sum((i) => g[i]!),
      largestDown: Math.max(1, ...g.map((p, i) => p / pi[i]!)),
      largestUp: Math.max(1, ...g.map((p, i) => (1 - p) / pi[i]!)),
      variance: (60 * sum((i) => (g[i]! * (1 - g[i]!)) / pi[i]!)) / left.length ** 2,
    }
    const tolerance = 2.3 * Math.sqrt(totals.variance / 60)
    const batch = new BatchInterval({ poolSize: left.length, tolerance })
    const draws = last.draws.map(({ id, probability }) => {
      const i = left.indexOf(id)
      const loss = (scores[i]! >= 0 ? 'yes' : 'no') === truth.get(id) ? 0 : 1
      return { loss, predictedLoss: g[i]!, probability }
    })
    batch.batch(totals, batch.evidence(totals, draws))
    const { low, high, level } = batch.interval()
    expect(last.estimate!.low).toBeCloseTo(low, 9)
    expect(last.estimate!.high).toBeCloseTo(high, 9)
    expect(last.estimate!.level).toBe(level)
    expect(high - low).toBeLessThan(0.5) // it says something
  })

  it('takes a point that was drawn twice as known once', async () => {
    let repeated = 0
    for (let seed = 1; seed <= 20; seed++) {
      const four = memoryEngine({ ids: ids.slice(0, 4), features: dense(values.slice(0, 4 * columns), columns) })
      const strategy = strategies['paper-replacement']
      const [start, last] = await all(planWith({ engine: four, strategy, seed, start: 1, batch: 3, rounds: 1 }))
      const known = [...new Set(last!.draws.map(({ id }) => id))]
      const wrong = known.filter((id) => (scoreOf(start!.model, id) >= 0 ? 'yes' : 'no') !== truth.get(id)).length
      if (known.length < 3) repeated++
      // Three draws are too few to prove anything, so the limits are what is certain.
      expect(last!.estimate!.low).toBeCloseTo(wrong / 3, 12)
      expect(last!.estimate!.high).toBeCloseTo((wrong + 3 - known.length) / 3, 12)
    }
    expect(repeated).toBeGreaterThan(3)
  })

  it('is there for every design, and not where a point could not be drawn', async () => {
    for (const strategy of [strategies.alis, strategies.paper, strategies['paper-replacement']]) {
      for (const { estimate } of await all(planWith({ strategy }))) {
        expect(estimate!.low).toBeGreaterThanOrEqual(0)
        expect(estimate!.high).toBeLessThanOrEqual(1)
        expect(estimate!.high! - estimate!.low!).toBeGreaterThan(0)
      }
    }
    const blind = pure({ name: 'blind', value: ({ probabilities }) => (probabilities[0]! > 0.9 ? 0 : 1) })
    const [, last] = await all(planWith({ ...plan, strategy: { ...strategies.paper, mass: blind } }))
    expect(last!.survey.smallestMass).toBe(0)
    expect(last!.estimate).toMatchObject({ low: null, high: null })
  })
})

describe('the paper’s Algorithm 1, step by step', () => {
  it('is what strategy `paper` does', async () => {
    const rounds = await all(planWith({ strategy: strategies.paper, batch: 20, rounds: 3 }))
    const taken = new Set(rounds[0]!.draws.map(({ id }) => id)) // S⁰, a uniform start
    let model: LinearModel = rounds[0]!.model // A¹, trained on S⁰
    for (const [t, { draws, model: next, bound }] of rounds.entries()) {
      if (t === 0) continue
      const left = ids.filter((id) => !taken.has(id)) // Uᵗ
      const scores = left.map((id) => scoreOf(model, id))
      const pseudoLosses = Float64Array.from(scores, (z) => logistic.value(z >= 0 ? -1 : 1, z)) // ŷ = −sign f
      const p = paperDistribution(pseudoLosses) // eq. (4)
      const pi = inclusionProbabilities(p, 20) // min(1, m·p): see slip 1
      const drawn = left.filter((id, i) => uniform(7, `learn/${t}`, id) <= pi[i]!) // Vᵗ
      expect(new Set(draws.map(({ id }) => id))).toEqual(new Set(drawn))
      for (const { id, probability } of draws) expect(probability).toBeCloseTo(pi[left.indexOf(id)]!, 12)
      const root = pseudoLosses.reduce((sum, loss) => sum + Math.sqrt(loss), 0)
      expect(bound!.mass / root ** 2).toBeCloseTo(1, 12) // M_{p*} = (Σ √l̂)²

      const rows = draws.map(({ id }) => ids.indexOf(id)) // retrain on Vᵗ alone, weights 1/p, scaled to mean 1
      const inverse = draws.map(({ probability }) => 1 / probability)
      const mean = inverse.reduce((a, b) => a + b, 0) / inverse.length
      const expected = await logisticLearner().fit(
        {
          features: dense(values, columns).select(rows),
          labels: draws.map(({ id }) => (truth.get(id) === 'yes' ? 1 : 0)),
          weights: inverse.map((weight) => weight / mean),
        },
        ['no', 'yes'],
      )
      for (const [j, weight] of expected.weights[0]!.entries()) expect(next.weights[0]![j]!).toBeCloseTo(weight, 9)
      for (const { id } of draws) taken.add(id) // Sᵗ⁺¹ = Sᵗ ∪ Vᵗ, Uᵗ⁺¹ = Uᵗ \ Vᵗ
      model = next
    }
  })

  it('keeps the model when the literal draw brings nothing', async () => {
    const rounds = await all(planWith({ strategy: strategies.paper, batch: 1, rounds: 30 }))
    const empty = rounds.filter(({ draws }) => draws.length === 0)
    expect(empty.length).toBeGreaterThan(3)
    for (const { round, model, estimate } of empty) {
      expect(model.id).toBe(rounds[round - 1]!.model.id)
      expect(estimate).toMatchObject({ value: 0, answers: 0 }) // leaving empty rounds out would bias the rest
    }
  })
})

function scoreOf(model: LinearModel, id: string): number {
  const into = new Float64Array(1)
  scorerOf(model)(dense(values, columns), ids.indexOf(id), into)
  return into[0]!
}
