/** Scores and how many points have each: the scores of a pool in brief. */
export interface Profile {
  readonly scores: Float64Array
  readonly counts: Float64Array
}

/** Entries of a profile, at most. */
export const mostEntries = 4096

/** A profile of at most 4,096 entries: every score by itself, or the mean of each of so many equal bins. */
export function profileOf(scores: Float64Array): Profile {
  if (scores.length <= mostEntries) return { scores, counts: new Float64Array(scores.length).fill(1) }
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    low = Math.min(low, score)
    high = Math.max(high, score)
  }
  const sums = new Float64Array(mostEntries)
  const counts = new Float64Array(mostEntries)
  for (const score of scores) {
    const bin = high > low ? Math.min(mostEntries - 1, Math.floor(((score - low) / (high - low)) * mostEntries)) : 0
    sums[bin]! += score
    counts[bin]! += 1
  }
  const filled = Array.from(counts.keys()).filter((bin) => counts[bin]! > 0)
  return {
    scores: Float64Array.from(filled, (bin) => sums[bin]! / counts[bin]!),
    counts: Float64Array.from(filled, (bin) => counts[bin]!),
  }
}
