/**
 * Without a floor, the scale follows from the m largest masses and the sum of all others: one streaming, mergeable pass.
 * `largest` in decreasing order, at least ⌈expected⌉ of them.
 */
export function scaleFromLargest(largest: readonly number[], others: number, expected: number): number {
  const rests = new Float64Array(largest.length + 1) // mass that is not capped, if the k largest are
  rests[largest.length] = others
  for (let k = largest.length - 1; k >= 0; k--) rests[k] = rests[k + 1]! + largest[k]!

  let capped = 0
  while (capped < largest.length && (expected - capped) * largest[capped]! >= rests[capped]!) capped++
  return (expected - capped) / rests[capped]!
}
