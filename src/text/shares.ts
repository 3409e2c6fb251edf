import { estimateText, fromToText, intervalTexts, levelText, type Unit, type Writing } from './limits.ts'
import { percent, rounded } from './wording.ts'

/** A measured share; without an interval, its limits are null. */
export interface MeasuredShare {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

type Limits = Pick<MeasuredShare, 'low' | 'high'>

/**
 * "8 %" as a page prints it: with a no-break space, and with a true minus, as differences may need one. Small shares keep one
 * decimal, as 0.4 % is not 0 %.
 */
export function percentage(share: number, decimals = usualDecimals(share)): string {
  return unbroken(percent(share, decimals)).replace(/^-(0\.?0*(?![\d.]))?/, (_, zero) => zero ?? '−')
}

function usualDecimals(share: number): number {
  const tenths = Math.round(Math.abs(share) * 1000)
  return tenths < 20 && tenths % 10 !== 0 ? 1 : 0
}

/** "±2 %", "±0.2" */
export function plusMinus(share: number, unit: Unit = 'share'): string {
  if (unit === 'number') return `±${rounded(share)}`
  return `±${percentage(share, Number.isInteger(Math.round(share * 1e6) / 1e4) ? 0 : 1)}`
}

/** "95 %", and never 100 %. */
export function levelPercentage(level: number): string {
  return unbroken(levelText(level))
}

/** As people read shares: whole per cent while an interval is four points or wider. Other units: as limits are written everywhere. */
function asRead({ low, high }: { readonly low: number; readonly high: number }, writing: Writing): Writing {
  const { unit = 'share' } = writing
  return unit === 'share' && high - low >= 0.04 ? { decimals: 0, ...writing } : writing
}

/** "10 %", as exact as its interval. */
export function valueText({ value, low, high }: MeasuredShare, unit: Unit = 'share'): string {
  const limits = { low: low ?? 0, high: high ?? 1 }
  return unbroken(estimateText(value, limits, asRead(limits, { unit })))
}

/** "3 % to 27 %", or nothing where there is no interval. Limits are rounded outward. */
export function rangeText({ low, high }: Limits, unit: Unit = 'share'): string | undefined {
  return low === null || high === null ? undefined : unbroken(fromToText({ low, high }, asRead({ low, high }, { unit })))
}

/** A value and its limits as a page prints them, and what stands once behind them. Limits are rounded outward. */
export function pageTexts(
  interval: { readonly value: number; readonly low: number; readonly high: number },
  writing: Writing = {},
) {
  const { value, low, high, after } = intervalTexts(interval, asRead(interval, writing))
  return { value: unbroken(value), low: unbroken(low), high: unbroken(high), after }
}

/** With a no-break space before every %. */
export const unbroken = (text: string) => text.replaceAll(' %', '\u00a0%')
