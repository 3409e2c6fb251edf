/**
 * A running sum that carries its rounding error along (Neumaier), so that a total over millions of points is
 * right to the last bit or two. Totals end up in probabilities, and probabilities are what we promise to know.
 */
export interface Sum {
  add(value: number): void
  total(): number
}

export function compensatedSum(): Sum {
  let sum = 0
  let lost = 0
  return {
    add(value) {
      const next = sum + value
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sum = next
    },
    total: () => sum + lost,
  }
}

/** Σ values, compensated. */
export function sumOf(values: Iterable<number>): number {
  const sum = compensatedSum()
  for (const value of values) sum.add(value)
  return sum.total()
}
