export interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
  /** Digits after the point that tell the ticks apart when they are written as percentages. */
  readonly digits: number
}

/** A scale with round ends around a range of shares, in about so many steps of 1, 2 or 5 times a power of ten. */
export function scaleOver(low: number, high: number, steps: number): Scale {
  const step = roundStep((high - low) / steps)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks, digits: Math.max(0, -Math.floor(Math.log10(100 * step) + 1e-9)) }
}

/** The number at a tick in per cent; the sign is printed once, at the end of the axis. */
export function tickText({ ticks, digits }: Scale, tick: number): string {
  const number = (100 * tick).toFixed(tick === 0 ? 0 : digits).replace('-', '−')
  return tick === ticks.at(-1) ? `${number}\u00a0%` : number
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below a step. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, 1e-9)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= step * (1 - 1e-9))!
}

/** Whole numbers from 0 to the last, about so many steps. */
export function countTicks(last: number, steps: number): number[] {
  const step = Math.max(1, roundStep((0.8 * last) / steps))
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step)
}
