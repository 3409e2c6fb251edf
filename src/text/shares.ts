import { percent } from './wording.ts'

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
  return percent(share, decimals)
    .replace(' ', '\u00a0')
    .replace(/^-(0\.?0*(?![\d.]))?/, (_, zero) => zero ?? '−')
}

function usualDecimals(share: number): number {
  const tenths = Math.round(Math.abs(share) * 1000)
  return tenths < 20 && tenths % 10 !== 0 ? 1 : 0
}

/** "±2 %" */
export function plusMinus(share: number): string {
  return `±${percentage(share, Number.isInteger(Math.round(share * 1e6) / 1e4) ? 0 : 1)}`
}

/** As many decimals as an interval bears: about two digits of its width; none in particular where it is wide. */
export function decimalsOf({ low, high }: Limits): number | undefined {
  const width = (high ?? 1) - (low ?? 0)
  return width >= 0.1 ? undefined : width >= 0.01 ? 1 : 2
}

/** "10 %", as exact as its interval. */
export function valueText(measured: MeasuredShare): string {
  return percentage(measured.value, decimalsOf(measured))
}

/** "3 % to 27 %", or nothing where there is no interval. */
export function rangeText({ low, high }: Limits): string | undefined {
  if (low === null || high === null) return undefined
  const decimals = decimalsOf({ low, high })
  return `${percentage(low, decimals)} to ${percentage(high, decimals)}`
}
