import { emptyBelief } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import { addOuterInPlace, inverse, multiply } from '../core/matrices.ts'
import { scorerOf } from '../core/model.ts'
import { successive } from '../designs/successive.ts'
import { doubt } from '../masses/doubt.ts'
import { expectedError } from '../masses/expected-loss.ts'
import { type Ingredient, mixture } from '../masses/mass.ts'
import { steepRank } from '../masses/steep-rank.ts'
import { uniformMass } from '../masses/uniform.ts'
import { variance } from '../masses/variance.ts'
import type { FormContext, Strategy } from './strategy.ts'

const mostFeatures = 1000

/** Where the boundary runs: the fourth power of doubt. */
const boundary: Ingredient = { name: 'boundary', value: (belief, ranks) => doubt.value(belief, ranks) ** 4 }

/**
 * As `alis`, with a share for the variance at the decision boundary that a label would remove. Costs d² a point, so it is
 * for up to 1,000 features.   @see docs/equations.md#alis-variance
 */
export const alisVariance: Strategy = {
  name: 'alis-variance',
  summary: 'as alis, and where a label would settle the boundary most; d² work a point, up to 1,000 features',
  mass: mixture('alis-variance', [
    { share: 0.35, of: steepRank },
    { share: 0.35, of: variance },
    { share: 0.2, of: expectedError },
    { share: 0.1, of: uniformMass },
  ]),
  design: successive,
  trainsOn: 'all',
  weighting: 0,
  forms,
}

/** B = H⁻¹AH⁻¹ and H⁻¹: H the curvature of what has been fitted, A the mean of xxᵀ along the boundary; x ends in a 1. */
async function forms({ model, loss, l2, trained: { features: labelled }, momentOf }: FormContext): Promise<Float64Array[]> {
  const width = labelled.columns + 1
  requireInput(
    width - 1 <= mostFeatures,
    `alis-variance: at most ${mostFeatures} features are possible, got ${width - 1}`,
    'Use the strategy alis.',
  )
  const curvature = new Float64Array(width * width)
  for (let j = 0; j < width; j++) curvature[j * width + j] = j < width - 1 ? l2 : l2 / 100
  const belief = emptyBelief(model.classes.length)
  const scores = new Float64Array(model.weights.length)
  const score = scorerOf(model)
  for (let i = 0; i < labelled.rows; i++) {
    score(labelled, i, scores)
    loss.read(scores, belief)
    const squares = belief.probabilities.reduce((sum, p) => sum + p * p, 0)
    const x = new Float64Array(width)
    labelled.addInPlace(i, 1, x)
    x[width - 1] = 1
    addOuterInPlace(curvature, x, Math.max((1 - squares) / model.classes.length, 1e-6))
  }
  const inverted = inverse(curvature, width)
  const along = await momentOf(boundary)
  return [multiply(multiply(inverted, along, width), inverted, width), inverted]
}
