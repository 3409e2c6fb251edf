import type { Draw } from '../core/draw.ts'
import { requireInput } from '../core/errors.ts'
import type { Uniforms } from '../core/randomness.ts'

/**
 * The random mechanism that turns masses into draws with exactly known probabilities. A point of mass 0 is never drawn.
 * Its `name` is what records and SQL engines go by; its `draw` is the reference they must agree with.
 *
 * One of your own draws no point twice in a round and `size` points on average, and says of each the chance it had of being in the round:
 * estimates are Σ ℓ/π, and training weights follow.
 */
export interface Design {
  readonly name: string
  draw(masses: Float64Array, size: number, uniforms: Uniforms): Draw[]
}

/** Refuses masses no design can work with, and sizes that mean nothing. */
export function checkMasses(where: string, masses: Float64Array, size: number): void {
  requireInput(Number.isInteger(size) && size >= 0, `${where}: size must be a whole number, got ${size}`)
  const bad = masses.findIndex((mass) => !(mass >= 0 && mass < Number.POSITIVE_INFINITY))
  requireInput(bad < 0, `${where}: masses must be finite and not negative, got ${masses[bad]} at ${bad}`)
}
