/**
 * Gaussian naive Bayes: every feature normal within a class, and independent of the others. Neither is true of pixels, so it is
 * far too sure of itself. Gives  log P(k) + Σⱼ log φ(xⱼ; μₖⱼ, σ²ₖⱼ)  for every class k; a variance of 0 becomes a billionth of
 * the largest, as in scikit-learn.
 */
export function naiveBayes(
  rows: readonly Float32Array[],
  labels: readonly number[],
  classes: number,
): (row: Float32Array) => number[] {
  const extra = 1e-9 * Math.max(...momentsOf(rows).map(({ variance }) => variance))
  const fitted = Array.from({ length: classes }, (_, k) => {
    const own = rows.filter((_, i) => labels[i] === k)
    return { prior: Math.log(own.length / rows.length), columns: momentsOf(own) }
  })
  return (row) =>
    fitted.map(({ prior, columns }) =>
      columns.reduce((sum, { mean, variance }, j) => {
        const spread = variance + extra
        return sum - (Math.log(2 * Math.PI * spread) + (row[j]! - mean) ** 2 / spread) / 2
      }, prior),
    )
}

/** Mean and variance of every column. */
function momentsOf(rows: readonly Float32Array[]): { mean: number; variance: number }[] {
  const average = (value: (row: Float32Array) => number) => rows.reduce((sum, row) => sum + value(row), 0) / rows.length
  return Array.from(rows[0]!, (_, j) => {
    const mean = average((row) => row[j]!)
    return { mean, variance: average((row) => (row[j]! - mean) ** 2) }
  })
}
