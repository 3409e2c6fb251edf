import type { Formula } from './formula.ts'
import * as f from './formula.ts'

/**
 * A histogram of margins, fine where it matters: 16 bins for every halving of the margin, down to 2⁻³².
 * A rank read off it is right to about 4 % wherever the model is in doubt (margins above 0.96 share one bin), and it
 * merges across shards by addition.
 */
const perOctave = 16
const octaves = 32

/** Number of bins; bin 0 holds the smallest margins. */
export const marginBins = perOctave * octaves

/** The bin of a margin in [0, 1]. */
export function marginBin(margin: number): number {
  const bin = marginBins + Math.floor(perOctave * Math.log2(margin)) // −∞ for a margin of 0
  return bin < 0 ? 0 : bin < marginBins ? bin : marginBins - 1
}

export function marginBinFormula(margin: Formula): Formula {
  const bin = f.sum(marginBins, f.floor(f.product(perOctave, f.log2(margin))))
  return f.ifAbove(margin, 0, f.clip(bin, 0, marginBins - 1), 0)
}

/**
 * The mean of rank^(−power) over the points of each bin, rank 1 being the smallest margin of all. Points in one bin share
 * one value, so it depends on nothing but the margin and the histogram, and ties need no breaking. Powers: 1 or 1.5.
 */
export function meanRankPowers(counts: Float64Array, power: number): Float64Array {
  const means = new Float64Array(counts.length)
  let rank = 0
  let before = 0
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin]!
    if (count === 0) continue
    rank += count
    const sum = powerSum(rank, power)
    means[bin] = (sum - before) / count
    before = sum
  }
  return means
}

/** For ingredients that need no ranks. */
export const noRanks = new Float64Array(0)

const few = 256
const sumsOfFew = new Map<number, Float64Array>()

/** 1 + 2^(−s) + … + n^(−s). */
function powerSum(n: number, s: number): number {
  if (n < few) return fewSums(s)[n]!
  // Euler and Maclaurin; the first term left out is below 10⁻¹¹ from n = 256 on.
  const correction = n ** -s / 2 - (s * n ** (-s - 1)) / 12
  return s === 1 ? Math.log(n) + 0.5772156649015329 + correction : 2.612375348685488 - 2 / Math.sqrt(n) + correction
}

/** The sums up to each number below `few`. */
function fewSums(s: number): Float64Array {
  const known = sumsOfFew.get(s)
  if (known) return known
  const sums = new Float64Array(few)
  for (let k = 1; k < few; k++) sums[k] = sums[k - 1]! + k ** -s
  sumsOfFew.set(s, sums)
  return sums
}
