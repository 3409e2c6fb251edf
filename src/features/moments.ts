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
  const means = new Float64Array(width)
  meansInPlace(means, values, rows, stride, (x) => x)
  const variances = new Float64Array(width)
  meansInPlace(variances, values, rows, stride, (x, j) => (x - means[j]!) ** 2)
  return { means, variances }
}

/** meansⱼ ← the mean of f(x, j) over the numbers x of column j; 0 if there are none */
function meansInPlace(
  means: Float64Array,
  values: Float32Array,
  rows: number,
  stride: number,
  f: (x: number, j: number) => number,
): void {
  const width = means.length
  const lost = new Float64Array(width)
  const counts = new Float64Array(width)
  for (let row = 0; row < rows; row++)
    for (let j = 0; j < width; j++) {
      const x = values[row * stride + j]!
      if (Number.isNaN(x)) continue
      const value = f(x, j)
      const sum = means[j]!
      const next = sum + value
      lost[j]! += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      means[j] = next
      counts[j]!++
    }
  for (let j = 0; j < width; j++) means[j] = counts[j]! > 0 ? (means[j]! + lost[j]!) / counts[j]! : 0
}
