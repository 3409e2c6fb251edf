import { audit } from '../../src/audit.ts'
import { dense, type FeatureRows } from '../../src/core/features.ts'
import { type LinearModel, linearModel, type Model, predictedClass, scorerOf } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { drawnIds } from '../../src/core/record.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import type { Learner } from '../../src/learners/learner.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn } from '../../src/loop.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { type QuestionSpec, question } from '../../src/questions/spec.ts'
import type { AuditSubject } from '../../src/questions/subject.ts'
import { modelSubject } from '../../src/running/model-subject.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { strategies } from '../../src/strategies/catalogue.ts'

/** Something to learn and to certify. */
export interface World {
  readonly ids: readonly string[]
  readonly classes: readonly string[]
  readonly truth: ReadonlyMap<string, string>
  readonly learner: Learner
  engine(): Engine
  isWrong(model: Model, id: string): boolean
}

/** How a certificate begins: from 1 with uniform draws; from 1 with the confidences that learning has measured; from what its answers say. */
export type Start = 'anew' | 'calibrated' | 'carried'

/** Learns from so many labels. What models expect is left unlooked at: it is most of the work, and no draw depends on it. */
export async function learned(world: World, seed: number, { labels, batch = 10 }: { labels: number; batch?: number }) {
  const store = memoryStore()
  const { suited: _, ...byScoresAlone } = strategies.alis
  const { learner, classes, truth } = world
  const engine: Engine = {
    ...world.engine(),
    compare: async ({ earlier }) => ({ points: 0, predictedError: 0, differing: earlier.map(() => 0) }),
  }
  const plan = {
    engine,
    store,
    oracle: columnOracle(truth),
    learner,
    classes,
    strategy: byScoresAlone,
    seed,
    start: batch,
    batch,
  }
  for await (const _ of learn({ ...plan, budget: labels }));
  return store
}

/** The same record to go on with, while the other stays as it is. */
async function branched(store: Store): Promise<Store> {
  const copy = memoryStore()
  const rounds = await store.rounds()
  const [first] = rounds
  await copy.begin({ seed: 0, seedChosen: true, classes: [], poolSize: first!.survey.points })
  for (const { answers, revisions: _, isClosed: __, ...opening } of rounds) {
    await copy.openRound(opening)
    for (const [id, label] of answers) await copy.answer(opening.round, id, label)
    await copy.closeRound(opening.round)
  }
  for (const { model, round } of await store.models()) await copy.keepModel(model, round)
  return { ...copy, begin: async () => {} }
}

export interface Certifying {
  readonly start: Start
  readonly tolerance?: number
  readonly budget: number
  readonly batch?: number
  readonly questions?: readonly QuestionSpec[]
  /** The pool as it is compared. */
  readonly engine?: (engine: Engine) => Engine
}

/** Certifies the last model of a record. `isMissed`: whether some interval on the way left the truth out. */
export async function certified(world: World, store: Store, seed: number, options: Certifying) {
  const { start, tolerance, budget, batch = 10, questions = [question('error')] } = options
  const { model } = (await store.models()).at(-1)!
  const engine = (options.engine ?? ((each: Engine) => each))(world.engine())
  const known = new Set((await store.rounds()).flatMap(drawnIds))
  const left = world.ids.filter((id) => !known.has(id))
  const error = left.filter((id) => world.isWrong(model, id)).length / left.length
  const subject = startedFrom(modelSubject(engine, model), start)
  const plan = { subject, store: await branched(store), oracle: columnOracle(world.truth), questions, seed, budget, batch }
  let [answers, isMissed, isReached] = [0, false, false]
  for await (const round of audit({ ...plan, ...(tolerance !== undefined && { tolerance }) })) {
    for (const { question, low, high } of round.questions) {
      const truth = question.metric === 'accuracy' ? 1 - error : error
      isMissed ||= truth < low! - 1e-12 || truth > high! + 1e-12
    }
    answers = round.answered
    isReached = round.isReached
  }
  return { answers, error, isMissed, isReached }
}

function startedFrom({ learned, ...subject }: AuditSubject, start: Start): AuditSubject {
  if (start === 'anew') return subject
  return {
    ...subject,
    async learned(record) {
      const found = await learned!(record)
      if (!found || start === 'carried') return found
      const { calibrating } = found.rules
      return { ...found, rules: { calibrating } }
    },
  }
}

const [size, columns] = [400, 4]
const trace = 1e-4

/** Models that are changed after they were fitted. `n`: labels. */
function changed(change: (model: LinearModel, n: number) => LinearModel): Learner {
  const plain = logisticLearner()
  return { ...plain, fit: async (training, names) => change(await plain.fit(training, names), training.labels.length) }
}

const spoiled = (model: LinearModel) => linearModel({ ...model, weights: [[...model.weights[0]!.slice(0, 3), -1e3 / trace]] })
const overconfident = (model: LinearModel) =>
  linearModel({ ...model, weights: [model.weights[0]!.map((w) => 30 * w)], intercepts: [30 * model.intercepts[0]!] })

/** Learners for a pool of three features and a trace of the answer in half of the points, too faint to learn by. */
export const learners = {
  ordinary: logisticLearner(),
  overconfident: changed(overconfident),
  /** Good until the last rounds: then wrong about every point that has a trace of its answer. */
  'spoiled at last': changed((model, n) => (n >= 140 ? spoiled(model) : model)),
  'every second spoiled': changed((model, n) => (n % 40 === 0 ? spoiled(model) : model)),
} satisfies Record<string, Learner>

/** A pool that is made for a seed. */
export function madeWorld(seed: number, learner: Learner): World {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(seed, 'feature', `${k}`) - 1)
  const isYes = (i: number) => values[i * columns]! - values[i * columns + 1]! + 0.8 * (uniform(seed, 'noise', ids[i]!) - 0.5) > 0
  const truth = new Map(ids.map((id, i) => [id, isYes(i) ? 'yes' : 'no']))
  for (let i = 0; i < size; i++) values[i * columns + 3] = uniform(seed, 'half', ids[i]!) < 0.5 ? (isYes(i) ? trace : -trace) : 0
  return worldOf({ ids, features: dense(values, columns), truth, classes: ['no', 'yes'], learner })
}

export function worldOf({ features, ...world }: Omit<World, 'engine' | 'isWrong'> & { readonly features: FeatureRows }): World {
  const { ids, classes, truth } = world
  const rows = new Map(ids.map((id, row) => [id, row]))
  return {
    ...world,
    engine: () => memoryEngine({ ids, features }),
    isWrong(model, id) {
      const scores = new Float64Array(Math.max(1, classes.length))
      scorerOf(model)(features, rows.get(id)!, scores)
      return classes[predictedClass(classes.length === 2 ? scores.subarray(0, 1) : scores)] !== truth.get(id)
    },
  }
}

/** Takes no notice of the points on which models differ. */
export const blind = (engine: Engine): Engine => ({
  ...engine,
  async compare(request, signal) {
    const comparison = await engine.compare(request, signal)
    return { ...comparison, differing: comparison.differing.map(() => 0) }
  },
})
