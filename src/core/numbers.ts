/** log(1 + eˣ), written so that it neither overflows nor loses digits for large |x|. */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
}

/** 1 / (1 + e⁻ˣ). Exact 0 or 1 far out, never NaN. */
export function sigmoid(x: number): number {
  const e = Math.exp(-Math.abs(x))
  return (x >= 0 ? 1 : e) / (1 + e)
}

export function clip(x: number, low: number, high: number): number {
  return Math.min(Math.max(x, low), high)
}

/** The sign with the tie rule of the paper's pseudo-labels: sign(0) = +1. */
export function sign(x: number): 1 | -1 {
  return x >= 0 ? 1 : -1
}

/** log Σ eˣ with the largest term taken out first. */
export function logSumExp(values: ArrayLike<number>): number {
  let largest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, values[i]!)
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += Math.exp(values[i]! - largest)
  return largest + Math.log(sum)
}
