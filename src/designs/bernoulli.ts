import type { Draw } from '../core/draw.ts'
import type { Uniforms } from '../core/randomness.ts'
import { sumOf } from '../core/sums.ts'
import { checkMasses, type Design } from './design.ts'
import { inclusionProbabilities } from './inclusion.ts'

/**
 * Independent Bernoulli draws Qᵢ with P(Qᵢ = 1) = πᵢ: the paper's Q. The number drawn is random, with mean `size`;
 * size 1 is the paper to the letter, where the probabilities sum to 1.   @see docs/equations.md#bernoulli
 *
 * In order of uᵢ/πᵢ, which is a fair shuffle of those drawn and independent of the order of the pool.
 */
export const bernoulli: Design = { name: 'bernoulli', draw }

function draw(masses: Float64Array, size: number, uniforms: Uniforms): Draw[] {
  checkMasses('bernoulli', masses, size)
  const positive = masses.reduce((count, mass) => count + (mass > 0 ? 1 : 0), 0)
  const inclusion = inclusionProbabilities(masses, Math.min(size, positive))
  const total = sumOf(masses)

  const drawn: { index: number; place: number }[] = []
  for (let index = 0; index < masses.length; index++) {
    const place = uniforms(index) / inclusion[index]!
    if (place <= 1) drawn.push({ index, place })
  }
  drawn.sort((a, b) => a.place - b.place) // equal places stay in the order of the pool
  return drawn.map(({ index }, k) => ({
    index,
    probability: inclusion[index]!,
    order: k + 1,
    mass: masses[index]!,
    remaining: total,
  }))
}
