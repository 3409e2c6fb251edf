import { requireInput } from '../core/errors.ts'
import { sumOf } from '../core/sums.ts'

/** The second term of the paper's bound, and how it compares with uniform draws. The first term is not computable. */
export interface PaperBound {
  /** M_p = Σ l̂ᵢ/pᵢ. */
  readonly mass: number
  /** M of uniform draws, n Σ l̂. */
  readonly uniformMass: number
  /** c_δ. */
  readonly constant: number
  /** c_δ M_p / n: true, and so large that it says nothing. Print it as "paper bound (not informative)". */
  readonly value: number
  /** M_p over uniform's: below 1 where the paper's argument prefers these draws. */
  readonly tightening: number
}

/** M_p = Σ l̂ᵢ/pᵢ; a point that is never drawn must have no loss.   @see docs/equations.md#bound-mass */
export function boundMass(pseudoLosses: Float64Array, p: Float64Array): number {
  requireInput(
    p.length === pseudoLosses.length,
    `boundMass: one probability for each of the ${pseudoLosses.length} pseudo-losses is required, got ${p.length}`,
  )
  return sumOf(
    pseudoLosses.map((loss, i) => {
      const probability = p[i]!
      requireInput(
        probability > 0 || (probability === 0 && loss === 0),
        `boundMass: probabilities must be positive where the pseudo-loss is, got ${probability} at ${i}`,
      )
      return loss === 0 ? 0 : loss / probability
    }),
  )
}

/** c_δ = 1 + (L/3)(1 + √(1 + 18/L)),  L = ln(1/δ).   @see docs/equations.md#bound-constant */
export function boundConstant(delta: number): number {
  requireInput(delta > 0 && delta < 1, `boundConstant: delta must be in (0, 1), got ${delta}`)
  const log = Math.log(1 / delta)
  return 1 + (log / 3) * (1 + Math.sqrt(1 + 18 / log))
}

/** The ε at which Bernstein's bound equals δ, for range M and summed variance S.   @see docs/equations.md#bernstein */
export function bernsteinSwitch(range: number, variance: number, delta: number): number {
  const log = Math.log(1 / delta)
  return ((range * log) / 3) * (1 + Math.sqrt(1 + (18 * variance) / (range * range * log)))
}

/** The bound of theorem 1 for probabilities p over the pool, without its unknown first term.   @see docs/equations.md#bound */
export function paperBound(question: {
  readonly pseudoLosses: Float64Array
  readonly p: Float64Array
  readonly delta: number
}): PaperBound {
  const { pseudoLosses, p, delta } = question
  const points = pseudoLosses.length
  return boundFromTotals({ points, mass: boundMass(pseudoLosses, p), pseudoLoss: sumOf(pseudoLosses), delta })
}

/** The same from totals an engine returns: M_p and Σ l̂ over n points. */
export function boundFromTotals(totals: {
  readonly points: number
  readonly mass: number
  readonly pseudoLoss: number
  readonly delta: number
}): PaperBound {
  const { points, mass, pseudoLoss, delta } = totals
  const uniformMass = points * pseudoLoss
  const constant = boundConstant(delta)
  return { mass, uniformMass, constant, value: (constant * mass) / points, tightening: mass / uniformMass }
}
