/** The value of a rank, counted from 1 and rounded up, in sorted numbers. */
function rank(sorted: readonly number[], r: number): number {
  return sorted[Math.min(sorted.length, Math.max(1, Math.ceil(r))) - 1]!
}

/** Median with its 95 % interval, from the ranks n/2 ± 1.96 √n/2, and the 90th percentile. */
export function summaryOf(values: readonly number[]): { median: number; low: number; high: number; ninetieth: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const n = sorted.length
  const reach = 0.98 * Math.sqrt(n)
  return {
    median: rank(sorted, n / 2),
    low: rank(sorted, Math.floor(n / 2 - reach)),
    high: rank(sorted, n / 2 + reach + 1),
    ninetieth: rank(sorted, 0.9 * n),
  }
}

/** P(X ≥ hits),  X ~ Binomial(n, p). */
export function binomialTail(hits: number, n: number, p: number): number {
  let log = n * Math.log1p(-p) // of P(X = k)
  let tail = 0
  for (let k = 0; k <= n; k++) {
    if (k >= hits) tail += Math.exp(log)
    log += Math.log((((n - k) / (k + 1)) * p) / (1 - p))
  }
  return tail
}
