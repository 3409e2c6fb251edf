import { expect, it } from 'vitest'
import { canonicalOrder } from './canonical-order.ts'
import { hashIds } from './randomness.ts'

it('sorts by the whole hash, also where two ids share half of it, whatever the order of the file', () => {
  const ids = Array.from({ length: 200_000 }, (_, i) => `n${i}`)
  const { order, hashes } = canonicalOrder(ids)
  expect(new Set(order).size).toBe(ids.length)
  const sorted = order.map((row) => ids[row]!)
  expect(hashIds(sorted)).toEqual(hashes)
  let shared = 0
  for (let k = 1; k < order.length; k++) {
    const [high, low] = [hashes.high[k]! - hashes.high[k - 1]!, hashes.low[k]! - hashes.low[k - 1]!]
    if (high < 0 || (high === 0 && low <= 0)) throw new Error(`out of order at ${k}`)
    if (high === 0) shared++
  }
  expect(shared).toBeGreaterThan(0) // or nothing was tested
  const turned = ids.toReversed()
  expect(canonicalOrder(turned).order.map((row) => turned[row])).toEqual(sorted)
})

it('names the first row whose id was there before, and the first that had it', () => {
  expect(() => canonicalOrder(['a', 'b', 'c', 'b', 'a', 'b', 'a'], 'name')).toThrow(
    'name: ids must be unique, got "b" in rows 2 and 4',
  )
  expect(canonicalOrder([]).order).toEqual([])
})
