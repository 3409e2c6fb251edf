import { count, percent } from '../parts/numbers.ts'

export interface Range {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

type Limits = Pick<Range, 'low' | 'high'>

/** As many decimals as an interval bears: about two digits of its width; none in particular where it is wide. */
export function decimalsOf({ low, high }: Limits): number | undefined {
  const width = (high ?? 1) - (low ?? 0)
  return width >= 0.1 ? undefined : width >= 0.01 ? 1 : 2
}

/** A percentage with a true minus, as differences may need one. */
export function share(part: number, decimals?: number): string {
  return percent(part, decimals).replace(/^-(0\.?0*(?![\d.]))?/, (_, zero) => zero ?? '−')
}

/** "10 %", as exact as its interval. */
export function valueText(range: Range): string {
  return share(range.value, decimalsOf(range))
}

/** "3 % to 27 %", or nothing where there is no interval. */
export function rangeText({ low, high }: Limits): string | undefined {
  if (low === null || high === null) return undefined
  const decimals = decimalsOf({ low, high })
  return `${share(low, decimals)} to ${share(high, decimals)}`
}

/** A forecast number to two digits: nobody knows the third. */
export function roughly(n: number): string {
  return count(Number(n.toPrecision(2)))
}
