import type { Draw } from '../core/draw.ts'
import type { Uniforms } from '../core/randomness.ts'
import { smallest } from '../core/smallest.ts'
import { sumOf } from '../core/sums.ts'
import { checkMasses, type Design } from './design.ts'

/**
 * Drawing with replacement: m independent draws, each in proportion to mass. The paper's "with replacement".
 *
 * Every point has events at the times of a Poisson process of rate aᵢ; the first m events over the whole pool are m
 * independent draws with pᵢ = aᵢ/Σa. Unlike a walk along cumulative sums, this does not depend on the order of the pool,
 * and shards merge by keeping the m earliest events.   @see docs/equations.md#multinomial
 */
export const multinomial: Design = { name: 'multinomial', draw }

function draw(masses: Float64Array, size: number, uniforms: Uniforms): Draw[] {
  checkMasses('multinomial', masses, size)
  const total = sumOf(masses)
  const kept = smallest(size)
  for (let i = 0; i < masses.length; i++) {
    const mass = masses[i]!
    if (mass === 0) continue
    let time = 0
    for (let event = 0; ; event++) {
      time -= Math.log(uniforms(i, event)) / mass
      if (time > kept.limit()) break
      kept.offer(time, i)
    }
  }
  return kept.sorted().map((index, k) => {
    const mass = masses[index]!
    return { index, probability: mass / total, order: k + 1, mass, remaining: total }
  })
}
