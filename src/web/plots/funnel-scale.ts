import { type Scale, scaleOver } from './ticks.ts'

export interface Step {
  readonly answers: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** What was asked of an audit: so narrow on either side, or all of it below a limit. */
export interface Asked {
  readonly tolerance?: number | undefined
  readonly below?: number | undefined
}

/** The newest interval with room around it: a scale that showed the first, wide ones whole would hide the end. */
export function funnelScale({ value, low, high }: Omit<Step, 'answers'>, { tolerance = 0, below }: Asked, steps: number): Scale {
  const isDifference = low < 0
  const half = Math.max(high - value, value - low, tolerance, 0.005)
  const bottom = Math.max(isDifference ? -1 : 0, value - 3 * half)
  const top = Math.min(1, Math.max(value + 3 * half, below === undefined ? 0 : 1.15 * below))
  if (isDifference) return scaleOver(bottom, top, steps + 2)
  return scaleOver(bottom < 0.25 * (top - bottom) ? 0 : bottom, top, steps)
}

/** What a forecast shows: all but its first, wide beginning. */
export function forecastScale(curve: readonly Omit<Step, 'value'>[], shown: readonly number[], steps: number): Scale {
  const end = curve.at(-1)?.answers ?? 0
  const later = curve.filter(({ answers }) => answers >= 0.06 * end)
  const bottom = Math.min(...later.map(({ low }) => low), ...shown)
  const top = Math.max(...later.map(({ high }) => high), ...shown)
  return scaleOver(bottom < 1.5 * (top - bottom) ? 0 : bottom, top, steps)
}

/** The interval that was asked for, around the estimate of now. */
export function target({ value, low }: Omit<Step, 'answers'>, tolerance: number): { low: number; high: number } {
  return { low: low < 0 ? value - tolerance : Math.max(0, value - tolerance), high: Math.min(1, value + tolerance) }
}
