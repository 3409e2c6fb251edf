import { clip } from '../core/numbers.ts'

/**
 * How far to go along a step, given the slope g(t) of a convex f there: t = 1 if possible, and so that f is sure to fall;
 * 0 if it does not fall at all.
 *
 * Values of f are never compared, since near the end they differ by less than their rounding. Slopes are enough, as they
 * increase: f falls on [0, t] if g(t) ≤ 0, and also if g(t) ≤ −½ g(t/2), because then
 *
 *   f(t) − f(0) ≤ (t/2) (g(t/2) + g(t)) ≤ (t/4) g(t/2) < 0
 */
export function stepLength(slopeAt: (t: number) => number): number {
  const first = slopeAt(0)
  if (!(first < 0)) return 0

  let low = { t: 0, slope: first }
  let high = { t: 1, slope: slopeAt(1) }
  if (high.slope <= 0) return 1
  for (let tries = 0; tries < 60; tries++) {
    if (high.slope <= -slopeAt(high.t / 2) / 2) return high.t
    const zero = low.slope / (low.slope - high.slope) // where a straight line through both slopes crosses 0
    const t = low.t + (high.t - low.t) * (Number.isFinite(zero) ? clip(zero, 0.1, 0.9) : 0.1)
    const slope = slopeAt(t)
    if (slope <= 0 && slope >= first / 2) return t
    if (slope <= 0) low = { t, slope }
    else high = { t, slope }
  }
  return low.t
}
