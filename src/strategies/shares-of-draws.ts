import type { Draw } from '../core/draw.ts'

/**
 * The share of all mass that each of some successive draws stands for. A point of mass a is among them with a chance of about 1 − e^(−aτ), where τ, the
 * time that the draws take at rates as large as the masses, is Σ 1/(mass left): so it stands for a / (1 − e^(−aτ)). Scaled to 1 together.
 */
export function sharesOf(draws: readonly Pick<Draw, 'mass' | 'remaining'>[]): Float64Array {
  const time = draws.reduce((sum, { remaining }) => sum + 1 / remaining, 0)
  const standsFor = Float64Array.from(draws, ({ mass }) => mass / -Math.expm1(-mass * time))
  const whole = standsFor.reduce((sum, each) => sum + each, 0)
  return standsFor.map((each) => each / whole)
}
