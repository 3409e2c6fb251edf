import { describe, expect, it } from 'vitest'
import { horizonOf, type RoundLeft, roundLeft, takeOut } from './round-left.ts'

const totals = { isCovered: true, mass: 6, num: 4, den: 8, numNum: 3, numDen: 1, denDen: 2, down: [1], up: [2] }
const left = (drawn = 20): RoundLeft => roundLeft(totals, { allMass: 12, drawn, isPlain: false })

describe('draws that a budget leaves', () => {
  it('are those of the points that matter, by their share of the mass, and count more the more of a pool they are', () => {
    // 80 answers are left, half of them to points that matter: as many as 40 · 100 / (100 − 40) of an endless pool.
    expect(horizonOf(100, 100, left())).toBeCloseTo((0.9 * 4000) / 60, 9)
    expect(horizonOf(100, 1e9, left())).toBeCloseTo(0.9 * 40, 4)
  })

  it('are without end where they are all that is left, or more', () => {
    expect(horizonOf(100, 40, left())).toBe(0.9 * 1e6)
    expect(horizonOf(100, 39, left())).toBe(0.9 * 1e6)
    expect(horizonOf(100, 40.5, left())).toBeLessThan(1e6 / 100)
  })

  it('are a few more once it is spent: a thirtieth of it about, and one at the least', () => {
    expect(horizonOf(1000, 1e9, left(1000))).toBeCloseTo(0.9 * 30, 4)
    expect(horizonOf(20, 1e9, left(20))).toBeCloseTo(0.9, 6)
  })
})

it('a point that is drawn is taken out of what is left, with its mass where that counts', () => {
  const belief = { num: 0.5, den: 1, numNum: 0.25, numDen: 0.125, denDen: 0.5 }
  const [counted, other] = [left(), left()]
  takeOut(counted, 0.5, belief, true)
  takeOut(other, 0.5, belief, false)
  const drawn = { num: 3.5, den: 7, allMass: 11.5, drawn: 21 }
  expect(counted).toEqual({ ...left(), ...drawn, mass: 5.5, numNum: 2.5, numDen: 0.75, denDen: 1 })
  expect(other).toEqual({ ...left(), ...drawn })
})
