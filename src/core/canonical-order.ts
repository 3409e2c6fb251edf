import { requireInput } from './errors.ts'
import { hashIds, type PointHashes } from './randomness.ts'

/**
 * Rows sorted by the hash of their ids (and the hashes in that order), so that sums come out the same to the last bit however
 * the file is sorted. The ids must differ; `column` says where they come from.
 */
export function canonicalOrder(ids: readonly string[], column = 'id'): { order: number[]; hashes: PointHashes } {
  const { low, high } = hashIds(ids)
  const order = sortedBy(high)
  const sorted = inOrder(high, order)
  // Two of a million ids share half a hash now and then: there the other half decides, then the id.
  for (let start = 0, end = 1; start < order.length; start = end++) {
    while (sorted[end] === sorted[start]) end++
    if (end === start + 1) continue
    const tied = order.slice(start, end).sort((a, b) => low[a]! - low[b]! || compare(ids[a]!, ids[b]!) || a - b)
    for (const [k, row] of tied.entries()) order[start + k] = row
  }
  const hashes = { low: inOrder(low, order), high: sorted }
  requireUnique(column, ids, order, hashes)
  return { order, hashes }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Positions sorted by their values: each value above its position in one 64-bit number, and the numbers sorted. */
function sortedBy(values: Int32Array): number[] {
  const halves = new Int32Array(2 * values.length) // little endian: the lower half comes first
  for (let i = 0; i < values.length; i++) {
    halves[2 * i] = i
    halves[2 * i + 1] = values[i]!
  }
  new BigInt64Array(halves.buffer).sort()
  const order = new Array<number>(values.length)
  for (let k = 0; k < order.length; k++) order[k] = halves[2 * k]!
  return order
}

function inOrder(words: Int32Array, order: readonly number[]): Int32Array {
  const sorted = new Int32Array(words.length)
  for (let k = 0; k < sorted.length; k++) sorted[k] = words[order[k]!]!
  return sorted
}

/** Equal ids have equal hashes, so they are neighbours now. Names the first row whose id was there before. */
function requireUnique(column: string, ids: readonly string[], order: readonly number[], { low, high }: PointHashes): void {
  let first = -1
  let again = ids.length
  for (let k = 1; k < order.length; k++) {
    if (low[k] !== low[k - 1] || high[k] !== high[k - 1] || ids[order[k]!] !== ids[order[k - 1]!]) continue
    if (order[k]! < again) [first, again] = [order[k - 1]!, order[k]!]
  }
  requireInput(
    first < 0,
    `${column}: ids must be unique, got ${JSON.stringify(ids[first])} in rows ${first + 1} and ${again + 1}`,
    'Choose another column with --id.',
  )
}
