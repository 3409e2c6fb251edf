import { requireInput } from '../core/errors.ts'
import { blankModel } from '../core/model.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { directSolver } from './direct-solver.ts'
import type { Learner, LearnerOptions, TrainingSet } from './learner.ts'
import type { Preconditioner, RidgeProblem } from './newton.ts'
import { solveRows } from './short-rows.ts'
import { addRowsInPlace, blocksOf, modelOf, projectRows, requireL2, requireTraining } from './training.ts'

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
    fit(training, classes) {
      const count = classes.length
      requireInput(count >= 3, `multinomial: there must be at least 3 classes, got ${count}`, 'Use logistic for two.')
      requireTraining('multinomial', training, count)
      if (training.labels.length === 0) return blankModel(crossEntropy.name, classes, training.features.columns)
      const parameters = solveRows(training.features, count, (features) => softmaxProblem({ ...training, features }, count, l2))
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
  const probabilities = new Float64Array(rows * count)
  return {
    parameters: count * (columns + 1),
    scores: rows * count,
    l2,
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
      softmaxRows(scores, slopes, count)
      for (let i = 0; i < rows; i++) {
        slopes[i * count + labels[i]!]! -= 1
        for (let at = i * count; at < (i + 1) * count; at++) slopes[at]! *= weights[i]!
      }
    },
    curvature(scores) {
      softmaxRows(scores, probabilities, count)
      return (direction, into) => {
        for (let i = 0; i < rows; i++) {
          const end = (i + 1) * count
          let mean = 0
          for (let at = end - count; at < end; at++) mean += probabilities[at]! * direction[at]!
          for (let at = end - count; at < end; at++) into[at] = weights[i]! * probabilities[at]! * (direction[at]! - mean)
        }
      }
    },
    preconditioner: sharedPreconditioner(training, count, l2),
  }
}

/**
 * One matrix for all classes: row i counts its mean curvature over the K − 1 directions that matter, (1 − Σₖ Pᵢₖ²) / (K − 1).
 */
function sharedPreconditioner({ features, weights }: TrainingSet, count: number, l2: number): Preconditioner {
  const solver = directSolver(features, l2)
  return {
    cost: solver.cost / count, // a pass goes over the rows once for every class
    at(scores) {
      const probabilities = new Float64Array(scores.length)
      softmaxRows(scores, probabilities, count)
      const curvatures = Float64Array.from(weights, (weight, i) => {
        let rest = 1
        for (let at = i * count; at < (i + 1) * count; at++) rest -= probabilities[at]! ** 2
        return (weight * Math.max(rest, 0)) / (count - 1)
      })
      const solve = solver.at(curvatures)
      return (vector) => {
        for (const block of blocksOf(vector, count)) solve(block)
      }
    },
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
