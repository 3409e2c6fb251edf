/**
 * A running sum that carries its rounding error along (Neumaier), so that a total over millions of points is
 * right to the last bit or two. Totals end up in probabilities, and probabilities are what we promise to know.
 */
export const compensatedSum = () => new CompensatedSum()

// A class, because pools are summed point by point: its methods are known to the compiler, those of a fresh object are not.
class CompensatedSum {
  #sum = 0
  #lost = 0

  add(value: number): void {
    const next = this.#sum + value
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum
    this.#sum = next
  }

  total(): number {
    return this.#sum + this.#lost
  }
}

/** Σ values, compensated. */
export function sumOf(values: Iterable<number>): number {
  const sum = compensatedSum()
  for (const value of values) sum.add(value)
  return sum.total()
}
