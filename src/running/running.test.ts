import { describe, expect, it } from 'vitest'
import { type ErrorLimits, type RoundView, RunningLimits } from '../certificates/running.ts'
import type { ReadDraw } from '../certificates/running-readings.ts'
import { expectedLossOf } from '../core/belief.ts'
import { dense } from '../core/features.ts'
import { type LinearModel, type Model, predictedClass, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { fastEngine } from '../engines/kernels/engine.ts'
import { memoryEngine } from '../engines/memory.ts'
import { importLabels } from '../import-labels.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { treesLearner } from '../learners/trees.ts'
import { type LearnPlan, learn, type Round } from '../loop.ts'
import { errorOf } from '../losses/error.ts'
import { logistic } from '../losses/logistic.ts'
import { type Ingredient, pure } from '../masses/mass.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { strategies } from '../strategies/catalogue.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { isKept } from './references.ts'
import { running } from './running.ts'

const [size, columns] = [500, 3]
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const features = dense(values, columns)
const rowOf = new Map(ids.map((id, i) => [id, i]))
const classes = ['no', 'yes']
const noisy = (id: string, i: number) =>
  4 * values[i * columns]! - 3 * values[i * columns + 1]! + 4 * (uniform(1, 'noise', id) - 0.5)
const answers = new Map<string, Label>(ids.map((id, i) => [id, noisy(id, i) > 0 ? 'yes' : 'no']))
for (const id of ids.filter((_, i) => i % 17 === 0)) answers.set(id, null) // some cannot be told

const newEngine = () => memoryEngine({ ids, features })
const planWith = (changes: Partial<LearnPlan> = {}): LearnPlan => ({
  engine: newEngine(),
  store: memoryStore(),
  oracle: columnOracle(answers),
  learner: logisticLearner(),
  strategy: strategies.alis,
  classes,
  seed: 7,
  start: 20,
  rounds: 9,
  ...changes,
})
const all = (plan: LearnPlan): Promise<Round[]> => Array.fromAsync(learn(plan))
const lookerOn = (store: Store, record: Pick<Store, 'rounds' | 'model'> = store) =>
  running({ record, engine: newEngine(), loss: logistic, classes })

function classAt(model: Model, id: string): number {
  const scores = new Float64Array(1)
  scorerOf(model)(features, rowOf.get(id)!, scores)
  return predictedClass(scores)
}

/** Every view by a plain loop over the pool, with every round kept: limits of the certificate as it is written down. */
async function byHand(
  store: Store,
  model: Model,
  isEvidence = (_: RoundFacts) => true,
): Promise<{ limits: ErrorLimits; points: number }> {
  const rounds = await store.rounds()
  const limits = new RunningLimits()
  const known: { model: Model; points: readonly string[] }[] = []
  const looks: (ErrorLimits | undefined)[] = []
  const answered = new Map<string, Label>()
  const look = (about: Model): { limits: ErrorLimits; points: number } => {
    const left = ids.filter((id) => !answered.has(id))
    const views = known.map(({ model: own, points }, t): RoundView => {
      const found = points.filter((id) => answered.has(id))
      const isWrong = (id: string) => classes[classAt(own, id)] !== answered.get(id)
      const open = left.filter((id) => points.includes(id))
      return {
        mostErrors: found.filter(isWrong).length,
        leastErrors: found.filter((id) => answered.get(id) !== null && isWrong(id)).length,
        differing: open.filter((id) => classAt(own, id) !== classAt(about, id)).length,
        added: left.length - open.length,
        gone: 0,
        ...(looks[t] && { opening: looks[t] }),
      }
    })
    return { limits: limits.limits(left.length, views), points: left.length }
  }
  for (const round of rounds) {
    const own = round.stream === 'learn/0' ? undefined : await store.model(round.model)
    if (round.stream.startsWith('learn/') && isEvidence(round)) {
      looks.push(own && look(own).limits)
      known.push({ model: own ?? model, points: ids.filter((id) => !answered.has(id)) })
      limits.add(readingOf(round, own))
    }
    for (const [id, label] of round.answers) answered.set(id, label)
  }
  return look(model)
}

function readingOf(round: RoundFacts, model: Model | undefined) {
  const { survey, draws } = round
  const read = draws.map(({ id, mass, probability, scores }): ReadDraw => {
    const label = round.answers.get(id)!
    const wrong = classes[model ? classAt(model, id) : predictedClass(scores)] === label ? 0 : 1
    return { loss: label === null ? null : wrong, mass, probability, predictedLoss: expectedLossOf(errorOf(logistic), scores) }
  })
  const totals = { isLearned: model !== undefined, points: survey.points, mass: survey.mass, ...survey.controls[0]! }
  return { ...totals, design: 'successive' as const, draws: read }
}

it('says what a plain loop over the pool says, for the model after a round and for any other, labels given in between included', async () => {
  const store = memoryStore()
  await all(planWith({ store, rounds: 3 }))
  const given = new Map(ids.slice(100, 160).map((id) => [id, answers.get(id) ?? 'no']))
  await importLabels({ engine: newEngine(), store, classes, seed: 7, labels: given })
  const rounds = await all(planWith({ store, rounds: 7 }))
  const { now, model } = rounds.at(-1)!
  const { limits, points } = await byHand(store, model)
  expect(now).toMatchObject({
    low: limits.low / points,
    high: limits.high / points,
    answers: 90,
    level: 0.95,
    over: 'unanswered',
  })
  expect(now!.high).toBeLessThan(1)
  const looker = lookerOn(store)
  for (const { model: other } of rounds) {
    const said = await looker.look(other)
    const hand = await byHand(store, other)
    expect([said!.low, said!.high]).toEqual([hand.limits.low / hand.points, hand.limits.high / hand.points])
  }
})

it('says the same to the last bit after every round of a run that is resumed, and of one that is looked at anew', async () => {
  const whole = await all(planWith({ rounds: 24 }))
  const kept = whole.map(({ now }) => now)
  const store = memoryStore()
  const resumed: Round[] = []
  for (const rounds of [2, 3, 11, 12, 20, 24]) resumed.push(...(await all(planWith({ store, rounds }))))
  expect(resumed.map(({ now }) => now)).toEqual(kept)
  expect(kept.slice(0, 2)).toEqual([null, expect.objectContaining({ low: 0, high: 1, answers: 30 })])
  expect(kept.at(-1)!.high).toBeLessThan(0.4)
  const { about: _, ...last } = kept.at(-1)!
  expect(await lookerOn(store).look(resumed.at(-1)!.model)).toEqual(last)
})

it('keeps few models to compare with, and loses little by that', async () => {
  const store = memoryStore()
  let most = 0
  const engine = newEngine()
  const counting: LearnPlan['engine'] = {
    ...engine,
    compare(request, signal) {
      most = Math.max(most, request.earlier.length)
      return engine.compare(request, signal)
    },
  }
  const rounds = await all(planWith({ store, engine: counting, rounds: 24 }))
  expect([...Array(25).keys()].filter((t) => isKept(t, 25))).toEqual([
    0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24,
  ])
  expect(most).toBeLessThanOrEqual(16)
  for (const rounds of [64, 128, 256])
    expect([...Array(rounds).keys()].filter((t) => isKept(t, rounds)).length).toBeLessThanOrEqual(40)
  const { now, model } = rounds.at(-1)!
  const { limits, points } = await byHand(store, model)
  expect(now!.low).toBeLessThanOrEqual(limits.low / points)
  expect(now!.high).toBeGreaterThanOrEqual(limits.high / points)
  expect(now!.high - limits.high / points).toBeLessThan(0.1)
})

it('asks an engine once for each round, and nothing for strategies that are not random', async () => {
  const asked: [string, number][] = []
  const counting = (engine = newEngine()): LearnPlan['engine'] => ({
    ...engine,
    compare(request, signal) {
      asked.push([request.model.id, request.earlier.length])
      return engine.compare(request, signal)
    },
  })
  const rounds = await all(planWith({ engine: counting() }))
  expect(asked.map(([id]) => id)).toEqual(rounds.slice(1).map(({ model }) => model.id))
  asked.length = 0
  const certain = await all(planWith({ engine: counting(), strategy: strategies.uncertainty }))
  expect(certain.every(({ now }) => now === null)).toBe(true)
  expect(asked).toEqual([])
})

it('knows nothing where models were not kept', async () => {
  const store = memoryStore()
  const rounds = await all(planWith({ store }))
  const { model } = rounds.at(-1)!
  expect(await lookerOn(store, { rounds: store.rounds, model: async () => undefined }).look(model)).toBeNull()
  const some = { rounds: store.rounds, model: async (id: string) => (id === rounds[4]!.model.id ? undefined : store.model(id)) }
  expect(await lookerOn(store, some).look(model)).toMatchObject({ answers: 100 }) // 110, less the round of that model
})

it('says what a plain loop says of rounds that were drawn with an earlier model, as some on record are', async () => {
  const store = memoryStore()
  const { model: earlier } = (await all(planWith({ store, rounds: 1 }))).at(-1)!
  const own = newEngine()
  const engine: LearnPlan['engine'] = { ...own, draw: (request) => own.draw({ ...request, model: earlier }) }
  const keeping: Store = { ...store, openRound: (opening) => store.openRound({ ...opening, model: earlier.id }) }
  const { model } = (await all(planWith({ store: keeping, engine, rounds: 9 }))).at(-1)!
  const { limits, points } = await byHand(store, model)
  const now = await lookerOn(store).look(model)
  expect([now!.low, now!.high]).toEqual([limits.low / points, limits.high / points])
  expect(now!.high).toBeLessThan(1)
})

describe('in the middle of a round', () => {
  /** A record of eight rounds, and one more with some of its answers. */
  async function partly(answered: (k: number) => boolean, reverse = false) {
    const store = memoryStore()
    const rounds = await all(planWith({ store, rounds: 8 }))
    const stopping: LearnPlan['oracle'] = {
      ...columnOracle(answers),
      async *label(open) {
        const some = open.filter((_, k) => answered(k))
        yield* (reverse ? some.toReversed() : some).map((id) => ({ id, label: answers.get(id)! }))
        throw new Error('gone for lunch')
      },
    }
    await expect(all(planWith({ store, oracle: stopping, rounds: 9 }))).rejects.toThrow('gone for lunch')
    return { store, model: rounds.at(-1)!.model }
  }

  it('uses the draws up to the first without an answer', async () => {
    const { store, model } = await partly((k) => k < 6)
    expect(await lookerOn(store).look(model)).toMatchObject({ answers: 106 })
    const { store: gaps } = await partly((k) => k !== 3)
    expect(await lookerOn(gaps).look(model)).toMatchObject({ answers: 103 })
  })

  it('does not care in which order answers came', async () => {
    const [one, other] = [await partly((k) => k < 6), await partly((k) => k < 6, true)]
    expect(await lookerOn(one.store).look(one.model)).toEqual(await lookerOn(other.store).look(other.model))
  })

  it('counts points that wait for an answer among those without one', async () => {
    const { store, model } = await partly(() => false)
    const before = memoryStore()
    const rounds = await all(planWith({ store: before, rounds: 8 }))
    const { about: _, ...said } = rounds.at(-1)!.now!
    const waiting = await lookerOn(store).look(model)
    expect({ ...waiting, value: 0 }).toEqual({ ...said, value: 0 })
    expect(waiting!.value).toBeCloseTo(said.value, 12)
  })
})

it('follows an answer that is revised, as if it had always been so but for the bets', async () => {
  const store = memoryStore()
  const rounds = await all(planWith({ store }))
  const { model } = rounds.at(-1)!
  const looker = lookerOn(store)
  const before = await looker.look(model)
  const wrong = rounds[4]!.draws.filter(({ id }) => answers.get(id) !== null).slice(0, 6)
  for (const { id } of wrong) await store.revise(4, id, answers.get(id) === 'yes' ? 'no' : 'yes')
  const after = await looker.look(model)
  expect(after).not.toEqual(before)
  expect(after).toEqual(await lookerOn(store).look(model)) // nothing of what was known before is left
  for (const { id } of wrong) await store.revise(4, id, answers.get(id)!)
  expect(await looker.look(model)).toEqual(before)
})

it('loses its upper limit by as many points as are added, and no more', async () => {
  const store = memoryStore()
  const rounds = await all(planWith({ store, rounds: 14 }))
  const model = rounds.at(-1)!.model as LinearModel
  const before = await lookerOn(store).look(model)
  const added = 40
  const grown = memoryEngine({
    ids: [...ids, ...Array.from({ length: added }, (_, k) => `new ${k}`)],
    features: dense(Float32Array.from([...values, ...values.slice(0, added * columns)]), columns),
  })
  const after = await running({ record: store, engine: grown, loss: logistic, classes }).look(model)
  const points = size - 160
  // Whether the new points are among those that two models differ on is not on record: D may be larger by some of them, never by all.
  expect(after!.high * (points + added)).toBeGreaterThanOrEqual(before!.high * points + added - 1e-9)
  expect(after!.low * (points + added)).toBeLessThanOrEqual(before!.low * points + 1e-9)
  expect(after!.high * (points + added)).toBeLessThan(before!.high * points + 2 * added)
})

it('says nothing once every point has an answer', async () => {
  const few = ids.slice(0, 60)
  const engine = memoryEngine({ ids: few, features: dense(values.slice(0, 60 * columns), columns) })
  const rounds = await all(planWith({ engine, rounds: 10 }))
  expect(rounds.at(-1)).toMatchObject({ labels: 60, now: null })
  expect(rounds.at(-2)!.now).not.toBeNull()
})

describe('predictions from elsewhere', () => {
  /** What a model says of some points, as a file would have it. */
  const saidBy = (model: Model, some: readonly string[], sure?: number) =>
    some.map((id) => ({ id, label: classes[classAt(model, id)]!, ...(sure !== undefined && { confidence: sure }) }))
  const learned = async (changes: Partial<LearnPlan> = {}) => {
    const store = memoryStore()
    const rounds = await all(planWith({ store, ...changes }))
    const drawn = new Set((await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id)))
    return { store, rounds, left: ids.filter((id) => !drawn.has(id)) }
  }

  it('have the limits of a model that says the same, whether they speak of answered points or not', async () => {
    const { store, rounds, left } = await learned()
    for (const { model } of [rounds.at(-1)!, rounds[3]!]) {
      const { value: _, ...limits } = (await lookerOn(store).look(model))!
      for (const some of [ids, left.toReversed()])
        expect(await lookerOn(store).about(saidBy(model, some))).toMatchObject({ ...limits, expected: 'by the last model' })
    }
  })

  it('have the value of the model that drew last, where they are its own', async () => {
    const { store, rounds, left } = await learned()
    const { model } = rounds.at(-2)!
    const said = await lookerOn(store).look(model)
    const about = await lookerOn(store).about(saidBy(model, left))
    expect(about!.value).toBeCloseTo(said!.value, 9)
    expect(about!.differing).toBe(0)
  })

  it('say by their confidence what they expect of themselves', async () => {
    const { store, rounds, left } = await learned({ rounds: 12 })
    const { model } = rounds.at(-1)!
    const about = (sure?: number) => lookerOn(store).about(saidBy(model, left, sure))
    const [sure, less] = [await about(0.9), await about(0.8)]
    expect(less!.value - sure!.value).toBeCloseTo(0.1, 9)
    expect([less!.low, less!.high]).toEqual([sure!.low, sure!.high])
    expect(less!.expected).toBe('by themselves')
  })

  it('may leave out points that have an answer, and no point that waits for one', async () => {
    const store = memoryStore()
    const rounds = await all(planWith({ store, rounds: 8 }))
    const silent: LearnPlan['oracle'] = {
      ...columnOracle(answers),
      async *label(open) {
        yield { id: open[0]!, label: answers.get(open[0]!)! }
        throw new Error('gone for lunch')
      },
    }
    await expect(all(planWith({ store, oracle: silent, rounds: 9 }))).rejects.toThrow('gone for lunch')
    const { model } = rounds.at(-1)!
    const { value: _, ...limits } = (await lookerOn(store).look(model))!
    const waiting = (await store.rounds())
      .at(-1)!
      .draws.slice(1)
      .map(({ id }) => id)
    const answered = new Set((await store.rounds()).flatMap((round) => [...round.answers.keys()]))
    const open = ids.filter((id) => !answered.has(id))
    expect(await lookerOn(store).about(saidBy(model, open, 0.8))).toMatchObject(limits)
    const without = open.filter((id) => id !== waiting[3])
    await expect(lookerOn(store).about(saidBy(model, without))).rejects.toThrow(`got none for "${waiting[3]}"`)
  })

  it('are the same of every engine, and of every kind of model', async () => {
    const { store, rounds, left } = await learned({
      learner: treesLearner(2, { trees: 20 }) as unknown as LearnPlan['learner'],
      rounds: 6,
    })
    const { model } = rounds.at(-1)!
    const said = await lookerOn(store).look(model)
    const engine = fastEngine({ ids, features, smallest: 0 })
    const fast = await running({ record: store, engine, loss: logistic, classes }).about(saidBy(model, left))
    await engine.close()
    expect(fast).toMatchObject({ low: said!.low, high: said!.high, answers: said!.answers })
  })

  it('are refused where they are not of the pool, not of a class, twice, missing or no chance', async () => {
    const { store, rounds, left } = await learned({ rounds: 3 })
    const own = saidBy(rounds.at(-1)!.model, left, 0.9)
    const refused = (changed: typeof own) => expect(lookerOn(store).about(changed)).rejects
    await refused(own.slice(1)).toThrow(
      `predictions: one for every point without an answer is required, got none for "${left[0]}"`,
    )
    await refused([...own, own[0]!]).toThrow(`predictions: one for each point is required, got two for "${left[0]}"`)
    await refused([...own, { id: 'q1', label: 'no', confidence: 1 }]).toThrow(
      'one of a point of the pool is required, got one for "q1"',
    )
    await refused([{ ...own[0]!, label: 'maybe' }, ...own.slice(1)]).toThrow('one of no, yes is required, got "maybe"')
    await refused([{ ...own[0]!, confidence: 90 }, ...own.slice(1)]).toThrow('a confidence in [0, 1] is required, got 90')
    const [{ id, label }, ...others] = own as [(typeof own)[0], ...typeof own]
    await refused([{ id, label }, ...others]).toThrow(
      `a confidence for all or for none is required, got ${own.length - 1} for ${own.length}`,
    )
  })

  it('say nothing where no model was scored by draws, and are refused where models are columns', async () => {
    const store = memoryStore()
    await all(planWith({ store, budget: 20 }))
    expect(await lookerOn(store).about([])).toBeNull()
  })
})

it('rests nothing on rounds in which some point could not be drawn, but counts their answers', async () => {
  const none: Ingredient = { name: 'none of some', value: ({ probabilities }) => (probabilities[1]! < 0.2 ? 0 : 1) }
  const store = memoryStore()
  const partial: Strategy = { ...strategies.uniform, name: 'partial', mass: pure(none) }
  const rounds = await all(planWith({ store, strategy: partial, rounds: 6 }))
  expect(rounds.slice(2).every(({ survey }) => survey.smallestMass === 0)).toBe(true)
  expect(rounds.at(-1)!.now).toBeNull()
  const later = await all(planWith({ store, rounds: 14 }))
  const { now, model } = later.at(-1)!
  expect(now!.answers).toBe(20 + 10 * 8)
  const { limits, points } = await byHand(store, model, ({ survey }) => survey.smallestMass > 0)
  expect([now!.low, now!.high]).toEqual([limits.low / points, limits.high / points])
})
