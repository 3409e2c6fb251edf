import { describe, expect, it } from 'vitest'
import { dense, type FeatureRows } from '../../src/core/features.ts'
import { type LinearModel, linearModel, type Model, predictedClass, scorerOf } from '../../src/core/model.ts'
import type { Now } from '../../src/core/now.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { importLabels } from '../../src/import-labels.ts'
import type { Learner } from '../../src/learners/learner.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn, type Round } from '../../src/loop.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { running } from '../../src/running/running.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import type { Strategy } from '../../src/strategies/strategy.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

const [size, columns] = [400, 4]
const classes = ['no', 'yes']
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const rowOf = new Map(ids.map((id, row) => [id, row]))
type Truth = Map<string, Label>

interface Pool {
  readonly features: FeatureRows
  readonly truth: Truth
}

/** Three features, and a trace of the answer in half of the points, too faint to learn by: models can be made wrong with it on purpose. */
function plainPool(seed: number): Pool {
  const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(seed, 'feature', `${k}`) - 1)
  const isYes = (i: number) => values[i * columns]! - values[i * columns + 1]! + 0.8 * (uniform(seed, 'noise', ids[i]!) - 0.5) > 0
  const truth: Truth = new Map(ids.map((id, i) => [id, isYes(i) ? 'yes' : 'no']))
  for (let i = 0; i < size; i++) values[i * columns + 3] = uniform(seed, 'half', ids[i]!) < 0.5 ? (isYes(i) ? trace : -trace) : 0
  return { features: dense(values, columns), truth }
}

const trace = 1e-4
/** Wrong about every point that has a trace of its answer. */
const spoiled = (model: LinearModel) => linearModel({ ...model, weights: [[...model.weights[0]!.slice(0, 3), -1e3 / trace]] })
const overconfident = (model: LinearModel) =>
  linearModel({ ...model, weights: [model.weights[0]!.map((w) => 30 * w)], intercepts: [30 * model.intercepts[0]!] })

/** A learner whose models are changed after they were fitted. `n`: labels. */
function changed(change: (model: LinearModel, n: number) => LinearModel): Learner {
  const plain = logisticLearner()
  return {
    ...plain,
    fit: async (training, names) => change(await plain.fit(training, names), training.labels.length),
  }
}

/** Every point is a feature of its own. */
function namedPool(seed: number): Pool {
  const values = new Float32Array(size * size)
  for (let i = 0; i < size; i++) values[i * size + i] = 1
  return { features: dense(values, size), truth: new Map(ids.map((id) => [id, uniform(seed, 'coin', id) < 0.5 ? 'yes' : 'no'])) }
}

/** Right about what it was told, and guesses the rest. */
const memoriser: Learner = {
  ...logisticLearner(),
  async fit({ features, labels }, names) {
    const weights = Float64Array.from(ids, (id) => 2 * Math.round(uniform(5, 'guess', id)) - 1)
    for (const [row, label] of labels.entries()) features.addInPlace(row, label === 1 ? 20 : -20, weights)
    return linearModel({ loss: 'logistic', classes: names, weights: [[...weights]], intercepts: [0] })
  },
}

interface Case {
  readonly pool?: (seed: number) => Pool
  readonly learner?: Learner
  readonly strategy?: Strategy
  /** Labels that are given after five rounds. */
  readonly given?: (id: string, label: Label) => boolean
  /** After five rounds, answers that were wrong until then are put right. */
  readonly isRevised?: (id: string, seed: number) => boolean
  readonly engine?: (engine: Engine) => Engine
  /** The interval, where it is not the one of the round. */
  readonly look?: (round: Round, store: Store, engine: Engine) => Promise<Now | null>
}

const { suited: _, ...byScoresAlone } = strategies.alis // in a small pool it would spend its time on matrices

/** Whether the interval after any round leaves out the errors of its model on the points without an answer. */
async function isMissed(k: number, each: Case): Promise<boolean> {
  const seed = firstSeed + k
  const { pool = plainPool, learner = logisticLearner(), strategy = byScoresAlone, given, isRevised, look } = each
  const { features, truth } = pool(seed)
  const store = memoryStore()
  const open = () => (each.engine ?? ((engine: Engine) => engine))(memoryEngine({ ids, features }))
  const other = (label: Label) => (label === 'yes' ? 'no' : 'yes')
  const told: Truth = new Map([...truth].map(([id, label]) => [id, isRevised?.(id, seed) ? other(label) : label]))
  const known = new Set<string>()

  const misses = async (rounds: number, answers: Truth) => {
    const engine = open()
    const plan = { store, engine, oracle: columnOracle(answers), learner, strategy, classes, seed, start: 20, batch: 20, rounds }
    for await (const round of learn(plan)) {
      for (const { id } of round.draws) known.add(id)
      const now = look ? await look(round, store, engine) : round.now
      if (now && isOutside(now, shares(round.model)) && (!isRevised || answers === truth)) return true
    }
    return false
  }
  /** Errors, "cannot tell" as one of every model behind the upper limit, and of none behind the lower. */
  const shares = (model: Model) => {
    const scores = new Float64Array(1)
    const left = ids.filter((id) => !known.has(id))
    const isWrong = (id: string) => {
      scorerOf(model)(features, rowOf.get(id)!, scores)
      return classes[predictedClass(scores)] !== truth.get(id)
    }
    const wrong = left.filter(isWrong)
    return { least: wrong.filter((id) => truth.get(id) !== null).length / left.length, most: wrong.length / left.length }
  }

  if (await misses(5, told)) return true
  if (isRevised)
    for (const { round, draws } of await store.rounds())
      for (const { id } of draws) if (told.get(id) !== truth.get(id)) await store.revise(round, id, truth.get(id)!)
  if (given) {
    const labels = new Map([...truth].filter(([id, label]) => !known.has(id) && given(id, label)))
    await importLabels({ engine: open(), store, classes, seed, labels })
    for (const id of labels.keys()) known.add(id)
  }
  return misses(8, truth)
}

const isOutside = (now: { low: number; high: number }, { least, most }: { least: number; most: number }) =>
  least < now.low - 1e-12 || most > now.high + 1e-12

/** The plain pool with other answers. */
const answering = (change: (label: Label, id: string, seed: number, pool: Pool) => Label) => (seed: number) => {
  const pool = plainPool(seed)
  for (const [id, label] of pool.truth) pool.truth.set(id, change(label, id, seed, pool))
  return pool
}
const flipped = (share: number) =>
  answering((label, id, seed) => (uniform(seed, 'flip', id) < share ? (label === 'yes' ? 'no' : 'yes') : label))
/** Answers cannot be told where the best rule is wrong: what is missing is what models get wrong. */
const missingWhereHard = answering((label, id, _seed, { features }) => {
  const isYes = features.dot(rowOf.get(id)!, Float64Array.of(1, -1, 0, 0)) > 0
  return isYes === (label === 'yes') ? label : null
})

const cases: [string, Case][] = [
  ['an ordinary pool', {}],
  ['models that are spoiled after 100 labels', { learner: changed((model, n) => (n >= 100 ? spoiled(model) : model)) }],
  ['every second model spoiled', { learner: changed((model, n) => (n % 40 === 0 ? spoiled(model) : model)) }],
  ['overconfident models', { learner: changed(overconfident) }],
  ['a learner that memorises', { pool: namedPool, learner: memoriser }],
  ['a fifth of the labels flipped', { pool: flipped(0.2) }],
  ['labels that are noise', { pool: flipped(0.5) }],
  ['cannot tell for a tenth', { pool: answering((label, id, seed) => (uniform(seed, 'untold', id) < 0.1 ? null : label)) }],
  ['cannot tell on every error of the best rule', { pool: missingWhereHard }],
  ['many labels of one class given in mid-run', { given: (id, label) => label === 'yes' && uniform(1, 'given', id) < 0.4 }],
  ['answers that were wrong, and revised', { isRevised: (id, seed) => uniform(seed, 'slip', id) < 0.15 }],
  ['independent draws', { strategy: { ...strategies.paper, trainsOn: 'all' } }],
]

describe('the interval of no round leaves the truth out, in 95 of 100 runs', () => {
  it.each(cases)('%s', async (_, each) => {
    expect(await judged((k) => isMissed(k, each))).toBe('as promised')
  })
})

/** Takes no notice of the points on which models differ. */
const blind = (engine: Engine): Engine => ({
  ...engine,
  async compare(request, signal) {
    const comparison = await engine.compare(request, signal)
    return { ...comparison, differing: comparison.differing.map(() => 0) }
  },
})

/** Scores the answers of each round by the model that has learned from them. */
async function leaking({ model }: Round, store: Store, engine: Engine): Promise<Now | null> {
  const rounds = await store.rounds()
  const after = new Map(rounds.slice(1).map(({ model: id }, k) => [id, rounds[k + 2]?.model]))
  const next = async (id: string) => (after.get(id) === undefined ? model : store.model(after.get(id)!))
  return running({ record: { rounds: store.rounds, model: next }, engine, loss: logistic, classes }).look(model)
}

describe('broken twins miss in most runs:', () => {
  const twins: [string, Case][] = [
    ['drift ignored, models spoiled at last', { learner: cases[1]![1].learner!, engine: blind }],
    ['drift ignored, every second model spoiled', { learner: cases[2]![1].learner!, engine: blind }],
    ['answers scored by the model that has learned them', { pool: namedPool, learner: memoriser, look: leaking }],
  ]
  it.each(twins)('%s', async (_, twin) => {
    expect(await judged((k) => isMissed(k, twin), { caught: 0.5 })).toBe('misses too often')
  })
})

/** Predictions from elsewhere, most of them made with all the answers there are at the time of the look. */
const elsewhere: Record<string, (known: ReadonlySet<string>, pool: Pool, seed: number) => (id: string) => string> = {
  'right about every answer, wrong about the rest':
    (known, { truth }) =>
    (id) =>
      known.has(id) ? right(truth, id) : wrong(truth, id),
  'right about every answer, guesses the rest':
    (known, { truth }, seed) =>
    (id) =>
      known.has(id) || uniform(seed, 'luck', id) < 0.5 ? right(truth, id) : wrong(truth, id),
  'trained on other labels':
    (_, { features }) =>
    (id) =>
      features.dot(rowOf.get(id)!, Float64Array.of(1, -0.6, 0.2, 0)) > 0.1 ? 'yes' : 'no',
  constant: () => () => 'yes',
  'always right':
    (_, { truth }) =>
    (id) =>
      right(truth, id),
}
const right = (truth: Truth, id: string) => truth.get(id) ?? 'yes'
const wrong = (truth: Truth, id: string) => (truth.get(id) === 'yes' ? 'no' : 'yes')

/** Whether at any look the interval of any of them leaves its error on the points without an answer out. `isBlind`: as if all models agreed with it. */
async function isElsewhereMissed(k: number, isBlind = false): Promise<boolean> {
  const seed = firstSeed + k
  const pool = plainPool(seed)
  const { features, truth } = pool
  const store = memoryStore()
  const parts = { store, oracle: columnOracle(truth), learner: logisticLearner(), strategy: byScoresAlone, classes, seed }
  const plan = { ...parts, engine: memoryEngine({ ids, features }), start: 20, batch: 20, rounds: 12 }
  let said: (id: string) => string = () => 'yes'
  const engine = memoryEngine({ ids, features })
  const agreeing: Engine = {
    ...engine,
    async *predictions(model, loss) {
      for await (const batch of engine.predictions(model, loss))
        yield batch.map((each) => ({ ...each, label: classes.indexOf(said(each.id)) }))
    },
  }
  const looker = running({ record: store, engine: isBlind ? agreeing : engine, loss: logistic, classes })
  const known = new Set<string>()
  for await (const { round, draws } of learn(plan)) {
    for (const { id } of draws) known.add(id)
    if (round % 4 !== 0) continue
    const left = ids.filter((id) => !known.has(id))
    for (const make of Object.values(elsewhere)) {
      said = make(known, pool, seed)
      const now = await looker.about(ids.map((id) => ({ id, label: said(id) })))
      const share = left.filter((id) => said(id) !== truth.get(id)).length / left.length
      if (now && isOutside(now, { least: share, most: share })) return true
    }
  }
  return false
}

describe('predictions from elsewhere', () => {
  it('are left out of no interval, whichever they are and whenever one looks, in 95 of 100 runs', async () => {
    expect(await judged((k) => isElsewhereMissed(k))).toBe('as promised')
  })

  it('are missed in most runs by a twin that takes no notice of where models differ', async () => {
    expect(await judged((k) => isElsewhereMissed(k, true), { caught: 0.5 })).toBe('misses too often')
  })
})
