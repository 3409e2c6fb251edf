import { type LinearModel, linearModel } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { learnerFor } from '../../src/learners/catalogue.ts'
import type { Learner } from '../../src/learners/learner.ts'
import { type KnownPool, trace } from './known-pool.ts'

/** A learner over a pool, for a seed. */
export type MakeLearner = (pool: KnownPool, seed: number) => Learner

export const plain: MakeLearner = ({ classes }) => learnerFor('logistic', classes.length, 1)

/** Its models are changed after they were fitted. `n`: labels. */
const changed =
  (change: (model: LinearModel, n: number) => LinearModel): MakeLearner =>
  (pool, seed) => {
    const learner = plain(pool, seed)
    return {
      ...learner,
      fit: async (training, classes) => change((await learner.fit(training, classes)) as LinearModel, training.labels.length),
    }
  }

/** Wrong about every point that has a trace of its answer. Of pools with a trace and two classes. */
const spoil = (model: LinearModel) => linearModel({ ...model, weights: [[...model.weights[0]!.slice(0, -1), -1e3 / trace]] })

export const spoiledFrom = (labels: number) => changed((model, n) => (n >= labels ? spoil(model) : model))
export const everySecondSpoiled = changed((model, n) => (n % 20 === 0 ? spoil(model) : model))
export const overconfident = changed((model) =>
  linearModel({
    ...model,
    weights: model.weights.map((row) => row.map((w) => 10 * w)),
    intercepts: model.intercepts.map((w) => 10 * w),
  }),
)

/** Predicts by lot: the same for good, or anew every round. Of two classes. */
const guessing =
  (isAnew: boolean): MakeLearner =>
  (pool, seed) => ({
    ...plain(pool, seed),
    fit({ labels }, classes) {
      const stream = `guess/${isAnew ? labels.length : 'for good'}`
      const weights = Array.from({ length: pool.features.columns }, (_, j) => uniform(seed, stream, `${j}`) - 0.5)
      return linearModel({ loss: 'logistic', classes, weights: [weights], intercepts: [0] })
    },
  })

export const guessingForGood = guessing(false)
export const guessingAnew = guessing(true)

/** Right about what it was told, and guesses the rest. Of pools in which every point is a feature of its own. */
export const memoriser: MakeLearner = (pool, seed) => ({
  ...plain(pool, seed),
  fit({ features, labels }, classes) {
    const weights = Float64Array.from(pool.ids, (id) => 2 * Math.round(uniform(seed, 'guess', id)) - 1)
    for (const [row, label] of labels.entries()) features.addInPlace(row, label === 1 ? 20 : -20, weights)
    return linearModel({ loss: 'logistic', classes, weights: [[...weights]], intercepts: [0] })
  },
})
