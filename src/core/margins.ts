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

/**
 * The mean of 1/rank over the points of each bin, rank 1 being the smallest margin of all. Points in one bin share
 * one value, so it depends on nothing but the margin and the histogram, and ties need no breaking.
 */
export function reciprocalRanks(counts: Float64Array): Float64Array {
  let before = 0
  return counts.map((count) => {
    const mean = count > 0 ? (harmonic(before + count) - harmonic(before)) / count : 0
    before += count
    return mean
  })
}

/** Hₙ = 1 + ½ + … + 1/n. */
function harmonic(n: number): number {
  if (n < 256) {
    let sum = 0
    for (let k = 1; k <= n; k++) sum += 1 / k
    return sum
  }
  // Asymptotic series; the first term left out is below 10⁻¹⁶ from n = 256 on.
  return Math.log(n) + 0.5772156649015329 + 1 / (2 * n) - 1 / (12 * n * n) + 1 / (120 * n ** 4)
}
