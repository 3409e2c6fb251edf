const thousands = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** 1,797 */
export function count(n: number): string {
  return thousands.format(n)
}

/** "1 answer", "1,797 answers". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

/** A share as a percentage with a no-break space: 0.08 is "8 %". Small shares keep one decimal, as 0.4 % is not 0 %. */
export function percent(share: number, decimals = decimalsOf(share)): string {
  return `${percentNumber(share, decimals)}\u00a0%`
}

/** The same without its sign, for "3 to 27 %". */
function percentNumber(share: number, decimals = decimalsOf(share)): string {
  return (share * 100).toFixed(decimals)
}

/** ±2 % */
export function plusMinus(share: number): string {
  return `±${percent(share, Number.isInteger(Math.round(share * 1e6) / 1e4) ? 0 : 1)}`
}

/** "3 % to 27 %" */
export function interval(low: number, high: number): string {
  return `${percent(low)} to ${percent(high)}`
}

/** 1.2 MB, in thousands as disks are sold. */
export function bytes(n: number): string {
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, n)) / 3)))
  const scaled = n / 1000 ** at
  return `${at > 0 && scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)}\u00a0${units[at]}`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

function decimalsOf(share: number): number {
  const tenths = Math.round(Math.abs(share) * 1000)
  return tenths < 20 && tenths % 10 !== 0 ? 1 : 0
}

/** With a capital, as a sentence begins. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
