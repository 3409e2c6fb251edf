const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** "3.1 %" */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`
}

/** "1,797" */
export function count(n: number): string {
  return whole.format(n)
}

/** "1 answer", "1,797 answers" */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

/** With a capital, as a sentence begins. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "ham / spam"; how many there are, where the names would be too long a list. */
export function classNames(classes: readonly string[]): string {
  return classes.length > 6 ? `${classes.length} classes` : classes.join(' / ')
}

/** Three significant digits, written out: "510,000", "0.0123". Beyond a trillion or below 1/10,000 in powers: "5.1e13". */
export function rounded(x: number, digits = 3): string {
  const size = Math.abs(x)
  if (size !== 0 && (size < 1e-4 || size >= 1e12)) return Number(x.toPrecision(digits)).toExponential().replace('e+', 'e')
  return new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits }).format(x)
}

/** "34 ms", "1.9 s", "42 s", "1 min 15 s", "2 h 5 min": two figures are enough to wait by. */
export function seconds(s: number): string {
  if (s < 0.9995) return `${Math.round(1000 * s)} ms`
  if (s < 9.95) return `${s.toFixed(1)} s`
  if (s < 59.5) return `${Math.round(s)} s`
  if (s < 3599.5) return twoUnits(Math.round(s), 'min', 's')
  return twoUnits(Math.round(s / 60), 'h', 'min')
}

function twoUnits(small: number, largeUnit: string, smallUnit: string): string {
  const rest = small % 60
  return `${Math.floor(small / 60)} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`
}

/** "1.5 GiB", as memory is counted. */
export function byteSize(bytes: number): string {
  return sizeIn(bytes, 1024, ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']).join(' ')
}

/** "1.2 MB" with a no-break space, in thousands as disks are sold. */
export function fileSize(bytes: number): string {
  return sizeIn(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB']).join('\u00a0')
}

function sizeIn(bytes: number, base: number, units: readonly string[]): [number: string, unit: string] {
  const power = units.findLastIndex((_, k) => Math.max(1, bytes) >= base ** k)
  const size = bytes / base ** power
  return [size < 10 && power > 0 ? size.toFixed(1) : String(Math.round(size)), units[power]!]
}

/** "error, prevalence or difference" */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** Wherever an estimate would be and the strategy allows none. */
export const noEstimate = 'No unbiased estimate: this strategy does not draw at random.'

/** What becomes of an answer that is changed now. */
export function revisionWords(round: string, { isOpen, isAudit }: { isOpen: boolean; isAudit: boolean }): string {
  if (isOpen) return `${round} is still open, so this simply replaces your answer.`
  const fact = `${round} is closed. The new answer becomes a new fact`
  if (!isAudit) return `${fact}: the estimate is recomputed and marked “revised”.`
  return `${fact}: the interval is computed anew, and certificates that rest on the old answer are void. Decide by the point, never by the interval.`
}
