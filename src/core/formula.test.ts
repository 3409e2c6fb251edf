import { describe, expect, it } from 'vitest'
import * as f from './formula.ts'
import * as numbers from './numbers.ts'

const x = f.column('x')
const y = f.column('y')
const at = (formula: f.Formula, ...[a = 0, b = 0]: number[]) => f.evaluate(formula, { x: a, y: b })

describe('a formula', () => {
  it('is computed as it is written', () => {
    expect(at(f.sum(x, y, 1), 2, 3)).toBe(6)
    expect(at(f.difference(x, y), 2, 3)).toBe(-1)
    expect(at(f.product(x, y), 2, 3)).toBe(6)
    expect(at(f.quotient(x, y), 3, 2)).toBe(1.5)
    expect([at(f.largest(x, y), 2, 3), at(f.smallest(x, y), 2, 3)]).toEqual([3, 2])
    expect([at(f.sqrt(x), 9), at(f.exp(x), 1), at(f.log(x), 2), at(f.log2(x), 8), at(f.floor(x), -1.5)]).toEqual([
      3,
      Math.E,
      Math.LN2,
      3,
      -2,
    ])
    expect([at(f.square(x), -3), at(f.negative(x), 2)]).toEqual([9, -2])
    expect(at(f.entry(Float64Array.of(5, 6, 7), x), 2)).toBe(7)
  })

  it('finds the second largest, and the place of the largest: the first of those that tie', () => {
    expect([at(f.second(x, y), 2, 3), at(f.second(x, y, 5, 4), 2, 9), at(f.second(x, y, 1), 7, 7)]).toEqual([2, 5, 7])
    expect([at(f.place(x, y, 1), 0, 3), at(f.place(x, y, 3), 3, 3)]).toEqual([1, 0])
  })

  it('chooses by a comparison', () => {
    const choose = (how: typeof f.ifAbove) => [1, 2, 3].map((a) => at(how(x, y, 10, 20), a, 2))
    expect(choose(f.ifAtLeast)).toEqual([20, 10, 10])
    expect(choose(f.ifAbove)).toEqual([20, 20, 10])
    expect(choose(f.ifEqual)).toEqual([20, 10, 20])
    expect(at(f.ifAbove(x, 0, f.log(x), 0), -1)).toBe(0) // what is not chosen may have no value
  })

  it('leaves out what changes nothing, so that there is less to print', () => {
    expect([f.sum(x), f.largest(x), f.smallest(x), f.product(1, x)]).toEqual([x, x, x, x])
    expect(f.product(-1, x)).toEqual(f.negative(x))
    expect(f.second(x, y)).toEqual(f.smallest(x, y))
    expect(f.softplus(f.negative(x))).toEqual(
      f.sum(f.largest(f.negative(x), 0), (f.softplus(x) as f.Term).of[1]!), // |−x| is |x|
    )
  })
})

it.each([-800, -2, -0.1, 0, 0.3, 5, 800])('functions of numbers are the same as formulas: at %s', (value) => {
  expect(at(f.softplus(x), value)).toBe(numbers.softplus(value))
  expect(at(f.sigmoid(x), value)).toBe(numbers.sigmoid(value))
  expect(at(f.clip(x, -1, 1), value)).toBe(numbers.clip(value, -1, 1))
  expect(at(f.logSumExp([x, y, 1]), value, -3)).toBeCloseTo(numbers.logSumExp([value, -3, 1]), 12)
})
