import { type FeatureRows, squaredNorm, squaredNorms } from '../core/features.ts'

/** exp(−‖x − y‖² / 2σ²) between rows, with σ the median distance between two of them. */
export function kernelOver(rows: FeatureRows) {
  const point = new Float64Array(rows.columns)
  const norms = squaredNorms(rows)

  /** ‖x‖² + ‖y‖² − 2 x·y */
  const distances = (others: FeatureRows, row: number, count: number) => {
    const norm = squaredNorm(others, row, point)
    others.addInPlace(row, 1, point)
    const all = new Float64Array(count)
    for (let i = 0; i < count; i++) all[i] = Math.max(0, norms[i]! + norm - 2 * rows.dot(i, point))
    others.addInPlace(row, -1, point)
    return all
  }
  const scale = 2 * (medianOf(rows.rows, (i) => distances(rows, i, i)) || 1)
  return {
    /** Between every row and one of others. */
    with: (others: FeatureRows, row: number) => distances(others, row, rows.rows).map((distance) => Math.exp(-distance / scale)),
    /** Of each row with all rows, itself among them, added up. */
    totals(): Float64Array {
      const sums = new Float64Array(rows.rows).fill(1) // each with itself
      for (let i = 1; i < rows.rows; i++) {
        const before = distances(rows, i, i)
        for (let j = 0; j < i; j++) {
          const value = Math.exp(-before[j]! / scale)
          sums[i]! += value
          sums[j]! += value
        }
      }
      return sums
    },
  }
}

const rowsForMedian = 200

/** The median of squared distances between the first rows, or 0 if there is but one. */
function medianOf(rows: number, before: (i: number) => Float64Array): number {
  const all = Array.from({ length: Math.min(rows, rowsForMedian) }, (_, i) => before(i)).flatMap((row) => [...row])
  return Float64Array.from(all).sort()[all.length >> 1] ?? 0
}
