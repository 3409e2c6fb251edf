/**
 * Φ⁻¹(p) by Acklam's rational approximation, relative error about 1e-9. Bets may be any number known before the draw, so
 * the error costs nothing; that it is the same everywhere makes every interval reproducible.
 */
export function probit(p: number): number {
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)))
  if (p > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - p)))
  const q = p - 0.5
  const r = q * q
  const top =
    ((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.38357751867269e2) * r -
      3.066479806614716e1) *
      r +
    2.506628277459239
  const bottom =
    ((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r -
      1.328068155288572e1) *
      r +
    1
  return (top * q) / bottom
}

function tail(q: number): number {
  const top =
    ((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
    2.938163982698783
  const bottom = (((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1
  return top / bottom
}

/** The standard normal density. */
export function density(z: number): number {
  return Math.exp((-z * z) / 2) * 0.3989422804014327
}
