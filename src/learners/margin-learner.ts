import { requireInput } from '../core/errors.ts'
import { blankModel } from '../core/model.ts'
import type { Loss } from '../losses/loss.ts'
import { directSolver } from './direct-solver.ts'
import type { Learner, LearnerOptions, TrainingSet } from './learner.ts'
import type { RidgeProblem } from './newton.ts'
import { sampledMinimum } from './sampled-solver.ts'
import { solveRows } from './short-rows.ts'
import { addRowsInPlace, bentRows, modelOf, projectRows, requireL2, requireTraining } from './training.ts'

/** A loss for two classes that Newton's method can minimise. */
export interface CurvedLoss {
  readonly loss: Loss
  /** ∂²ℓ/∂z²,  where ∂ℓ/∂z is `slope` */
  curvature(label: number, score: number, slope: number): number
  /** max ∂²ℓ/∂z² */
  readonly largestCurvature: number
  /** ∂²ℓ/∂z² is a constant. */
  readonly isQuadratic?: boolean
}

export interface MarginOptions extends LearnerOptions {
  /** How the best model is found; it is the same. `sampled` needs no more memory than the rows. Default `newton`. */
  readonly solver?: 'newton' | 'sampled'
}

/** A learner for two classes: position 0 is y = −1, position 1 is y = +1. */
export function marginLearner(curved: CurvedLoss, options: MarginOptions): Learner {
  const { loss } = curved
  const { solver = 'newton' } = options
  const l2 = requireL2(loss.name, options)
  return {
    name: loss.name,
    loss,
    l2,
    fit(training, classes, previous) {
      requireInput(classes.length === 2, `${loss.name}: there must be 2 classes, got ${classes.length}`)
      requireTraining(loss.name, training, 2)
      if (training.labels.length === 0) return blankModel(loss.name, classes, training.features.columns)
      const parameters =
        solver === 'sampled'
          ? sampledMinimum(curved, training, l2).parameters
          : solveRows(training.features, 1, (features) => marginProblem(curved, { ...training, features }, l2), previous)
      return modelOf(loss.name, classes, [parameters])
    },
  }
}

/** φ(z) = Σᵢ wᵢ ℓ(yᵢ, zᵢ),  one score a row */
function marginProblem({ loss, curvature, isQuadratic = false }: CurvedLoss, training: TrainingSet, l2: number): RidgeProblem {
  const { features, labels, weights } = training
  const signs = Float64Array.from(labels, (label) => 2 * label - 1)
  const own = new Float64Array(features.rows)
  return {
    parameters: features.columns + 1,
    scores: features.rows,
    l2,
    isQuadratic,
    project: (point, scores) => projectRows(features, [point], scores),
    addBackInPlace: (scores, point) => addRowsInPlace(features, scores, [point]),
    value(scores) {
      let sum = 0
      for (let i = 0; i < scores.length; i++) sum += weights[i]! * loss.value(signs[i]!, scores[i]!)
      return sum
    },
    slopes(scores, slopes) {
      for (let i = 0; i < slopes.length; i++) {
        const slope = loss.slope(signs[i]!, scores[i]!)
        slopes[i] = weights[i]! * slope
        own[i] = weights[i]! * curvature(signs[i]!, scores[i]!, slope)
      }
    },
    curvature: (mayBeRough) => bentRows(features, { own }, mayBeRough),
    preconditioner: directSolver(features, { own }, l2),
  }
}
