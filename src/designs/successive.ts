import { type Draw, remainingMasses } from '../core/draw.ts'
import type { Uniforms } from '../core/randomness.ts'
import { smallest } from '../core/smallest.ts'
import { compensatedSum } from '../core/sums.ts'
import { checkMasses, type Design } from './design.ts'

/**
 * Successive sampling: one point after another, without replacement, each in proportion to its mass among those left.
 *
 *   keyᵢ = −ln uᵢ / aᵢ,  the m smallest in increasing order;   q_k = a / (Σ a − masses drawn before)
 *
 * Exponential clocks: the first to ring is i with chance aᵢ/Σa, and the rest start afresh. One pass, and shards merge by
 * keeping the m smallest keys of all.   @see docs/equations.md#successive
 */
export const successive: Design = { name: 'successive', draw }

function draw(masses: Float64Array, size: number, uniforms: Uniforms): Draw[] {
  checkMasses('successive', masses, size)
  const kept = smallest(Math.min(size, masses.length))
  const left = compensatedSum() // mass that is never drawn, summed as it falls out: nothing is subtracted, nothing cancels
  for (let i = 0; i < masses.length; i++) {
    const mass = masses[i]!
    if (mass === 0) continue
    const u = uniforms(i)
    // −ln u ≥ 1 − u: most points are out without a logarithm. The margin is for rounding.
    const isOut = 1 - u > 1.000001 * kept.limit() * mass
    const out = isOut ? i : kept.offer(-Math.log(u) / mass, i)
    if (out >= 0) left.add(masses[out]!)
  }
  return drawsInOrder(kept.sorted(), masses, left.total())
}

function drawsInOrder(indices: readonly number[], masses: Float64Array, left: number): Draw[] {
  const drawn = indices.map((index) => masses[index]!)
  const remaining = remainingMasses(drawn, left)
  return indices.map((index, k) => ({
    index,
    probability: drawn[k]! / remaining[k]!,
    order: k + 1,
    mass: drawn[k]!,
    remaining: remaining[k]!,
  }))
}
