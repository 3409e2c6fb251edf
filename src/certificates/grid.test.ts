import { expect, it } from 'vitest'
import { Grid } from './grid.ts'

const grid = (side: 'lower' | 'upper', finest = 2 ** -14) => new Grid({ side, choice: { finest }, start: [1] })

/** Rejects every value on the outer side of a point. */
function rejectUpTo(target: Grid, isOuter: (value: number) => boolean): void {
  for (let k = target.from; k < target.to; k++) if (isOuter(target.values[k]!)) target.reject(k)
}

it('ends a limit with the unbroken run of rejected values, whatever is rejected further in', () => {
  const lower = grid('lower')
  rejectUpTo(lower, (m) => m <= 0.25 || (m > 0.5 && m < 0.6))
  lower.settle(1)
  expect(lower.limit).toBe(0.25)
})

it.each(['lower', 'upper'] as const)('refines a %s limit from the last rejected value to the other limit', (side) => {
  const one = grid(side)
  rejectUpTo(one, (m) => (side === 'lower' ? m <= 0.25 : m >= 0.5))
  one.settle(side === 'lower' ? 0.5 : 0.25)
  const values = [...one.values.subarray(one.from, one.to)].sort((a, b) => a - b)
  const spacing = values[1]! - values[0]!
  expect(spacing).toBe(2 ** -12) // 128 values, 256, 512, 1,024: no longer few
  expect(values.every((m, k) => k === 0 || m - values[k - 1]! === spacing)).toBe(true)
  if (side === 'lower') expect([values[0], values.at(-1)]).toEqual([0.25 + spacing, 0.5])
  else expect([values[0], values.at(-1)]).toEqual([0.25, 0.5 - spacing])
})

it('lets a new value go on with what the next value further in has, which can only be less', () => {
  for (const side of ['lower', 'upper'] as const) {
    const one = grid(side)
    for (let k = one.from; k < one.to; k++) one.rows[k] = k // further in, larger: any row will do, if it is told apart
    const before = new Map(Array.from(one.values, (m, k) => [m, one.rows[k]!]))
    rejectUpTo(one, (m) => (side === 'lower' ? m <= 0.5 : m >= 0.5))
    one.settle(side === 'lower' ? 0.75 : 0.25)
    const inward = side === 'lower' ? Math.ceil : Math.floor
    for (let k = one.from; k < one.to; k++) expect(one.rows[k]).toBe(before.get(inward(one.values[k]! * 512) / 512))
  }
})

it('stops at the spacing asked for, and a given grid is never refined', () => {
  const fine = grid('lower', 2 ** -10)
  rejectUpTo(fine, (m) => m <= 0.9)
  fine.settle(1)
  expect(fine.values[fine.from + 1]! - fine.values[fine.from]!).toBe(2 ** -10)
  const given = new Grid({ side: 'upper', choice: { values: Float64Array.of(0.1, 0.2, 0.3) }, start: [1, 2] })
  given.reject(0)
  given.settle(0)
  expect([given.limit, given.values.length, given.rejected(), given.rowOf(0.2)]).toEqual([0.3, 3, [0.3], [1, 2]])
})

it('has nothing left to refine once everything is rejected', () => {
  const one = grid('lower')
  rejectUpTo(one, () => true)
  one.settle(1)
  expect([one.limit, one.to - one.from]).toEqual([1, 0])
})
