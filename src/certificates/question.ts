import { requireInput } from '../core/errors.ts'

/**
 * What is asked of a pool: F = Σ num / Σ den over its points, where what a point adds depends on its kind (all that is known of it
 * before its answer) and its answer. A mean is a ratio whose denominator is known.   @see docs/equations.md#question
 */
export interface Question {
  /** Every pair that an answer can make of a point, by kind. Denominators are not negative. */
  readonly kinds: readonly (readonly Worth[])[]
  /** F lies between these for certain. */
  readonly range: readonly [number, number]
  /** How the variance of a draw depends on F. */
  readonly shape: Shape
}

/** What an answer adds to numerator and denominator. */
export interface Worth {
  readonly num: number
  readonly den: number
}

/** `product`: (f − f₀)(f₁ − f), as for means of 0 and 1; `f1`: f(1 − f)(2 − f). */
export type Shape = 'product' | 'f1'

/** Whether an answer to a point of this kind can change anything: others need not be asked. */
export function isRelevant(worths: readonly Worth[]): boolean {
  const [first] = worths
  return worths.some(({ num, den }) => num !== first!.num || den !== first!.den)
}

/** g(f): the variance of a draw, up to a factor, if f were the truth; kept away from 0. */
export function spreadAt(question: Question, f: number): number {
  const [least, most] = question.range
  return Math.max(rawSpreadAt(question, f), 1e-4 * (most - least) ** 2)
}

/** The same, down to 0 at the ends. */
export function rawSpreadAt({ range: [least, most], shape }: Question, f: number): number {
  return (f - least) * (most - f) * (shape === 'f1' ? 2 - f : 1)
}

/** Means and (co)variances of what a point will add, under a belief about its answer. */
export interface Moments {
  readonly num: number
  readonly den: number
  readonly numNum: number
  readonly numDen: number
  readonly denDen: number
}

/** The moments of a finite number of answers with these probabilities. */
export function momentsOf(worths: readonly Worth[], probabilities: ArrayLike<number>): Moments {
  let [n, d, nn, nd, dd] = [0, 0, 0, 0, 0]
  for (let y = 0; y < worths.length; y++) {
    const p = probabilities[y]!
    const { num, den } = worths[y]!
    n += p * num
    d += p * den
    nn += p * num * num
    nd += p * num * den
    dd += p * den * den
  }
  const variance = (square: number, mean: number) => Math.max(0, square - mean * mean) // which rounding can make negative
  return { num: n, den: d, numNum: variance(nn, n), numDen: nd - n * d, denDen: variance(dd, d) }
}

/** Values of f at which the reach of a draw is kept. Between two, the chord is an upper bound: reach is convex in f. */
export const nodes = 9

export function nodeValues([least, most]: Question['range']): number[] {
  return Array.from({ length: nodes }, (_, j) => least + ((most - least) * j) / (nodes - 1))
}

/** What a question needs of a round: totals over the points that are left when it begins.   @see docs/equations.md#question-totals */
export interface QuestionTotals {
  /** Whether every point that the question depends on could be drawn. Otherwise the round says nothing about it. */
  readonly isCovered: boolean
  /** A: masses of the relevant points. */
  readonly mass: number
  /** Expected sums over all points. */
  readonly num: number
  readonly den: number
  /** Σ variance / mass over the relevant points. */
  readonly numNum: number
  readonly numDen: number
  readonly denDen: number
  /** max (h − d)/a and max (d − h)/a at each node. */
  readonly down: readonly number[]
  readonly up: readonly number[]
}

/** Adds points up to totals: `count` of one kind, with one mass and one belief. */
export function totalsOver({ kinds, range }: Question) {
  const relevant = kinds.map(isRelevant)
  const values = nodeValues(range)
  const sums = { mass: 0, num: 0, den: 0, numNum: 0, numDen: 0, denDen: 0 }
  const down = new Array<number>(nodes).fill(0)
  const up = new Array<number>(nodes).fill(0)
  let isCovered = true
  return {
    add(kind: number, mass: number, belief: Moments, count = 1): void {
      sums.num += count * belief.num
      sums.den += count * belief.den
      if (!relevant[kind]) return
      if (mass <= 0) {
        isCovered = false
        return
      }
      sums.mass += count * mass
      sums.numNum += (count * belief.numNum) / mass
      sums.numDen += (count * belief.numDen) / mass
      sums.denDen += (count * belief.denDen) / mass
      for (let j = 0; j < nodes; j++) {
        const f = values[j]!
        const expected = belief.num - f * belief.den
        for (const { num, den } of kinds[kind]!) {
          const move = (num - f * den - expected) / mass
          if (-move > down[j]!) down[j] = -move
          if (move > up[j]!) up[j] = move
        }
      }
    },
    totals: (): QuestionTotals => ({ isCovered, ...sums, down: [...down], up: [...up] }),
  }
}

/** Refuses what is no question. */
export function requireQuestion({ kinds, range: [least, most] }: Question): void {
  requireInput(least < most, `range: must go from a smaller to a larger value, got ${least} to ${most}`)
  for (const { num, den } of kinds.flat())
    requireInput(
      Number.isFinite(num) && den >= 0 && den < Number.POSITIVE_INFINITY,
      `question: finite numbers and no denominator below 0 are required, got ${num} / ${den}`,
    )
}

/** Refuses what no sums over points can be. */
export function requireTotals({ mass, num, den, numNum, numDen, denDen, down, up }: QuestionTotals): void {
  for (const [name, total] of Object.entries({ num, numDen }))
    requireInput(Number.isFinite(total), `round: ${name} must be finite, got ${total}`)
  for (const [name, total] of [
    ...Object.entries({ mass, den, numNum, denDen }),
    ...[...down, ...up].map((r) => ['reach', r] as const),
  ])
    requireInput(total >= 0 && total < Number.POSITIVE_INFINITY, `round: ${name} must be finite and not negative, got ${total}`)
}
