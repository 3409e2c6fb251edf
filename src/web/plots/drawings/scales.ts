import { ticksAround, ticksWithin } from '../../../text/ticks.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Below this width a plot keeps its marks and gives up words. */
export const narrow = 440

/** Below this there is no room between the margins, and nothing is drawn: a place that is just opening, or closing. */
export const least = 160

export interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
  /** Digits after the point that tell the ticks apart when they are written as percentages. */
  readonly digits: number
}

/** A scale with round ends around a range of shares, in about so many steps. */
export function scaleOver(low: number, high: number, steps: number): Scale {
  const ticks = ticksAround(low, Math.max(high, low + 1e-9 * steps), steps)
  const step = ticks[1]! - ticks[0]!
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks, digits: Math.max(0, -Math.floor(Math.log10(100 * step) + 1e-9)) }
}

/** The number at a tick in per cent; the sign is printed once, at the end of the axis. */
export function tickText({ ticks, digits }: Scale, tick: number): string {
  const number = (100 * tick).toFixed(tick === 0 ? 0 : digits).replace('-', '−')
  return tick === ticks.at(-1) ? `${number}\u00a0%` : number
}

/** Whole numbers from 0 to the last, about so many steps. */
export function countTicks(last: number, steps: number): number[] {
  return ticksWithin(0, last, Math.min(last, steps / 0.8))
}

export interface MeasuredInterval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The interval of an audit after so many answers. */
export interface FunnelStep extends MeasuredInterval {
  readonly answers: number
}

/** What was asked of an audit: so narrow on either side, or all of it below a limit. */
export interface Asked {
  readonly tolerance?: number | undefined
  readonly below?: number | undefined
}

/** The newest interval with room around it: a scale that showed the first, wide ones whole would hide the end. */
export function funnelScale({ value, low, high }: MeasuredInterval, { tolerance = 0, below }: Asked, steps: number): Scale {
  const isDifference = low < 0
  const half = Math.max(high - value, value - low, tolerance, 0.005)
  const bottom = Math.max(isDifference ? -1 : 0, value - 3 * half)
  const top = Math.min(1, Math.max(value + 3 * half, below === undefined ? 0 : 1.15 * below))
  if (isDifference) return scaleOver(bottom, top, steps + 2)
  return scaleOver(bottom < 0.25 * (top - bottom) ? 0 : bottom, top, steps)
}

/** What a forecast shows: all but its first, wide beginning. */
export function forecastScale(curve: readonly Omit<FunnelStep, 'value'>[], shown: readonly number[], steps: number): Scale {
  const end = curve.at(-1)?.answers ?? 0
  const later = curve.filter(({ answers }) => answers >= 0.06 * end)
  const bottom = Math.min(...later.map(({ low }) => low), ...shown)
  const top = Math.max(...later.map(({ high }) => high), ...shown)
  return scaleOver(bottom < 1.5 * (top - bottom) ? 0 : bottom, top, steps)
}

/** One interval, from zero where that leaves it room enough; else around it. Shares end at 0 and 1, differences do not. */
export function pictureScale({ low, high }: MeasuredInterval, steps: number): Scale {
  const width = Math.max(high - low, 1e-4)
  const top = Math.min(1, high + 1.2 * width)
  if (low < 0) return scaleOver(low - 1.2 * width, top, steps)
  return scaleOver(low <= 4 * width ? 0 : Math.max(0, low - 1.2 * width), top, steps)
}

/** The interval that was asked for, around the estimate of now. */
export function target({ value, low }: MeasuredInterval, tolerance: number): { low: number; high: number } {
  return { low: low < 0 ? value - tolerance : Math.max(0, value - tolerance), high: Math.min(1, value + tolerance) }
}

/** Moves places in ascending order as little as needed so that neighbours are at least so far apart, the middle kept where it can be. */
export function apart(places: readonly number[], distance: number): number[] {
  const middle = Math.floor(places.length / 2)
  const moved = [...places]
  for (let i = middle + 1; i < moved.length; i++) moved[i] = Math.max(moved[i]!, moved[i - 1]! + distance)
  for (let i = middle - 1; i >= 0; i--) moved[i] = Math.min(moved[i]!, moved[i + 1]! - distance)
  return moved
}
