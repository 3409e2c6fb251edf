import { requireInput } from '../core/errors.ts'
import { type FeatureRows, INTERCEPT_COLUMN, type RowCurvatures } from '../core/features.ts'
import { type LinearModel, linearModel, type Model } from '../core/model.ts'
import type { LearnerOptions, TrainingSet } from './learner.ts'

/** The λ of the options, which must be positive: it is what makes the best model unique. */
export function requireL2(learner: string, { l2 = 1 }: LearnerOptions): number {
  requireInput(l2 > 0 && Number.isFinite(l2), `${learner}: l2 must be a positive number, got ${l2}`)
  return l2
}

/** How well the best model has to be met for a trial: errors and log-loss are then the same to three digits. */
const trialTolerance = 1e-3

export const toleranceOf = ({ isTrial }: TrainingSet) => (isTrial ? { tolerance: trialTolerance } : {})

/** Refuses labels, weights and features that no model could be fitted to. */
export function requireTraining(learner: string, { features, labels, weights }: TrainingSet, classes: number): void {
  const { rows, columns } = features
  requireInput(labels.length === rows, `${learner}: every row needs one label, got ${labels.length} for ${rows} rows`)
  requireInput(weights.length === rows, `${learner}: every row needs one weight, got ${weights.length} for ${rows} rows`)
  // 0 · NaN and 0 · ∞ are both NaN
  const zeros = new Float64Array(rows)
  projectRows(features, [new Float64Array(columns + 1)], zeros)
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
    requireInput(zeros[i] === 0, `${learner}: features must be finite numbers, got one that is not in row ${i}`)
  }
}

/** scores[iK + k] ← xᵢ·βₖ + 10vₖ  for K blocks (βₖ, vₖ) of parameters */
export function projectRows(features: FeatureRows, blocks: readonly Float64Array[], scores: Float64Array): void {
  const { rows, columns, algebra } = features
  if (algebra) {
    algebra.project(blocks, scores)
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
  const { rows, columns, algebra } = features
  if (algebra) {
    algebra.addInPlace(scores, blocks)
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

/** The map  bent ← Aᵀφ″A · direction  for A the rows (xᵢ, 10) and K blocks of parameters; rough where it may be and kernels are quick at that. */
export function bentRows(
  features: FeatureRows,
  curvatures: RowCurvatures,
  mayBeRough: boolean,
): (direction: Float64Array, bent: Float64Array) => void {
  const { algebra, rows } = features
  const count = curvatures.own.length / rows
  const rough = mayBeRough ? algebra?.bend?.(curvatures) : undefined
  if (rough)
    return (direction, bent) => {
      const blocks = blocksOf(bent, count)
      rough(blocksOf(direction, count), blocks)
      if (count > 1) takeOutMean(blocks) // there is none, but for what floats leave
    }
  const scores = new Float64Array(rows * count)
  return (direction, bent) => {
    projectRows(features, blocksOf(direction, count), scores)
    bendInPlace(curvatures, scores, count)
    bent.fill(0)
    addRowsInPlace(features, scores, blocksOf(bent, count))
  }
}

/** scores ← φ″ · scores */
function bendInPlace({ own, shares }: RowCurvatures, scores: Float64Array, count: number): void {
  for (let start = 0; start < scores.length; start += count) {
    let mean = 0
    if (shares) for (let at = start; at < start + count; at++) mean += shares[at]! * scores[at]!
    for (let at = start; at < start + count; at++) scores[at] = own[at]! * (scores[at]! - mean)
  }
}

/** Takes out what all blocks have in common: the mean of their entries in each place. */
export function takeOutMean(blocks: readonly Float64Array[]): void {
  const size = blocks[0]!.length
  for (let j = 0; j < size; j++) {
    let sum = 0
    for (let k = 0; k < blocks.length; k++) sum += blocks[k]![j]!
    for (let k = 0; k < blocks.length; k++) blocks[k]![j]! -= sum / blocks.length
  }
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

/** The parameters of a model, side by side; none if it is no model of these rows. */
export function parametersOf(model: Model | undefined, { columns }: FeatureRows, count: number): Float64Array | undefined {
  if (model?.kind !== 'linear' || model.weights.length !== count) return undefined
  if (model.weights.some((row) => row.length !== columns)) return undefined
  return Float64Array.from(model.weights.flatMap((row, k) => [...row, model.intercepts[k]! / INTERCEPT_COLUMN]))
}
