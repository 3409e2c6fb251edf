import { emptyBelief } from '../core/belief.ts'
import { factorInPlace, solveUpperAllInPlace } from '../core/cholesky.ts'
import { requireInput } from '../core/errors.ts'
import { scorerOf, scoresPerPoint } from '../core/model.ts'
import type { QuadraticForm } from '../core/quadratic-form.ts'
import { sumOfSquares } from '../core/row-squares.ts'
import type { FormContext } from './strategy.ts'

/** What can be done with a matrix as wide as the features. */
export const mostFeatures = 1000

/**
 * L, where LLᵀ = H = Σ w v xxᵀ + diag(λ, …, λ, λ/100) is the curvature of what has been fitted, v = (1 − Σ P²)/K that of a class on average, and
 * x ends in a 1.   @see docs/equations.md#alis-variance
 */
export function factorOfCurvature(strategy: string, context: Omit<FormContext, 'drawBy'>): Float64Array {
  const { model, loss, l2, trained, plain } = context
  const { features, weights } = trained
  const width = plain.columns + 1
  requireInput(
    width - 1 <= mostFeatures,
    `${strategy}: at most ${mostFeatures} features are possible, got ${width - 1}`,
    'Use the strategy alis.',
  )
  const belief = emptyBelief(model.classes.length)
  const scores = new Float64Array(scoresPerPoint(model))
  const score = scorerOf(model)
  const factors = Float64Array.from({ length: features.rows }, (_, i) => {
    score(features, i, scores)
    loss.read(scores, belief)
    const squares = belief.probabilities.reduce((sum, p) => sum + p * p, 0)
    return weights[i]! * Math.max((1 - squares) / model.classes.length, 1e-6)
  })
  const curvature = sumOfSquares(plain, { factors, last: 1 })
  for (let j = 0; j < width; j++) curvature[j * width + j]! += j < width - 1 ? l2 : l2 / 100
  factorInPlace(curvature, width)
  for (let j = 0; j < width; j++) curvature[j * width + j] ||= Math.sqrt(l2) // a pivot lost to rounding
  return curvature
}

/** x·H⁻¹x = ‖L⁻¹x‖² */
export function inverseForm(factor: Float64Array, width: number): QuadraticForm {
  const units = Array.from({ length: width }, (_, k) => {
    const vector = new Float64Array(width)
    vector[k] = 1
    return vector
  })
  solveUpperAllInPlace(factor, units)
  return units
}
