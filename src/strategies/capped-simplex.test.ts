import { expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import { type CappedProblem, cappedMinimum } from './capped-simplex.ts'

interface Written extends CappedProblem {
  /** Q */
  readonly rows: readonly Float64Array[]
}

/** Q = AAᵀ for a random A of so many columns: fewer than entries, and Q is singular. */
function problemOf(seed: number, entries: number, columns: number, size: number): Written {
  const a = Array.from({ length: entries }, (_, i) =>
    Array.from({ length: columns }, (_, j) => uniform(seed, `a${j}`, `${i}`) - 0.5),
  )
  const rows = a.map((x) => Float64Array.from(a, (y) => x.reduce((sum, value, j) => sum + value * y[j]!, 0)))
  const quadratic = (i: number) => rows[i]!
  return { rows, quadratic, linear: Float64Array.from({ length: entries }, (_, i) => uniform(seed, 'c', `${i}`) / 10), size }
}

function objective({ rows, linear }: Written, shares: Float64Array): number {
  const product = rows.map((row) => row.reduce((sum, value, j) => sum + value * shares[j]!, 0))
  return shares.reduce((sum, share, i) => sum + share * (product[i]! / 2 + linear[i]!), 0)
}

/**
 * Brute force over the conditions for a minimum: for every way of holding entries at 0 and at 1, the free ones solve  Q α + c = λ,  Σ α = size.
 * The best feasible of these 3ⁿ points is the minimum.
 */
function bruteForce(problem: Written): number {
  const { quadratic, linear, size } = problem
  const n = linear.length
  let best = Number.POSITIVE_INFINITY
  for (let code = 0; code < 3 ** n; code++) {
    const states = Array.from({ length: n }, (_, i) => Math.floor(code / 3 ** i) % 3)
    const free = states.flatMap((state, i) => (state === 2 ? [i] : []))
    const shares = Float64Array.from(states, (state) => (state === 1 ? 1 : 0))
    const rest = size - shares.reduce((a, b) => a + b, 0)
    if (free.length === 0 && rest !== 0) continue
    const rows = free.map((i) => [
      ...free.map((j) => quadratic(i)[j]!),
      -1,
      -linear[i]! - quadratic(i).reduce((sum, value, j) => sum + value * shares[j]!, 0),
    ])
    const solved = solve([...rows, [...free.map(() => 1), 0, rest]])
    if (free.length > 0 && !solved) continue
    for (const [k, i] of free.entries()) shares[i] = solved![k]!
    if (shares.every((share) => share >= -1e-12 && share <= 1 + 1e-12)) best = Math.min(best, objective(problem, shares))
  }
  return best
}

/** Gauss with pivoting; undefined if singular. */
function solve(rows: number[][]): number[] | undefined {
  const n = rows.length
  for (let k = 0; k < n; k++) {
    const pivot = rows.slice(k).reduce((best, row, i) => (Math.abs(row[k]!) > Math.abs(rows[best]![k]!) ? i + k : best), k)
    if (Math.abs(rows[pivot]![k]!) < 1e-12) return undefined
    ;[rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!]
    for (let i = 0; i < n; i++) {
      if (i === k) continue
      const factor = rows[i]![k]! / rows[k]![k]!
      for (let j = k; j <= n; j++) rows[i]![j]! -= factor * rows[k]![j]!
    }
  }
  return rows.map((row, k) => row[n]! / row[k]!)
}

it('finds the minimum that brute force finds, to 1e-8', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const problem = problemOf(seed, 7, 9, 1 + (seed % 6))
    const shares = cappedMinimum(problem, { tolerance: 1e-13 })
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(problem.size, 12)
    for (const share of shares) expect(share >= 0 && share <= 1).toBe(true)
    expect(Math.abs(objective(problem, shares) - bruteForce(problem))).toBeLessThan(1e-8)
  }
})

it('meets the conditions for a minimum on larger problems, singular ones too', () => {
  for (const [seed, columns] of [
    [1, 200],
    [2, 20],
    [3, 3],
  ] as const) {
    const problem = problemOf(seed, 150, columns, 12)
    const shares = cappedMinimum(problem, { tolerance: 1e-12 })
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(12, 10)
    const gradient = problem.rows.map((row, i) => row.reduce((sum, value, j) => sum + value * shares[j]!, problem.linear[i]!))
    const raisable = Math.min(...gradient.filter((_, i) => shares[i]! < 1))
    const lowerable = Math.max(...gradient.filter((_, i) => shares[i]! > 0))
    expect(lowerable - raisable).toBeLessThan(1e-8)
  }
})

it('lowers the objective with every step', () => {
  const problem = problemOf(5, 60, 30, 9)
  const values = Array.from({ length: 40 }, (_, steps) => objective(problem, cappedMinimum(problem, { steps, tolerance: 0 })))
  for (let step = 1; step < values.length; step++) expect(values[step]!).toBeLessThanOrEqual(values[step - 1]! + 1e-15)
  expect(values.at(-1)!).toBeLessThan(values[0]! - 0.01)
})

it('takes everything when everything is asked for, and settles ties in order', () => {
  expect([...cappedMinimum(problemOf(1, 5, 3, 5))]).toEqual([1, 1, 1, 1, 1])
  const flat = { quadratic: () => new Float64Array(4), linear: new Float64Array(4), size: 2 }
  expect([...cappedMinimum(flat)]).toEqual([1, 1, 0, 0])
})
