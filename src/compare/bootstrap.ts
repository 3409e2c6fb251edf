import { hashIds, uniformsOf } from '../core/randomness.ts'

const level = 0.95

const replicates = 2000

/** Which splits each replicate of a comparison consists of: drawn with replacement, the same for every strategy. */
export function bootstrapPicks(splits: number, seed: number): Int32Array[] {
  const hashes = hashIds(Array.from({ length: splits }, (_, k) => `${k}`))
  return Array.from({ length: replicates }, (_, b) => {
    const uniforms = uniformsOf({ seed, name: `bootstrap/${b}` }, hashes)
    return Int32Array.from({ length: splits }, (_, k) => Math.ceil(uniforms(k) * splits) - 1)
  })
}

export interface Limits {
  readonly low: number
  readonly high: number
}

/** The middle 95 of 100 replicates. */
export function percentileInterval(values: ArrayLike<number>): Limits {
  const sorted = Float64Array.from(values).sort()
  const cut = Math.floor(((1 - level) / 2) * sorted.length)
  return { low: sorted[cut]!, high: sorted[sorted.length - 1 - cut]! }
}
