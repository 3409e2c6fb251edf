import { requireInput } from '../core/errors.ts'
import { clip, logSumExp } from '../core/numbers.ts'
import type { Interval } from './draw-interval.ts'

/** λ: which shares of what is owned are bet; 2⁰ down to 2⁻¹⁰. */
const stakes = Array.from({ length: 21 }, (_, j) => 2 ** (-j / 2))
const steps = 60 // halvings of [0, 1]: to the last bit of a double

/**
 * An interval for the mean of a stream without an end: numbers from 0 to 1, each drawn as all others are, whatever came before. It holds at every
 * look, and there is nothing to supply but the numbers; null is "cannot tell", and counts for either limit as the worse.
 *
 * Against each value m that the mean might have two bettors play, one that it is larger and one that it is smaller,
 *
 *   K⁺(m) = (1/J) Σⱼ Πᵢ (1 + λⱼ(xᵢ − m)),   K⁻(m) = (1/J) Σⱼ Πᵢ (1 − λⱼ(xᵢ − m)),   0 < λⱼ ≤ 1.
 *
 * If m is the mean, what either owns is a non-negative martingale that begins at 1, and so ever reaches 2/(1 − level) with a chance of (1 − level)/2 at most.
 * K⁺ falls with m and K⁻ rises, so the values at which neither has are an interval.   @see docs/equations.md#stream-interval
 *
 * @example streamInterval([0, 0, 1, 0, 0, 0]) // { value, low, high, level, answers }
 */
export function streamInterval(values: readonly (number | null)[], { level = 0.95 }: { readonly level?: number } = {}): Interval {
  requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
  const bad = values.findIndex((value) => value !== null && !(value >= 0 && value <= 1))
  requireInput(bad < 0, `values: numbers from 0 to 1, or null, are required, got ${values[bad]} at ${bad}`)
  const goal = Math.log(2 / (1 - level))
  const [least, most] = [values.map((value) => value ?? 0), values.map((value) => value ?? 1)]
  const ends = [edge((m) => owned(least, m, 1) >= goal), 1 - edge((m) => owned(most, 1 - m, -1) >= goal)]
  const [low, high] = [Math.min(...ends), Math.max(...ends)] // they cross where the mean is missed in any case
  const known = values.filter((value) => value !== null)
  const mean = known.length === 0 ? 0.5 : known.reduce((sum, value) => sum + value, 0) / known.length
  return { value: clip(mean, low, high), low, high, level, answers: values.length }
}

/** log K at a value of the mean. */
function owned(values: readonly number[], m: number, side: 1 | -1): number {
  const logs = stakes.map((stake) => values.reduce((sum, value) => sum + Math.log1p(stake * side * (value - m)), 0))
  return logSumExp(logs) - Math.log(stakes.length)
}

/** How far from 0 values are ruled out: always short of where it ends. */
function edge(isOut: (m: number) => boolean): number {
  if (!isOut(0)) return 0
  let [out, inside] = [0, 1]
  for (let k = 0; k < steps; k++) {
    const middle = (out + inside) / 2
    if (isOut(middle)) out = middle
    else inside = middle
  }
  return out
}
