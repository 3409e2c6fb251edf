import { emptyBelief, type Reader } from '../core/belief.ts'
import { type LearnedModel, predictedClass, scorerOf } from '../core/model.ts'
import { clip } from '../core/numbers.ts'
import { uniform } from '../core/randomness.ts'
import type { Learner, TrainingSet } from './learner.ts'

/** Parts that labels are divided into: each is predicted by what was learned from the others. */
const folds = 5

/** What scores of labels that a model has not seen come to. */
export interface Validation {
  readonly error: number
  /** With scores multiplied by `scale`, the best of all. */
  readonly logLoss: number
  readonly scale: number
}

/** How well a learner predicts labels at hand that it has not seen.   @see docs/equations.md#choice */
export async function validate(
  learner: Learner<LearnedModel>,
  training: TrainingSet,
  classes: readonly string[],
): Promise<Validation> {
  return judged(await unseenScores(learner, training, classes), training, classes, learner.loss)
}

/** What scores of all labels, side by side, come to. */
export function judged(scores: Float64Array, { labels }: TrainingSet, classes: readonly string[], loss: Reader): Validation {
  const width = scores.length / labels.length
  const at = (row: number, scale: number) => scores.subarray(row * width, (row + 1) * width).map((score) => scale * score)
  const wrong = labels.filter((label, row) => predictedClass(at(row, 1)) !== label).length
  const belief = emptyBelief(classes.length)
  const logLoss = (scale: number) => {
    let sum = 0
    for (const [row, label] of labels.entries()) {
      loss.read(at(row, scale), belief)
      sum -= Math.log(Math.max(belief.probabilities[label]!, leastChance))
    }
    return sum / labels.length
  }
  const scale = bestScale(logLoss, labels.length)
  return { error: wrong / labels.length, logLoss: logLoss(scale), scale }
}

const leastChance = 1e-9

/** Scores of every row by a model of the other folds. */
export async function unseenScores(
  learner: Learner<LearnedModel>,
  training: TrainingSet,
  classes: readonly string[],
): Promise<Float64Array> {
  const { features, labels } = training
  const width = classes.length === 2 ? 1 : classes.length
  const fold = foldsOf(training)
  const scores = new Float64Array(labels.length * width)
  let model: LearnedModel | undefined
  for (let out = 0; out < folds; out++) {
    const seen = subset(training, (row) => fold[row] !== out)
    model = await learner.fit(seen, classes, model) // starts at that of the fold before, which is not far
    const score = scorerOf(model)
    for (let row = 0; row < labels.length; row++) if (fold[row] === out) score(features, row, scores, row * width)
  }
  return scores
}

/** The fold of every row: by its id, where there are ids, so that a point that was drawn twice is in one. */
function foldsOf({ labels, ids }: TrainingSet): Int32Array {
  return Int32Array.from(labels, (_, row) => Math.ceil(folds * uniform(0, 'folds', ids?.[row] ?? `${row}`)) - 1)
}

function subset({ features, labels, weights }: TrainingSet, isWanted: (row: number) => boolean): TrainingSet {
  const rows = Array.from(labels.keys()).filter(isWanted)
  return {
    features: features.select(rows),
    labels: rows.map((row) => labels[row]!),
    weights: rows.map((row) => weights[row]!),
    isTrial: true,
  }
}

/** Tenths of a doubling that scores are multiplied by, at most. */
const mostSteps = 30

/**
 * The factor with the least log-loss, drawn to 1 as if some labels more had been right about it: a convex function of it, so that going downhill from 1
 * finds it.
 */
function bestScale(logLoss: (scale: number) => number, labels: number): number {
  const valueAt = (step: number) => logLoss(2 ** (step / 10)) + (step / 10) ** 2 / labels
  let [best, value] = [0, valueAt(0)]
  for (const direction of [1, -1])
    for (let step = direction; Math.abs(step) <= mostSteps; step += direction) {
      const found = valueAt(step)
      if (found >= value) break
      ;[best, value] = [step, found]
    }
  return clip(2 ** (best / 10), 2 ** -3, 2 ** 3)
}
