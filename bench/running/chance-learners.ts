import type { FeatureRows } from '../../src/core/features.ts'
import { type LearnedModel, type LinearModel, linearModel } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { treesModel } from '../../src/core/trees-model.ts'
import { blendLearner } from '../../src/learners/blend.ts'
import { learnerFor, learners } from '../../src/learners/catalogue.ts'
import { overLeading } from '../../src/learners/leading-columns.ts'
import type { Learner, TrainingSet } from '../../src/learners/learner.ts'
import { treesLearner } from '../../src/learners/trees.ts'

/** A pool as learners may know it that are out to break limits: with all answers, and its last column the position of each point. */
export interface KnownWorld {
  readonly seed: number
  readonly features: FeatureRows
  readonly classes: readonly string[]
  /** Position of the class of each point, by some rule where the answer is "cannot tell". */
  readonly truth: readonly number[]
}

type MakeLearner = (world: KnownWorld) => Learner<LearnedModel>

/** Of all but the position. */
const unplaced = <M extends LearnedModel>(learner: Learner<M>, { features }: KnownWorld) =>
  overLeading(learner, features.columns - 1)

const linear: MakeLearner = (world) => unplaced(learnerFor('logistic', world.classes.length, 1), world)
const trees: MakeLearner = (world) => unplaced(treesLearner(world.classes.length, { trees: 20 }), world)
const blend: MakeLearner = ({ classes, features }) => {
  const [plain, voting] = [learnerFor('logistic', classes.length, 1), treesLearner(classes.length, { trees: 20 })]
  return blendLearner(overLeading(plain, features.columns - 1), overLeading(voting, features.columns - 1))
}

const auto: MakeLearner = ({ classes, features }) =>
  learners.auto.make({
    loss: 'logistic',
    classes: classes.length,
    l2: 1,
    blocks: { base: features.columns - 3, landmarks: 2, cuts: 0, isSparse: false },
    hasTrees: true,
  })

const timesWeights =
  (factor: number): MakeLearner =>
  (world) => {
    const plain = linear(world)
    const times = (row: readonly number[]) => row.map((weight) => factor * weight)
    return {
      ...plain,
      async fit(training, classes) {
        const model = (await plain.fit(training, classes)) as LinearModel
        return linearModel({
          ...model,
          weights: model.weights.map(times),
          intercepts: factor === 0 ? model.intercepts : times(model.intercepts),
        })
      },
    }
  }

/** Models of another kind every round: weights, trees, both, weights that are far too sure, and one class for all. */
const otherEveryRound: MakeLearner = (world) => {
  const all = [linear, trees, blend, timesWeights(50), timesWeights(0)].map((make) => make(world))
  const fit: Learner<LearnedModel>['fit'] = (training, classes) => all[(training.round ?? 0) % all.length]!.fit(training, classes)
  return { ...all[0]!, fit }
}

/** A model that says of each point what it is told to, and how sure it is of all: a tree with a leaf for every position. */
function saying(classes: readonly string[], width: number, said: readonly number[], confidence: number): LearnedModel {
  const [features, cuts, others]: [number[], number[], number[]] = [[], [], []]
  const grow = (from: number, to: number): void => {
    const node = features.push(to - from > 1 ? width - 1 : -1) - 1
    const middle = (from + to) >> 1
    cuts.push(to - from > 1 ? middle - 0.5 : 0)
    others.push(said[from]!)
    if (to - from === 1) return
    grow(from, middle)
    others[node] = features.length
    grow(middle, to)
  }
  grow(0, said.length)
  const rest = (1 - confidence) / (classes.length - 1)
  const shares = classes.map((_, leaf) => classes.map((_, k) => (k === leaf ? confidence : rest)))
  const loss = classes.length === 2 ? 'logistic' : 'cross-entropy'
  return treesModel({ loss, classes, width, roots: [0], features, cuts, others, shares })
}

/** Predictions that are wrong wherever they are told to be; right on what they have learned from. */
const wrongWhere =
  (isWrong: (row: number, training: TrainingSet, seed: number) => boolean, confidence: (n: number) => number): MakeLearner =>
  ({ seed, features, classes, truth }) => {
    const plain = learnerFor('logistic', classes.length, 1)
    return {
      ...plain,
      fit(training) {
        const learned = new Set(training.labels.map((_, k) => Math.round(training.features.dot(k, positionOf(features.columns)))))
        const said = truth.map((own, row) =>
          !learned.has(row) && isWrong(row, training, seed) ? (own + 1) % classes.length : own,
        )
        return saying(classes, features.columns, said, confidence(training.labels.length))
      },
    }
  }

const positionOf = (columns: number) => Float64Array.from({ length: columns }, (_, j) => (j === columns - 1 ? 1 : 0))
const lot = (seed: number, stream: string, row: number) => uniform(seed, stream, `${row}`)

/** By name; those from `memorises` on know the answers, and use them against the limits. */
export const chanceLearners: Readonly<Record<string, MakeLearner>> = {
  linear,
  auto,
  trees,
  'another kind every round': otherEveryRound,
  memorises: wrongWhere(
    (row, _, seed) => lot(seed, 'guess', row) < 0.5,
    () => 0.99,
  ),
  'good, then rotten': wrongWhere(
    (row, { labels }, seed) => lot(seed, 'rot', row) < (labels.length < 60 ? 0.03 : 0.5),
    () => 0.95,
  ),
  'rots slowly': wrongWhere(
    (row, { labels }, seed) => lot(seed, 'rot', row) < 0.004 * Math.max(0, labels.length - 40),
    () => 0.9,
  ),
  'every second model is wrong': wrongWhere(
    (row, { round = 0 }, seed) => lot(seed, 'half', row) < (round % 2 === 0 ? 0.02 : 0.6),
    () => 0.98,
  ),
  'wrong where it was not asked for long': wrongWhere(
    (row, { labels }, seed) => labels.length > 50 && lot(seed, 'few', row) < 0.2,
    (n) => (n > 50 ? 0.999 : 0.6),
  ),
}
