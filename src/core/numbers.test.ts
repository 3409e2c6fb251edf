import { describe, expect, it } from 'vitest'
import { clip, logSumExp, sigmoid, sign, softplus } from './numbers.ts'

describe('log(1 + eˣ)', () => {
  it('is what it says where that can be computed', () => {
    for (const x of [-3, -0.1, 0, 0.1, 3]) expect(softplus(x)).toBeCloseTo(Math.log(1 + Math.exp(x)), 14)
  })

  it('loses no digit far out, and does not overflow', () => {
    expect(softplus(-50)).toBeCloseTo(Math.exp(-50), 35)
    expect(softplus(-50)).toBeGreaterThan(0)
    expect([softplus(800), softplus(-800)]).toEqual([800, 0])
  })
})

describe('1 / (1 + e⁻ˣ)', () => {
  it('is what it says, also on the other side of 0', () => {
    for (const x of [-3, -0.1, 0, 0.1, 3]) expect(sigmoid(x)).toBeCloseTo(1 / (1 + Math.exp(-x)), 15)
    for (const x of [0.3, 5, 30]) expect(sigmoid(x) + sigmoid(-x)).toBeCloseTo(1, 15)
  })

  it('is 0 or 1 far out, and keeps small chances', () => {
    expect([sigmoid(1000), sigmoid(-1000), sigmoid(Number.POSITIVE_INFINITY)]).toEqual([1, 0, 1])
    expect(sigmoid(-50) / Math.exp(-50)).toBeCloseTo(1, 12)
  })
})

it('keeps a number between two others', () => {
  expect([clip(-1, 0, 2), clip(1, 0, 2), clip(3, 0, 2)]).toEqual([0, 1, 2])
})

it('takes 0 for positive, as the pseudo-labels of the paper do', () => {
  expect([sign(-1e-300), sign(0), sign(-0), sign(2)]).toEqual([-1, 1, 1, 1])
})

describe('log Σ eˣ', () => {
  it('is what it says', () => {
    expect(logSumExp([0.5, -1, 2])).toBeCloseTo(Math.log(Math.exp(0.5) + Math.exp(-1) + Math.exp(2)), 14)
  })

  it('neither overflows nor vanishes', () => {
    expect(logSumExp([1000, 1000])).toBeCloseTo(1000 + Math.log(2), 12)
    expect(logSumExp(Float64Array.of(-1000, -1001))).toBeCloseTo(-1000 + Math.log1p(Math.exp(-1)), 12)
  })
})
