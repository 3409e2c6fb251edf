import type { Plan } from './plan.ts'
import type { Question } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

/** Where a mean of ratios is linearised: F̂ and D̂ of every part, fixed before the draws that are bet on with them. */
export interface Expansion {
  readonly ratios: readonly number[]
  /** Denominators. */
  readonly sizes: readonly number[]
}

/** Two numbers that something lies between. */
export type Limits = readonly [low: number, high: number]

/**
 * What a point adds to the mean of K ratios, to first order:  u = Σ_k (num_k − F̂_k den_k)/(K D̂_k),  by kind and answer.
 * @see docs/equations.md#mean-of-ratios
 */
export function slopesOf(parts: readonly Question[], { ratios, sizes }: Expansion): number[][] {
  return parts[0]!.kinds.map((worths, kind) =>
    worths.map((_, answer) =>
      parts.reduce((sum, { kinds }, k) => {
        const { num, den } = kinds[kind]![answer]!
        return sum + (num - ratios[k]! * den) / (parts.length * sizes[k]!)
      }, 0),
    ),
  )
}

/** What first order leaves out,  (1/K) Σ_k (1 − D_k/D̂_k)(F_k − F̂_k),  between the values that limits for F and D allow. */
export function remainderWithin({ ratios, sizes }: Expansion, ofRatios: readonly Limits[], ofSizes: readonly Limits[]): Limits {
  let [low, high] = [0, 0]
  for (const [k, size] of sizes.entries()) {
    const products = ofSizes[k]!.flatMap((d) => ofRatios[k]!.map((f) => (1 - d / size) * (f - ratios[k]!)))
    low += Math.min(...products) / sizes.length
    high += Math.max(...products) / sizes.length
  }
  return [low, high]
}

/**
 * The smallest or the largest mean over parts of which some count for certain and others perhaps: whichever of these make it smaller
 * (sign 1) or larger (−1) count.
 */
export function extremeMean(certain: readonly number[], possible: readonly number[], sign: 1 | -1): number {
  let sum = certain.reduce((a, b) => a + b, 0)
  let count = certain.length
  for (const value of possible.toSorted((a, b) => sign * (a - b))) {
    if (count > 0 && sign * (value - sum / count) >= 0) break
    sum += value
    count++
  }
  return sum / count
}

/** A question with what the record says of it. */
export interface FollowedQuestion {
  readonly question: Question
  readonly interval: QuestionInterval
}

/** The denominator of a part: known, or the question for its mean over all points. */
export function sizeOf({ kinds }: Question, counts: readonly number[]): Question | number {
  const points = counts.reduce((a, b) => a + b, 0)
  const total = (pick: (...values: number[]) => number) =>
    kinds.reduce((sum, worths, kind) => sum + counts[kind]! * pick(...worths.map(({ den }) => den)), 0)
  const [least, most] = [total(Math.min), total(Math.max)]
  if (least === most) return least
  const worths = kinds.map((row) => row.map(({ den }) => ({ num: den, den: 1 })))
  return { kinds: worths, range: [least / points, most / points], shape: 'product' }
}

/** The mean of some ratios to first order: the question for Σ u, and the limits for the mean that follow from it. */
export interface LinearisedMean extends FollowedQuestion {
  limits(ofRatios: readonly Limits[], ofSizes: readonly Limits[]): Limits
}

export interface LinearisationOptions {
  readonly parts: readonly Question[]
  readonly at: Expansion
  readonly counts: readonly number[]
  /** How often each answer to points of a kind was given so far; the last place: "cannot tell". */
  readonly told: readonly (readonly number[])[]
  readonly lower: number
  readonly upper: number
  readonly plan: Plan
  readonly grid: number
}

/** Begins to ask for Σ u: what was answered before is given. Undefined if no answer matters any more. */
export function linearise({ parts, at, counts, told, ...rest }: LinearisationOptions): LinearisedMean | undefined {
  const slopes = slopesOf(parts, at)
  const open = told.map((row, kind) => counts[kind]! - row.slice(0, -1).reduce((a, b) => a + b, 0))
  const extreme = (pick: (...values: number[]) => number) =>
    slopes.reduce((sum, row, kind) => sum + open[kind]! * pick(...row), sumOver(told, slopes))
  const range: Limits = [extreme(Math.min), extreme(Math.max)]
  if (range[1] - range[0] < 1e-12) return undefined
  const points = counts.reduce((a, b) => a + b, 0)
  const kinds = slopes.map((row) => row.map((u) => ({ num: points * u, den: 1 }))) // Σ u as a mean over all points
  const question: Question = { kinds, range, shape: 'product' }
  const interval = new QuestionInterval({ question, counts, ...rest })
  for (const [kind, row] of told.entries())
    for (const [answer, count] of row.entries()) interval.give(kind, kinds[kind]![answer] ?? null, count)
  const centre = meanOf(at.ratios)
  return {
    question,
    interval,
    limits(ofRatios, ofSizes) {
      const { low, high } = interval.answer()
      const [least, most] = remainderWithin(at, ofRatios, ofSizes)
      return [centre + low! + least, centre + high! + most]
    },
  }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}

/** The sum of a table over what was answered. */
export function sumOver(told: readonly (readonly number[])[], table: readonly (readonly number[])[]): number {
  return table.reduce((sum, row, kind) => row.reduce((part, value, answer) => part + told[kind]![answer]! * value, sum), 0)
}
