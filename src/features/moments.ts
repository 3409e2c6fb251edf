/** Mean and variance of each of some columns; 0 where there is no number. */
export interface Moments {
  readonly means: Float64Array
  readonly variances: Float64Array
}

/**
 * Those of the first `width` numbers of every row, NaN left out. Sums are taken in the order of the rows and carry their rounding
 * error along (Neumaier), so that they are right to the last bit or two.
 */
export function momentsOf(values: Float32Array, rows: number, stride: number, width: number): Moments {
  /** The mean of f(x, j) over the numbers x of each column j; 0 if there are none. */
  const meansOf = (f: (x: number, j: number) => number) => {
    const sums = runningSums(width)
    const counts = new Float64Array(width)
    for (let row = 0; row < rows; row++)
      for (let j = 0; j < width; j++) {
        const x = values[row * stride + j]!
        if (Number.isNaN(x)) continue
        sums.add(j, f(x, j))
        counts[j]!++
      }
    return sums.totals().map((total, j) => (counts[j]! > 0 ? total / counts[j]! : 0))
  }
  const means = meansOf((x) => x)
  return { means, variances: meansOf((x, j) => (x - means[j]!) ** 2) }
}

/**
 * The moments of numbers that pass by once, `width` a row, NaN left out, from sums of x − first and of its square, first being the first number of a column: it lies about as far from the mean as others do, so that
 * little is lost where the square of one sum is taken from the other. Both sums carry their rounding error along.
 */
export function runningMoments(width: number) {
  const firsts = new Float64Array(width).fill(Number.NaN)
  const counts = new Float64Array(width)
  const sums = runningSums(width)
  const squares = runningSums(width)
  return {
    add(values: Float32Array): void {
      for (let at = 0; at < values.length; at += width)
        for (let j = 0; j < width; j++) {
          const x = values[at + j]!
          if (Number.isNaN(x)) continue
          if (Number.isNaN(firsts[j])) firsts[j] = x
          const away = x - firsts[j]!
          counts[j]!++
          sums.add(j, away)
          squares.add(j, away * away)
        }
    },
    moments(): Moments {
      const mean = (total: number, j: number) => (counts[j]! > 0 ? total / counts[j]! : 0)
      const away = sums.totals().map(mean)
      const square = squares.totals().map(mean)
      return {
        means: away.map((shift, j) => (counts[j]! > 0 ? firsts[j]! + shift : 0)),
        variances: square.map((value, j) => Math.max(0, value - away[j]! * away[j]!)),
      }
    },
  }
}

/** Compensated sums, side by side. */
function runningSums(width: number) {
  const sums = new Float64Array(width)
  const lost = new Float64Array(width)
  return {
    add(j: number, value: number): void {
      const sum = sums[j]!
      const next = sum + value
      lost[j]! += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sums[j] = next
    },
    totals: (): Float64Array => sums.map((sum, j) => sum + lost[j]!),
  }
}
