import { marginFormula } from '../core/belief.ts'
import { factorInPlace, solveAllInPlace, solveUpperAllInPlace } from '../core/cholesky.ts'
import * as f from '../core/formula.ts'
import type { QuadraticForm } from '../core/quadratic-form.ts'
import { sequenceOf } from '../core/randomness.ts'
import { doubt } from '../masses/doubt.ts'
import { mixture, withKernel } from '../masses/mass.ts'
import { uniformMass } from '../masses/uniform.ts'
import { factorOfCurvature, inverseForm } from './curvature.ts'
import type { FormContext } from './strategy.ts'

/** Where the boundary runs: the fourth power of doubt. */
export const boundary = withKernel('doubt-power-4', {
  name: 'boundary',
  value: (belief, ranks) => doubt.value(belief, ranks) ** 4,
  express: (belief) => f.square(f.square(f.difference(1, marginFormula(belief)))),
})

/** A hundredth of it anywhere, as a model may be sure of every point. */
const alongBoundary = mixture('boundary', [
  { share: 0.99, of: boundary },
  { share: 0.01, of: uniformMass },
])

/** Rows so wide that all of both forms are as many vectors, and no more. */
const narrow = 64
/** Points along the boundary that B is made of: of narrow rows many, as they come to no more vectors. */
const manyPoints = 256
const fewPoints = 48
/** Vectors that stand in for those of H⁻¹, where rows are wide. */
const fewDirections = 48

/** Products that both forms take for a row of this width. Of the numbers of narrow ones half are 0. */
export const productsFor = (width: number): number => width * (width <= narrow ? width : fewPoints + fewDirections)

/**
 * What the ingredient `variance` needs, for the strategy of this name: B = H⁻¹AH⁻¹ and H⁻¹, H the curvature of what has been fitted, A the mean of
 * xxᵀ along the boundary, by some points drawn there; x ends in a 1.   @see docs/equations.md#alis-variance
 */
export const boundaryForms =
  (strategy: string) =>
  async (context: FormContext): Promise<QuadraticForm[]> => {
    const factor = factorOfCurvature(strategy, context)
    const width = context.plain.columns + 1
    const { features, shares } = await context.drawBy(alongBoundary, width <= narrow ? manyPoints : fewPoints)
    const towards = Array.from(shares, (share, i) => {
      const x = new Float64Array(width)
      features.addInPlace(i, Math.sqrt(share), x)
      x[width - 1] = Math.sqrt(share)
      return x
    })
    solveAllInPlace(factor, towards)
    return [inFewVectors(towards, width), (width <= narrow ? inverseForm : roughInverseForm)(factor, width)]
  }

/** The same form, of no more vectors than they are long: Σ uuᵀ = LLᵀ. */
function inFewVectors(form: QuadraticForm, width: number): QuadraticForm {
  if (form.length <= width) return form
  const matrix = new Float64Array(width * width)
  for (const vector of form)
    for (let i = 0; i < width; i++) for (let j = 0; j <= i; j++) matrix[i * width + j]! += vector[i]! * vector[j]!
  factorInPlace(matrix, width)
  return Array.from({ length: width }, (_, k) =>
    Float64Array.from({ length: width }, (_, j) => (j < k ? 0 : matrix[j * width + k]!)),
  )
}

/** The same nearly: the mean of (ω·L⁻¹x)² over random signs ω is ‖L⁻¹x‖². */
function roughInverseForm(factor: Float64Array, width: number): QuadraticForm {
  const random = sequenceOf({ seed: 0, name: 'directions' })
  const size = 1 / Math.sqrt(fewDirections)
  const directions = Array.from({ length: fewDirections }, () =>
    Float64Array.from({ length: width }, () => (random() < 0.5 ? -size : size)),
  )
  solveUpperAllInPlace(factor, directions)
  return directions
}
