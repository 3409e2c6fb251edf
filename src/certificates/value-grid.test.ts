import { describe, expect, it } from 'vitest'
import type { Question } from './question.ts'
import { ValueGrid, type ValueGridOptions } from './value-grid.ts'

const question: Question = { kinds: [], range: [-1, 3], shape: 'product' }

function gridOf(sign: 1 | -1, options: Partial<ValueGridOptions> = {}): ValueGrid {
  return new ValueGrid({ question, sign, steps: undefined, grid: 64, values: undefined, finest: 0.01, ...options }, 2)
}

const live = (grid: ValueGrid) => [...grid.values.subarray(grid.from, grid.to)]

/** Rejects every value for which something holds. */
function reject(grid: ValueGrid, isOut: (value: number) => boolean): void {
  for (const [k, value] of grid.values.entries()) if (isOut(value)) grid.isOut[k] = 1
  grid.settle()
}

describe('the values', () => {
  it('are closer together towards the ends of the range, and go from the outside in', () => {
    const up = live(gridOf(1))
    expect(up).toHaveLength(64)
    expect(up.every((f, k) => f > -1 && f < 3 && (k === 0 || f > up[k - 1]!))).toBe(true)
    expect(up[1]! - up[0]!).toBeLessThan(0.1 * (up[32]! - up[31]!))
    expect(up[31]! + up[32]!).toBeCloseTo(2, 12) // symmetric around the middle, which is 1
    expect(live(gridOf(-1))).toEqual(up.toReversed())
  })

  it('are those that F can have, where these are known, or those asked for', () => {
    expect(live(gridOf(1, { steps: 4 }))).toEqual([-1, 0, 1, 2, 3])
    expect(live(gridOf(-1, { values: [0, 0.5, 2] }))).toEqual([2, 0.5, 0])
  })

  it('begin with a row of wealth 1 each', () => {
    const { wealth } = gridOf(1, { steps: 2 })
    expect([...wealth]).toEqual([1, 1, 1, 1, 1, 1])
  })
})

describe('the limit', () => {
  it('is the end of the range while nothing is rejected', () => {
    expect([gridOf(1).limit, gridOf(-1).limit]).toEqual([-1, 3])
  })

  it('ends the unbroken run of rejected values, whatever is rejected further in', () => {
    const grid = gridOf(1, { values: [0, 0.5, 1, 1.5] })
    reject(grid, (f) => f <= 0.5 || f === 1.5)
    expect([grid.limit, grid.from]).toEqual([0.5, 2])
    reject(grid, (f) => f === 1)
    expect([grid.limit, grid.from]).toEqual([1.5, 4])
  })

  it('is the next value inside, where F can only have some', () => {
    const [lower, upper] = [gridOf(1, { steps: 4 }), gridOf(-1, { steps: 4 })]
    reject(lower, (f) => f <= 0)
    reject(upper, (f) => f >= 2)
    expect([lower.limit, upper.limit]).toEqual([1, 1])
    reject(lower, () => true)
    expect(lower.limit).toBe(3)
  })
})

describe('narrowing', () => {
  it.each([1, -1] as const)('forgets values beyond the other limit: %i', (sign) => {
    const grid = gridOf(sign, { steps: 4 })
    expect(grid.narrow(1)).toBe(false)
    expect(live(grid)).toEqual(sign === 1 ? [-1, 0, 1] : [3, 2, 1])
    expect(grid.narrow(sign === 1 ? -2 : 4)).toBe(false)
    expect(live(grid)).toEqual([])
  })

  it.each([1, -1] as const)('puts a value into every gap, which goes on with what the next one further in has: %i', (sign) => {
    const grid = gridOf(sign, { values: [0, 0.4, 0.8, 1.2, 1.6, 2], finest: 0.01 })
    for (const [k] of grid.values.entries()) for (const j of [0, 1]) grid.wealth[2 * k + j] = 10 * k + j
    reject(grid, (f) => (sign === 1 ? f <= 0.4 : f >= 1.6))
    expect(grid.narrow(sign === 1 ? 1.6 : 0.4)).toBe(true)
    const expected = sign === 1 ? [0.6, 0.8, 1, 1.2, 1.4, 1.6] : [1.4, 1.2, 1, 0.8, 0.6, 0.4]
    for (const [k, f] of live(grid).entries()) expect(f).toBeCloseTo(expected[k]!, 12)
    expect([...grid.wealth]).toEqual([20, 21, 20, 21, 30, 31, 30, 31, 40, 41, 40, 41])
    expect(grid.limit).toBe(sign === 1 ? 0.4 : 1.6)
  })

  it('does so while fewer than half as many are left as there were to be, and not beyond the finest spacing', () => {
    const refined = (count: number, finest: number) => {
      const grid = gridOf(1, { finest })
      const from = grid.values[64 - count] ?? Number.POSITIVE_INFINITY
      reject(grid, (f) => f < from)
      return grid.narrow(3)
    }
    expect(refined(32, 1e-6)).toBe(false)
    expect(refined(31, 1e-6)).toBe(true)
    expect(refined(31, 1)).toBe(false)
    expect(refined(0, 1e-6)).toBe(false)
  })

  it('leaves gaps as they are that are just as fine as they may be', () => {
    const refined = (finest: number) => {
      const grid = gridOf(1, { values: [0, 1, 2, 3], finest })
      reject(grid, (f) => f === 0)
      return grid.narrow(3)
    }
    expect([refined(1), refined(0.99)]).toEqual([false, true])
  })

  it('ends where the limit is, once the other is beyond it', () => {
    const grid = gridOf(1, { values: [0, 1, 2, 3] })
    reject(grid, (f) => f <= 1)
    expect(grid.narrow(-1)).toBe(false)
    expect([grid.from, grid.to, grid.limit]).toEqual([2, 2, 1])
  })

  it('has nothing more to say of values that were forgotten', () => {
    const grid = gridOf(1, { steps: 4 })
    grid.narrow(0.5)
    reject(grid, (f) => f <= 2)
    expect([grid.from, grid.limit]).toEqual([2, 1])
  })

  it('takes over what is rejected further in', () => {
    const grid = gridOf(1, { values: [0, 1, 2] })
    reject(grid, (f) => f === 0 || f === 2)
    grid.narrow(3)
    expect([...grid.isOut]).toEqual([0, 0, 1, 1])
    reject(grid, (f) => f <= 1)
    expect([grid.limit, live(grid)]).toEqual([2, []])
  })

  it('never touches values that were asked for', () => {
    const grid = gridOf(1, { values: [0, 1, 2], finest: Number.POSITIVE_INFINITY })
    expect(grid.narrow(0.5)).toBe(false)
    expect(live(grid)).toEqual([0, 1, 2])
  })
})

it('deals what is owned out anew', () => {
  const grid = gridOf(1, { steps: 2 })
  grid.refill(3, (k) => k + 1)
  expect([...grid.wealth]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
})

describe('values against which something is owned from the start', () => {
  const start = (f: number) => 2 + f

  it('have a row of it each', () => {
    expect([...gridOf(1, { steps: 2, start }).wealth]).toEqual([1, 1, 3, 3, 5, 5])
    expect([...gridOf(-1, { steps: 2, start }).wealth]).toEqual([5, 5, 3, 3, 1, 1])
  })

  it('go on with what the next one further in has gained, from what is their own', () => {
    const grid = gridOf(1, { values: [0, 1, 2, 4], start })
    for (const [at, owned] of grid.wealth.entries()) grid.wealth[at] = owned * (at % 2 === 0 ? 3 : 0.5)
    reject(grid, (f) => f === 0)
    expect(grid.narrow(4)).toBe(true)
    expect(live(grid)).toEqual([0.5, 1, 1.5, 2, 3, 4])
    const wanted = live(grid).flatMap((f) => [3 * start(f), 0.5 * start(f)])
    for (const [at, owned] of [...grid.wealth].entries()) expect(owned).toBeCloseTo(wanted[at]!, 12)
  })
})
