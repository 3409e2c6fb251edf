import { describe, expect, it } from 'vitest'
import { favourite, raceMasses } from './race-masses.ts'

const groups = [
  { predicted: [0, 1, 0], probabilities: [0.5, 0.3, 0.2], count: 2 },
  { predicted: [2, 2, 1], probabilities: [0.1, 0.25, 0.65], count: 5 },
  { predicted: [1, 1, 1], probabilities: [0.2, 0.7, 0.1], count: 9 },
  { predicted: [0, 3, 1], probabilities: [0.6, 0.4, 0], count: 1 }, // class 3 has no belief
]

describe('the mass of a point', () => {
  it('is for the deviation of what the leader is ahead of its rivals by, and in part the same for all', () => {
    const s = [0.5 + 0.3, 0, undefined, 0.6 + 0].map((square) => square && Math.sqrt(square))
    const mean = (2 * s[0]! + 1 * s[3]!) / (2 + 5 + 1)
    const masses = raceMasses(groups, { race: [0, 1, 2], leader: 0, rivals: [1] })
    for (const [k, wanted] of [0.6 * (s[0]! / mean) + 0.4, 0.4, 0, 0.6 * (s[3]! / mean) + 0.4].entries())
      expect(masses[k]).toBeCloseTo(wanted, 12)
  })

  it('adds the variances of all rivals', () => {
    const s = [0.8, 0.9, 0, 0.6 + 1].map(Math.sqrt)
    const mean = (2 * s[0]! + 5 * s[1]! + 1 * s[3]!) / 8
    const masses = raceMasses(groups, { race: [0, 1, 2], leader: 0, rivals: [1, 2] })
    for (const k of [0, 1, 3]) expect(masses[k]).toBeCloseTo(0.6 * (s[k]! / mean) + 0.4, 12)
  })

  it('is the same for all where the leader has no rival left, or nothing is believed', () => {
    expect([...raceMasses(groups, { race: [0, 1, 2], leader: 0, rivals: [] })]).toEqual([1, 1, 0, 1])
    const blank = groups.map((group) => ({ ...group, probabilities: [] }))
    expect([...raceMasses(blank, { race: [0, 1, 2], leader: 0, rivals: [1, 2] })]).toEqual([1, 1, 0, 1])
  })

  it('is 0 where only models differ that are out', () => {
    const masses = raceMasses(groups, { race: [0, 1], leader: 0, rivals: [1] })
    expect([...masses].map((mass) => mass > 0)).toEqual([true, false, false, true])
  })
})

it('takes the model for the favourite that is believed to be right most often', () => {
  expect(favourite([0, 1, 2], groups)).toBe(0) // at 11.15 of 17 points, the others at 10.15 and 8.95
  expect(favourite([1, 2], groups)).toBe(1)
  expect(favourite([2, 1], groups)).toBe(1)
  expect(favourite([0, 1, 2], [groups[3]!, { ...groups[1]!, probabilities: [0, 0.9, 0.1] }])).toBe(2)
})
