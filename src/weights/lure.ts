import { requireInput } from '../core/errors.ts'

/**
 * LURE weights: what each draw of a successive sample counts, so that the weighted mean over the M draws is unbiased for
 * the mean over all N points, however the masses changed on the way (Farquhar, Gal & Rainforth 2021).
 *
 *   v_m = 1 + (N − M)/(N − m) · (1/((N − m + 1) q_m) − 1),   m = 1 … M
 *
 * Uniform draws give 1 each; so does drawing everything.   @see docs/equations.md#lure
 */
export function lureWeights(probabilities: readonly number[], poolSize: number): Float64Array {
  const drawn = probabilities.length
  requireInput(
    Number.isInteger(poolSize) && poolSize >= drawn,
    `lureWeights: poolSize must be a whole number of at least the ${drawn} draws, got ${poolSize}`,
  )
  return Float64Array.from(probabilities, (probability, k) => {
    requireInput(
      probability > 0 && probability <= 1,
      `lureWeights: probabilities must be in (0, 1], got ${probability} at draw ${k + 1}`,
    )
    const left = poolSize - k // N − m + 1, the points this draw was taken from
    if (poolSize === drawn) return 1 // also spares 0/0 at the last draw
    return 1 + ((poolSize - drawn) / (left - 1)) * (1 / (left * probability) - 1)
  })
}
