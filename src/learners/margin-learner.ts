import { requireInput } from '../core/errors.ts'
import { blankModel } from '../core/model.ts'
import { hinge } from '../losses/hinge.ts'
import { logistic } from '../losses/logistic.ts'
import type { LearnableLoss, Loss } from '../losses/loss.ts'
import { squared } from '../losses/squared.ts'
import { squaredHinge } from '../losses/squared-hinge.ts'
import { directSolver } from './direct-solver.ts'
import { hingeMinimum } from './hinge-solver.ts'
import type { Learner, LearnerOptions, TrainingSet } from './learner.ts'
import { minimise, type RidgeProblem } from './newton.ts'
import { sampledMinimum } from './sampled-solver.ts'
import { solveRows } from './short-rows.ts'
import { addRowsInPlace, bentRows, modelOf, projectRows, requireL2, requireTraining, toleranceOf } from './training.ts'

export interface MarginOptions extends LearnerOptions {
  /** How the best model is found; it is the same. `sampled` needs no more memory than the rows. Default `newton`. */
  readonly solver?: 'newton' | 'sampled'
}

/** A learner for two classes: position 0 is y = −1, position 1 is y = +1. */
export function marginLearner(loss: Loss, options: MarginOptions = {}): Learner {
  const { solver = 'newton' } = options
  requireInput(
    isLearnable(loss) || loss.name === hinge.name,
    `${loss.name}: a loss that can be minimised is required, got one without a curvature`,
    'Masses and bounds can be made of it all the same.',
  )
  requireInput(
    solver === 'newton' || (loss.curvature?.largest ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY,
    `${loss.name}: a loss of limited curvature is required to be sampled, got one without a limit`,
  )
  const l2 = requireL2(loss.name, options)
  return {
    name: loss.name,
    loss,
    l2,
    fit(training, classes, previous) {
      requireInput(classes.length === 2, `${loss.name}: there must be 2 classes, got ${classes.length}`)
      requireTraining(loss.name, training, 2)
      if (training.labels.length === 0) return blankModel(loss.name, classes, training.features.columns)
      const minimum = () => {
        const solve = (own: LearnableLoss, start?: Float64Array) => minimise(marginProblem(own, training, l2), start)
        if (!isLearnable(loss)) return hingeMinimum(training, l2, solve)
        if (solver === 'sampled') return sampledMinimum(loss, training, l2).parameters
        return solveRows(training.features, 1, (features) => marginProblem(loss, { ...training, features }, l2), previous)
      }
      return modelOf(loss.name, classes, [minimum()])
    },
  }
}

/** Logistic regression:  ℓ(y, z) = log(1 + exp(−yz)).   @see docs/equations.md#training */
export const logisticLearner = (options?: MarginOptions): Learner => marginLearner(logistic, options)

/** Ridge regression on labels ±1, in closed form:  ℓ(y, z) = (y − z)².   @see docs/equations.md#training */
export const squaredLearner = (options?: MarginOptions): Learner => marginLearner(squared, options)

/** Linear support vector machine with  ℓ(y, z) = max(0, 1 − yz)².   @see docs/equations.md#training */
export const squaredHingeLearner = (options?: MarginOptions): Learner => marginLearner(squaredHinge, options)

const isLearnable = (loss: Loss): loss is LearnableLoss => loss.curvature !== undefined

/** φ(z) = Σᵢ wᵢ ℓ(yᵢ, zᵢ),  one score a row */
function marginProblem(loss: LearnableLoss, training: TrainingSet, l2: number): RidgeProblem {
  const { curvature } = loss
  const { features, labels, weights } = training
  const signs = Float64Array.from(labels, (label) => 2 * label - 1)
  const own = new Float64Array(features.rows)
  return {
    parameters: features.columns + 1,
    scores: features.rows,
    l2,
    isQuadratic: curvature.isConstant === true,
    ...toleranceOf(training),
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
        own[i] = weights[i]! * curvature.at(signs[i]!, scores[i]!, slope)
      }
    },
    curvature: (mayBeRough) => bentRows(features, { own }, mayBeRough),
    preconditioner: directSolver(features, { own }, l2),
  }
}
