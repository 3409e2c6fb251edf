import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashIds, streamKey, uniform, uniformsOf } from './randomness.ts'

const mask = 2n ** 64n - 1n

/** The definition in docs/decisions/randomness.md, in big integers and Node's own hashes. */
function reference(seed: number, stream: string, id: string): number {
  const h = createHash('md5').update(id).digest().readBigUInt64LE(0)
  const k = createHash('sha256').update(`alis:${seed}:${stream}`).digest().readBigUInt64LE(0)
  let z = h ^ k
  z = ((z ^ (z >> 33n)) * 0xff51afd7ed558ccdn) & mask
  z = ((z ^ (z >> 33n)) * 0xc4ceb9fe1a85ec53n) & mask
  z ^= z >> 33n
  return Number((z >> 11n) + 1n) / 2 ** 53
}

it('is the documented function of seed, stream and id', () => {
  for (let i = 0; i < 2000; i++) {
    const id = i % 3 === 0 ? `é‑${i}` : `d${i}`
    expect(uniform(i * 7919, `learn/${i % 11}`, id)).toBe(reference(i * 7919, `learn/${i % 11}`, id))
  }
})

it('does not depend on where the point stands or which others there are', () => {
  const alone = uniformsOf({ seed: 5, name: 'learn/1' }, hashIds(['b']))
  const among = uniformsOf({ seed: 5, name: 'learn/1' }, hashIds(['a', 'b', 'c']))
  expect(among(1)).toBe(alone(0))
  expect(among(1)).toBe(uniform(5, 'learn/1', 'b'))
  expect(among(1, 1)).not.toBe(among(1, 0))
})

it('refuses a seed that a double cannot hold', () => {
  expect(() => streamKey({ seed: -1, name: 'x' })).toThrow('seed: must be a whole number from 0 to 2^53 − 1, got -1')
  expect(() => uniform(0.5, 'x', 'a')).toThrow('seed:')
})

describe('over a hundred thousand points', () => {
  const n = 100_000
  const ids = Array.from({ length: n }, (_, i) => `${i}`)
  const hashes = hashIds(ids)
  const column = (seed: number, name: string) => {
    const u = uniformsOf({ seed, name }, hashes)
    return Float64Array.from(ids, (_, i) => u(i))
  }
  const first = column(1, 'learn/1')

  // Correlations of independent uniforms have standard deviation 1/√n; 4.9 of them is one false alarm in a million.
  const limit = 4.9 / Math.sqrt(n)

  it('lies in (0, 1] and uses all 53 bits evenly', () => {
    const ones = new Float64Array(53)
    for (const u of first) {
      expect(u > 0 && u <= 1).toBe(true)
      let bits = BigInt(u * 2 ** 53) - 1n
      for (let b = 0; b < 53; b++, bits >>= 1n) if (bits & 1n) ones[b]! += 1
    }
    for (const count of ones) expect(Math.abs(count / n - 0.5)).toBeLessThan((4.9 * 0.5) / Math.sqrt(n))
  })

  it('is uniform: chi-square over 1,000 cells', () => {
    const cells = new Float64Array(1000)
    for (const u of first) cells[Math.min(999, Math.floor(u * 1000))]! += 1
    const chi = cells.reduce((sum, c) => sum + (c - n / 1000) ** 2 / (n / 1000), 0)
    expect(Math.abs(chi - 999)).toBeLessThan(4.9 * Math.sqrt(2 * 999))
  })

  it.each([
    ['the next round', column(1, 'learn/2')],
    ['the next seed', column(2, 'learn/1')],
    ['another purpose', column(1, 'audit/1')],
  ])('is independent of %s', (_, other) => {
    expect(Math.abs(correlation(first, other))).toBeLessThan(limit)
    expect(Math.abs(correlation(first.map(tail), other.map(tail)))).toBeLessThan(limit)
  })

  it('is independent of the neighbouring id, and of the id itself', () => {
    expect(Math.abs(correlation(first.subarray(1), first.subarray(0, -1)))).toBeLessThan(limit)
    expect(Math.abs(correlation(first, Float64Array.from(ids, Number)))).toBeLessThan(limit)
  })

  it('would notice a stream used twice', () => {
    expect(correlation(first, column(1, 'learn/1'))).toBeGreaterThan(limit)
  })
})

/** Small values decide which points are drawn, so those are looked at closely. */
const tail = (u: number) => Math.log(u)

function correlation(x: Float64Array, y: Float64Array): number {
  const mean = (v: Float64Array) => v.reduce((a, b) => a + b, 0) / v.length
  const mx = mean(x)
  const my = mean(y)
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = 0; i < x.length; i++) {
    xy += (x[i]! - mx) * (y[i]! - my)
    xx += (x[i]! - mx) ** 2
    yy += (y[i]! - my) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}
