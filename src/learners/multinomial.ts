import { requireInput } from '../core/errors.ts'
import { blankModel } from '../core/model.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { directSolver } from './direct-solver.ts'
import type { Learner, LearnerOptions, TrainingSet } from './learner.ts'
import type { RidgeProblem } from './newton.ts'
import { solveRows } from './short-rows.ts'
import { addRowsInPlace, bentRows, blocksOf, modelOf, projectRows, requireL2, requireTraining, toleranceOf } from './training.ts'

/**
 * Multinomial logistic regression for K ≥ 3 classes:  ℓ(k, z) = log Σⱼ exp(zⱼ) − zₖ.   @see docs/equations.md#training
 *
 * Every class has its own weights under the same penalty, so no class is the reference one; a class that has not been
 * seen gets a low score, not −∞.
 */
export function multinomialLearner(options: LearnerOptions = {}): Learner {
  const l2 = requireL2('multinomial', options)
  return {
    name: 'multinomial',
    loss: crossEntropy,
    l2,
    fit(training, classes, previous) {
      const count = classes.length
      requireInput(count >= 3, `multinomial: there must be at least 3 classes, got ${count}`, 'Use logistic for two.')
      requireTraining('multinomial', training, count)
      if (training.labels.length === 0) return blankModel(crossEntropy.name, classes, training.features.columns)
      const parameters = solveRows(
        training.features,
        count,
        (features) => softmaxProblem({ ...training, features }, count, l2),
        previous,
      )
      return modelOf(crossEntropy.name, classes, blocksOf(parameters, count))
    },
  }
}

/**
 * φ(z) = Σᵢ wᵢ ℓ(yᵢ, zᵢ),  K scores a row, side by side; the parameters are K blocks (β, b/10), one a class.
 *
 *   ∂φ/∂zᵢₖ = wᵢ (Pᵢₖ − [yᵢ = k])        φ″d is, row by row,  wᵢ Pᵢₖ (dᵢₖ − Σⱼ Pᵢⱼ dᵢⱼ)
 */
function softmaxProblem(training: TrainingSet, count: number, l2: number): RidgeProblem {
  const { features, labels, weights } = training
  const { rows, columns } = features
  const shares = new Float64Array(rows * count)
  const own = new Float64Array(rows * count)
  return {
    parameters: count * (columns + 1),
    scores: rows * count,
    l2,
    ...toleranceOf(training),
    project(point, scores) {
      projectRows(features, blocksOf(point, count), scores)
    },
    addBackInPlace(scores, point) {
      addRowsInPlace(features, scores, blocksOf(point, count))
    },
    value(scores) {
      let sum = 0
      for (let i = 0; i < rows; i++) {
        sum += weights[i]! * crossEntropy.value(labels[i]!, scores.subarray(i * count, (i + 1) * count))
      }
      return sum
    },
    slopes(scores, slopes) {
      softmaxRows(scores, shares, count)
      for (let i = 0, at = 0; i < rows; i++) {
        for (let k = 0; k < count; k++, at++) {
          own[at] = weights[i]! * shares[at]!
          slopes[at] = k === labels[i] ? own[at]! - weights[i]! : own[at]!
        }
      }
    },
    curvature: (mayBeRough) => bentRows(features, { own, shares }, mayBeRough),
    preconditioner: directSolver(features, { own, shares }, l2),
  }
}

/** Pₖ = exp(zₖ) / Σⱼ exp(zⱼ),  row by row, with the largest score taken out first so that nothing overflows. */
function softmaxRows(scores: Float64Array, into: Float64Array, count: number): void {
  for (let start = 0; start < scores.length; start += count) {
    let most = Number.NEGATIVE_INFINITY
    for (let at = start; at < start + count; at++) most = Math.max(most, scores[at]!)
    let total = 0
    for (let at = start; at < start + count; at++) total += into[at] = Math.exp(scores[at]! - most)
    for (let at = start; at < start + count; at++) into[at]! /= total
  }
}
