import type { Draw } from '../core/draw.ts'
import type { Uniforms } from '../core/randomness.ts'
import { smallest } from '../core/smallest.ts'
import { sumOf } from '../core/sums.ts'
import { checkMasses, type Design } from './design.ts'

/** Whether the draws of a design, by name, have probabilities that an estimate can rest on. */
export function isRandom(design: string): boolean {
  return design !== top.name
}

/**
 * The m largest masses, no dice. Every draw was certain and every other point impossible, so there is **no unbiased
 * estimate** from these draws. Equal masses are taken in order of their uniforms, not of the file.
 */
export const top: Design = { name: 'top', draw }

function draw(masses: Float64Array, size: number, uniforms: Uniforms): Draw[] {
  checkMasses('top', masses, size)
  const kept = smallest(Math.min(size, masses.length))
  for (let i = 0; i < masses.length; i++) kept.offer(-masses[i]!, i)
  const found = kept.sorted()
  const least = masses[found.at(-1) ?? 0] ?? 0
  const certain = found.filter((i) => masses[i]! > least).sort((i, j) => masses[j]! - masses[i]! || uniforms(i) - uniforms(j))
  const tied = smallest(found.length - certain.length)
  for (let i = 0; i < masses.length; i++) if (masses[i] === least) tied.offer(uniforms(i), i)
  return certainDraws([...certain, ...tied.sorted()], masses)
}

/** Draws that were bound to be made, in the order given. */
export function certainDraws(indices: readonly number[], masses: Float64Array): Draw[] {
  const remaining = sumOf(masses)
  return indices.map((index, k) => ({ index, probability: 1, order: k + 1, mass: masses[index]!, remaining }))
}
