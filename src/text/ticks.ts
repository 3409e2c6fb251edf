/** Round numbers, about as many as wanted, that lie in [low, high]: multiples of 1, 2 or 5 times a power of ten. */
export function ticksWithin(low: number, high: number, wanted: number): number[] {
  const step = niceStep((high - low) / wanted)
  return multiples(Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9), step)
}

/** The same, but the first and the last tick take in both ends. */
export function ticksAround(low: number, high: number, wanted: number): number[] {
  const step = niceStep((high - low) / wanted)
  return multiples(Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9), step)
}

function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return power * ([1, 2, 5].find((factor) => factor * power >= step * (1 - 1e-9)) ?? 10)
}

/** Divides by the inverse of a small step, so that three tenths come out as 0.3 and not as 0.30000000000000004. */
function multiples(first: number, last: number, step: number): number[] {
  const inverse = Math.round(1 / step)
  return Array.from({ length: last - first + 1 }, (_, k) => (step < 1 ? (first + k) / inverse : (first + k) * step))
}
