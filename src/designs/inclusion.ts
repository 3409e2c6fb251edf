import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import { compensatedSum, sumOf } from '../core/sums.ts'

/**
 * The inclusion probabilities that minimise Σ aᵢ²/πᵢ for a given expected number of draws: water-filling,
 *
 *   πᵢ = clip(τ aᵢ, floor, 1)  with  Σ πᵢ = expected.
 *
 * @see docs/equations.md#inclusion
 */
export function inclusionProbabilities(
  masses: Float64Array,
  expected: number,
  { floor = 0 }: { readonly floor?: number } = {},
): Float64Array {
  const points = masses.length
  const positive = floor > 0 ? points : masses.reduce((count, mass) => count + (mass > 0 ? 1 : 0), 0)
  requireInput(
    expected >= points * floor && expected <= positive,
    `inclusionProbabilities: expected must lie between ${points * floor} and ${positive}, got ${expected}`,
  )
  if (expected === positive) return masses.map((mass) => (mass > 0 || floor > 0 ? 1 : 0))

  const search = inclusionScale({ expected, floor, total: sumOf(masses) })
  let step = search.next()
  while (!step.done) step = search.next(tally(masses, floor, step.value))
  const scale = step.value
  return masses.map((mass) => clip(scale * mass, floor, 1))
}

/** How many masses the floor and the cap would hold at some scale, and the sum of those between. Adds up across shards. */
export interface Tally {
  readonly low: number
  readonly middle: number
  readonly high: number
}

export function tally(masses: Float64Array, floor: number, scale: number): Tally {
  const middle = compensatedSum()
  let low = 0
  let high = 0
  for (const mass of masses) {
    if (scale * mass < floor) low++
    else if (scale * mass > 1) high++
    else middle.add(mass)
  }
  return { low, middle: middle.total(), high }
}

/**
 * Finds the scale τ from tallies alone, so that the masses can stay on the shards: yields a scale to try, is sent the
 * tally at that scale, returns the answer. Newton's step is exact once the right masses are clipped, so a handful of
 * passes suffice; a bracket keeps it from straying.
 */
export function* inclusionScale(question: {
  readonly expected: number
  readonly floor: number
  readonly total: number
}): Generator<number, number, Tally> {
  const { expected, floor, total } = question
  let below = 0
  let above = Number.POSITIVE_INFINITY
  let scale = expected / total
  for (let pass = 0; pass < 200; pass++) {
    const { low, middle, high } = yield scale
    const reached = floor * low + scale * middle + high
    if (reached < expected) below = Math.max(below, scale)
    else above = Math.min(above, scale)

    const newton = (expected - floor * low - high) / middle
    if (Math.abs(newton - scale) <= 1e-15 * scale) return newton
    const inside = newton > below && newton < above
    const next = inside ? newton : above === Number.POSITIVE_INFINITY ? 2 * scale : (below + above) / 2
    if (next === scale) return scale
    scale = next
  }
  return scale
}
