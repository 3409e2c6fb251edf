import { describe, expect, it } from 'vitest'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import type { StrataDrawRequest } from '../core/strata.ts'
import { drawByStrata } from './draw-strata.ts'
import { stratifiedMemory } from './stratified.ts'

const idsOf = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`)
const stream = { seed: 1, name: 'audit/1' }

describe('the first draws of many streams', () => {
  // Six points in three strata. A count is binomial: more than 4.9 deviations off once in a million, so some of twelve once in 80,000.
  const ids = idsOf(6)
  const codes = Float64Array.of(7, 7, 7, 2 ** 50, 40, 40)
  const masses = new Map([[7, 1], [40, 2.5], [2 ** 50, 6]]) // biome-ignore format: a table
  const massOf = (i: number) => masses.get(codes[i]!)!
  const total = 3 + 2 * 2.5 + 6
  const streams = 20_000
  const farthest = (found: readonly number[], chances: readonly number[]) =>
    Math.max(...found.map((count, k) => Math.abs(count - streams * chances[k]!) / deviation(chances[k]!)))
  const deviation = (chance: number) => Math.sqrt(streams * chance * (1 - chance))
  const first = ids.map((_, i) => massOf(i) / total)
  const second = ids.map((_, i) => {
    const others = ids.map((_, j) => (j === i ? 0 : (first[j]! * massOf(i)) / (total - massOf(j))))
    return others.reduce((a, b) => a + b, 0)
  })
  const streamAt = (k: number) => ({ seed: 20, name: `${k}` })

  it('are points in proportion to their masses, and the second ones to those of what is left', async () => {
    const pool = stratifiedMemory({ ids, codes })
    const request = { codes: Float64Array.from(masses.keys()), masses: Float64Array.from(masses.values()), size: 2 }
    const found = [0, 1].map(() => new Array<number>(6).fill(0))
    for (let k = 0; k < streams; k++) {
      const draws = await pool.draw({ ...request, stream: streamAt(k) })
      for (const [at, { id }] of draws.entries()) found[at]![ids.indexOf(id)]! += 1
    }
    expect(farthest(found[0]!, first)).toBeLessThan(4.9)
    expect(farthest(found[1]!, second)).toBeLessThan(4.9)
  })

  it('are seen not to be so where the largest u · mass is drawn', () => {
    const hashes = hashIds(ids)
    const found = new Array<number>(6).fill(0)
    for (let k = 0; k < streams; k++) {
      const uniforms = uniformsOf(streamAt(k), hashes)
      const keys = ids.map((_, i) => uniforms(i) * massOf(i))
      found[keys.indexOf(Math.max(...keys))]! += 1
    }
    expect(farthest(found, first)).toBeGreaterThan(4.9)
  })
})

it('takes the smallest keys, however the masses are spread and however many are drawn', async () => {
  const ids = idsOf(3000)
  const hashes = hashIds(ids)
  const codes = Float64Array.from(ids, (_, i) => (i * i) % 97)
  const pool = stratifiedMemory({ ids, hashes, codes })
  for (const spread of [0, 1, 8, 150])
    for (const size of [1, 40, 700, 2999, 3000]) {
      const strata = (await pool.counts()).codes
      const massOf = (code: number) => 10 ** (spread * Math.sin(code))
      const own = { seed: size, name: `${spread}` }
      const uniforms = uniformsOf(own, hashes)
      const keys = Array.from(codes, (code, i) => -Math.log(uniforms(i)) / massOf(code))
      const sorted = [...keys.keys()].sort((a, b) => keys[a]! - keys[b]!)
      const draws = await pool.draw({ codes: strata, masses: strata.map(massOf), size, stream: own })
      expect(draws.map(({ id }) => id)).toEqual(sorted.slice(0, size).map((i) => ids[i]))
      let left = draws[0]!.remaining
      for (const { probability, mass, remaining } of draws.slice(0, 20)) {
        expect(probability).toBe(mass / remaining)
        if (spread < 8) expect(remaining / left).toBeCloseTo(1, 12)
        left -= mass
      }
    }
})

it('asks for more candidates where too few were found', async () => {
  const counts = { codes: Float64Array.of(3), counts: Float64Array.of(1000) }
  const request = { codes: counts.codes, masses: Float64Array.of(2), size: 5, stream }
  const least: number[] = []
  const draws = await drawByStrata(request, counts, async (thresholds) => {
    least.push(thresholds.least[0]!)
    return least.length === 1 ? [] : idsOf(1000).map((id) => ({ id, code: 3 })) // more than were asked for
  })
  expect(least[1]).toBeLessThan(least[0]!)
  const uniforms = uniformsOf(stream, hashIds(idsOf(1000)))
  const best = idsOf(1000).toSorted((a, b) => uniforms(Number(b.slice(1))) - uniforms(Number(a.slice(1))))
  expect(draws.map(({ id }) => id)).toEqual(best.slice(0, 5))
  expect(draws[0]).toMatchObject({ probability: 1 / 1000, remaining: 2000 })
})

it('knows the codes of points that are there, and refuses others', async () => {
  const pool = stratifiedMemory({ ids: ['a', 'b', 'c'], codes: Float64Array.of(5, 0, 5) })
  expect(await pool.codesOf(['c', 'b', 'c'])).toEqual(Float64Array.of(5, 0, 5))
  await pool.take(['a', 'a'])
  await pool.take(['a'])
  expect(await pool.counts()).toEqual({ codes: Float64Array.of(0, 5), counts: Float64Array.of(1, 1) })
  await expect(pool.codesOf(['d'])).rejects.toThrow('pool: a point named "d" is required, got none')
  await expect(pool.take(['d'])).rejects.toThrow('pool: a point named "d" is required, got none')
  await expect(pool.counts(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

it.each([
  [{ ids: ['a', 'a'], codes: Float64Array.of(1, 2) }, 'pool: ids must be unique, got 1 repeated'],
  [{ ids: ['a', 'b'], codes: Float64Array.of(1) }, 'strata: a code for each of 2 points is required, got 1'],
  [{ ids: ['a'], codes: Float64Array.of(Number.NaN) }, 'strata: codes must be whole numbers from 0 to 2^53 − 1, got NaN'],
  [{ ids: ['a'], codes: Float64Array.of(-1) }, 'strata: codes must be whole numbers from 0 to 2^53 − 1, got -1'],
  [{ ids: ['a'], codes: Float64Array.of(0.5) }, 'strata: codes must be whole numbers from 0 to 2^53 − 1, got 0.5'],
])('refuses points that cannot be in strata: %j', (points, message) => {
  expect(() => stratifiedMemory(points)).toThrow(message)
})

it.each([
  [{ size: 1.5 }, 'strata: size must be a whole number, got 1.5'],
  [{ size: -1 }, 'strata: size must be a whole number, got -1'],
  [{ masses: Float64Array.of(1) }, 'strata: a mass for each of 2 codes is required, got 1'],
  [{ masses: Float64Array.of(1, 0) }, 'strata: masses must be finite and above 0, got 0 for 5'],
  [{ masses: Float64Array.of(Number.POSITIVE_INFINITY, 1) }, 'strata: masses must be finite and above 0, got Infinity for 4'],
  [{ codes: Float64Array.of(5, 4) }, 'strata: codes must increase, got 4 after 5'],
])('refuses to draw %j', async (wrong: Partial<StrataDrawRequest>, message) => {
  const pool = stratifiedMemory({ ids: ['a', 'b'], codes: Float64Array.of(4, 5) })
  const request = { codes: Float64Array.of(4, 5), masses: Float64Array.of(1, 1), size: 1, stream }
  await expect(pool.draw({ ...request, ...wrong })).rejects.toThrow(message)
})

it('strata that no point is in are drawn from in vain', async () => {
  const pool = stratifiedMemory({ ids: ['a', 'b'], codes: Float64Array.of(4, 6) })
  const draws = await pool.draw({ codes: Float64Array.of(3, 5, 6, 9), masses: Float64Array.of(1, 1, 2, 1), size: 2, stream })
  expect(draws).toEqual([{ id: 'b', code: 6, order: 1, probability: 1, mass: 2, remaining: 2 }])
})
