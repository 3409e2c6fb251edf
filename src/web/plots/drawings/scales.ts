import type { Unit } from '../../../text/limits.ts'
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
  /** Digits after the point that tell the ticks apart as they are written. */
  readonly digits: number
  readonly unit: Unit
}

/** A scale with round ends around a range, in about so many steps. */
export function scaleOver(low: number, high: number, steps: number, unit: Unit = 'share'): Scale {
  const ticks = ticksAround(low, Math.max(high, low + 1e-9 * steps), steps)
  const step = ticks[1]! - ticks[0]!
  const shownStep = unit === 'number' ? step : 100 * step
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks, digits: Math.max(0, -Math.floor(Math.log10(shownStep) + 1e-9)), unit }
}

/** The number at a tick, shares and differences in per cent; the sign is printed once, at the end of the axis. */
export function tickText({ ticks, digits, unit }: Scale, tick: number): string {
  const isPercent = unit !== 'number'
  const number = (isPercent ? 100 * tick : tick).toFixed(tick === 0 ? 0 : digits).replace('-', '−')
  return isPercent && tick === ticks.at(-1) ? `${number}\u00a0%` : number
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

/** What a scale for a unit never goes beyond. */
const endsOf = { share: [0, 1], points: [-1, 1], number: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] } as const

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
export function funnelScale(
  newest: MeasuredInterval,
  { tolerance = 0, below }: Asked,
  steps: number,
  unit: Unit = 'share',
): Scale {
  const { value, low, high } = newest
  const [least, most] = endsOf[unit]
  const half = Math.max(high - value, value - low, tolerance, 0.005)
  const bottom = Math.max(least, value - 3 * half)
  const top = Math.min(most, Math.max(value + 3 * half, below === undefined ? least : 1.15 * below))
  if (unit !== 'share') return scaleOver(bottom, top, steps + 2, unit)
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

/** One interval, from zero where that leaves it room enough; else around it. */
export function pictureScale({ low, high }: MeasuredInterval, steps: number, unit: Unit = 'share'): Scale {
  const [least, most] = endsOf[unit]
  const width = Math.max(high - low, 1e-4)
  const top = Math.min(most, high + 1.2 * width)
  if (unit !== 'share') return scaleOver(Math.max(least, low - 1.2 * width), top, steps, unit)
  return scaleOver(low <= 4 * width ? 0 : Math.max(0, low - 1.2 * width), top, steps)
}

/** The interval that was asked for, around the estimate of now. */
export function target({ value }: MeasuredInterval, tolerance: number, unit: Unit = 'share'): { low: number; high: number } {
  const [least, most] = endsOf[unit]
  return { low: Math.max(least, value - tolerance), high: Math.min(most, value + tolerance) }
}

/**
 * Moves places in ascending order as little as needed so that neighbours are at least so far apart and none is beyond the ends, the middle
 * kept where it can be.
 */
export function apart(
  places: readonly number[],
  distance: number,
  [from, to]: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): number[] {
  const middle = Math.floor(places.length / 2)
  const moved = [...places]
  const rightwards = (start: number) => {
    for (let i = start + 1; i < moved.length; i++) moved[i] = Math.max(moved[i]!, moved[i - 1]! + distance)
  }
  const leftwards = (start: number) => {
    for (let i = start - 1; i >= 0; i--) moved[i] = Math.min(moved[i]!, moved[i + 1]! - distance)
  }
  rightwards(middle)
  leftwards(middle)
  if (moved[0]! < from) {
    moved[0] = from
    rightwards(0)
  }
  const last = moved.length - 1
  if (moved[last]! > to) {
    moved[last] = to
    leftwards(last)
  }
  return moved
}
