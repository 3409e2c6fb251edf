/** How values are written: as 4.2 %, as +1.3 (in percentage points), or as 0.71. */
export type Unit = 'share' | 'points' | 'number'

export interface Limits {
  readonly low: number
  readonly high: number
}

export interface Writing {
  /** Default: a share. */
  readonly unit?: Unit
  /** Digits after the point. Default: as many as the interval bears, about two digits of its width. */
  readonly decimals?: number
}

/** Two limits as text, and what stands once behind them: " percentage points". */
export interface LimitTexts {
  readonly low: string
  readonly high: string
  readonly after: string
}

/**
 * Both limits of an interval, rounded outward: what is printed holds the interval. A limit that is not 0, nor 100 %, is printed as such
 * only if it is within about a hundred-thousandth of it.
 */
export function limitTexts(limits: Limits, { unit = 'share', decimals }: Writing = {}): LimitTexts {
  const digits = decimals ?? decimalsOf(limits, unit)
  return {
    low: written(limits.low, 'down', unit, digits),
    high: written(limits.high, 'up', unit, digits),
    after: unit === 'points' ? ' percentage points' : '',
  }
}

/** "between 3.1 % and 4.7 %", "between −1.2 and +0.4 percentage points" */
export function betweenText(limits: Limits, writing?: Writing): string {
  const { low, high, after } = limitTexts(limits, writing)
  return `between ${low} and ${high}${after}`
}

/** "3.1 % to 4.7 %", "−1.2 to +0.4 percentage points" */
export function fromToText(limits: Limits, writing?: Writing): string {
  const { low, high, after } = limitTexts(limits, writing)
  return `${low} to ${high}${after}`
}

/** A value with its limits, the value rounded to the nearest. */
export function intervalTexts(
  interval: Limits & { readonly value: number },
  writing: Writing = {},
): LimitTexts & { value: string } {
  const { unit = 'share', decimals = decimalsOf(interval, unit) } = writing
  return { value: written(interval.value, 'nearest', unit, decimals), ...limitTexts(interval, writing) }
}

/** One value of an interval, rounded to the nearest and as exact as the interval: "4.2 %", "+0.3 percentage points". */
export function estimateText(value: number, limits: Limits, writing?: Writing): string {
  const texts = intervalTexts({ ...limits, value }, writing)
  return `${texts.value}${texts.after}`
}

/** "95 %", "99.9 %": a level is rounded down, to thousandths at the most, and so is never 100 %. */
export function levelText(level: number): string {
  const decimals = [0, 1, 2, 3].find((digits) => asRead((100 * level).toFixed(digits), true) === level) ?? 3
  return written(level, 'down', 'share', decimals)
}

/** As many decimals as an interval bears; none in particular for shares where it is wide. */
function decimalsOf({ low, high }: Limits, unit: Unit = 'share'): number | undefined {
  const width = high - low
  if (unit === 'number') return width >= 100 ? 0 : width >= 10 ? 1 : width >= 0.1 ? 2 : width >= 0.01 ? 3 : 4
  return width >= 0.1 ? undefined : width >= 0.01 ? 1 : 2
}

/** With one decimal at least, as certificates are written. */
export function withDecimals(limits: Limits, unit: Unit): Writing {
  return { unit, decimals: decimalsOf(limits, unit) ?? 1 }
}

type Rounding = 'down' | 'nearest' | 'up'

/** A number in its unit, with a true minus; 0 and 100 % without decimals. Without so many decimals given, small shares have one. */
function written(x: number, rounding: Rounding, unit: Unit, decimals = Math.abs(x) < 0.02 ? 1 : 0): string {
  const text = roundedText(x, rounding, decimals, unit !== 'number')
  const number = Number(text)
  const isBare = number === 0 || (unit !== 'number' && Math.abs(number) === 100)
  const digits = isBare ? String(Math.abs(number)) : text.replace(/^-/, '')
  const sign = number < 0 ? '−' : number > 0 && unit === 'points' ? '+' : ''
  return `${sign}${digits}${unit === 'share' ? ' %' : ''}`
}

/** With so many decimals; with up to three more where it would be 0, or all of a hundred, and is not. */
function roundedText(x: number, rounding: Rounding, decimals: number, isPercent: boolean): string {
  const isEnd = (printed: number) => printed === 0 || (isPercent && Math.abs(printed) === 100)
  let text = ''
  for (let digits = decimals; digits <= decimals + 3; digits++) {
    text = toFixed(x, rounding, digits, isPercent)
    if (!isEnd(Number(text)) || asRead(text, isPercent) === x) break
  }
  return text
}

/** The number that a person reads: 99.9 % is 0.999, which 99.9 / 100 is not to the last bit. */
const asRead = (text: string, isPercent: boolean) => Number(isPercent ? `${text}e-2` : text)

function toFixed(x: number, rounding: Rounding, digits: number, isPercent: boolean): string {
  const nearest = (isPercent ? 100 * x : x).toFixed(digits)
  const beyond = asRead(nearest, isPercent) - x
  if (rounding === 'down' && beyond > 0) return (Number(nearest) - 10 ** -digits).toFixed(digits)
  if (rounding === 'up' && beyond < 0) return (Number(nearest) + 10 ** -digits).toFixed(digits)
  return nearest
}
