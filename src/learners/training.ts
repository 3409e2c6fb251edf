import { requireInput } from '../core/errors.ts'
import type { FeatureRows } from '../core/features.ts'
import { type LinearModel, linearModel } from '../core/model.ts'
import type { LearnerOptions, TrainingSet } from './learner.ts'

/**
 * The intercept is the weight of one more column that always holds 10: b = 10·v gives the penalty v² = b²/100, so an
 * ordinary ridge on all parameters (β, v) is exactly the penalty ‖β‖² + b²/100.
 */
export const INTERCEPT_COLUMN = 10

/** The λ of the options, which must be positive: it is what makes the best model unique. */
export function requireL2(learner: string, { l2 = 1 }: LearnerOptions): number {
  requireInput(l2 > 0 && Number.isFinite(l2), `${learner}: l2 must be a positive number, got ${l2}`)
  return l2
}

/** Refuses labels, weights and features that no model could be fitted to. */
export function requireTraining(learner: string, { features, labels, weights }: TrainingSet, classes: number): void {
  const { rows, columns } = features
  requireInput(labels.length === rows, `${learner}: every row needs one label, got ${labels.length} for ${rows} rows`)
  requireInput(weights.length === rows, `${learner}: every row needs one weight, got ${weights.length} for ${rows} rows`)
  const zeros = new Float64Array(columns)
  for (let i = 0; i < rows; i++) {
    const label = labels[i]!
    const weight = weights[i]!
    requireInput(
      Number.isInteger(label) && label >= 0 && label < classes,
      `${learner}: a label must be the position of one of ${classes} classes, got ${label} in row ${i}`,
    )
    requireInput(
      weight >= 0 && Number.isFinite(weight),
      `${learner}: a weight must be a number from 0 up, got ${weight} in row ${i}`,
    )
    // 0 · NaN and 0 · ∞ are both NaN
    requireInput(features.dot(i, zeros) === 0, `${learner}: features must be finite numbers, got one that is not in row ${i}`)
  }
}

/** scores[iK + k] ← xᵢ·βₖ + 10vₖ  for K blocks (βₖ, vₖ) of parameters */
export function projectRows(features: FeatureRows, blocks: readonly Float64Array[], scores: Float64Array): void {
  const { rows, columns, whole } = features
  if (whole) {
    whole.project(blocks, scores)
    for (let at = 0; at < scores.length; at++) scores[at]! += INTERCEPT_COLUMN * blocks[at % blocks.length]![columns]!
    return
  }
  let at = 0
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < blocks.length; k++) {
      const block = blocks[k]!
      scores[at++] = features.dot(i, block) + INTERCEPT_COLUMN * block[columns]!
    }
  }
}

/** (βₖ, vₖ) ← (βₖ, vₖ) + Σᵢ scores[iK + k] · (xᵢ, 10)  for each block k */
export function addRowsInPlace(features: FeatureRows, scores: Float64Array, blocks: readonly Float64Array[]): void {
  const { rows, columns, whole } = features
  if (whole) {
    whole.addInPlace(scores, blocks)
    for (let at = 0; at < scores.length; at++) blocks[at % blocks.length]![columns]! += INTERCEPT_COLUMN * scores[at]!
    return
  }
  let at = 0
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < blocks.length; k++) {
      const block = blocks[k]!
      const factor = scores[at++]!
      if (factor === 0) continue // a row beyond the hinge, or of weight 0
      features.addInPlace(i, factor, block)
      block[columns]! += INTERCEPT_COLUMN * factor
    }
  }
}

/** factor · (xᵢ, 10),  written out */
export function writeRow(features: FeatureRows, i: number, factor: number, into: Float64Array): void {
  into.fill(0)
  if (factor === 0) return
  features.addInPlace(i, factor, into)
  into[features.columns] = factor * INTERCEPT_COLUMN
}

/** The K equal parts of a vector, as views. */
export function blocksOf(vector: Float64Array, count: number): Float64Array[] {
  const size = vector.length / count
  return Array.from({ length: count }, (_, k) => vector.subarray(k * size, (k + 1) * size))
}

/** The model of fitted parameters: one (β, v) for each row of weights. */
export function modelOf(loss: string, classes: readonly string[], parameters: readonly Float64Array[]): LinearModel {
  return linearModel({
    loss,
    classes,
    weights: parameters.map((row) => Array.from(row.subarray(0, -1))),
    intercepts: parameters.map((row) => INTERCEPT_COLUMN * row.at(-1)!),
  })
}
