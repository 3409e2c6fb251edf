import { sumOf } from '../../core/sums.ts'
import type { Survey } from '../../core/survey.ts'
import type { Census } from '../../masses/mass.ts'
import { formulaCount } from './mass-formula.ts'
import { beyond } from './settled-mass.ts'
import { resultsPerChunk } from './tasks.ts'

/** What the statistics of points come to: how many have a margin in each bin, and the totals of all formulas, chunk by chunk of each slab. */
export interface StatisticsTotals {
  readonly margins: Float64Array
  readonly chunks: readonly Float64Array[]
}

/** The k-th number of every chunk. */
function numbersAt(k: number, chunks: readonly Float64Array[]): number[] {
  const numbers: number[] = []
  for (const results of chunks) for (let at = k; at < results.length; at += resultsPerChunk) numbers.push(results[at]!)
  return numbers
}

/** Counts and totals before a mass is settled, given where the formulas of its parts stand. */
export function censusOfStatistics({ margins, chunks }: StatisticsTotals, formulas: readonly number[]): Census {
  const totals = Array.from({ length: formulaCount }, (_, k) => sumOf(numbersAt(k, chunks)))
  return { points: totals[0]!, margins, totals: formulas.map((k) => totals[k] ?? 0) }
}

/** Σ of the chance that the likeliest class is wrong, from what chunks came to with any masses. */
export const wrongIn = (chunks: readonly Float64Array[]): number => sumOf(numbersAt(3, chunks))

/** The survey with a settled mass, from what the chunks came to. Largest and smallest values lie a little beyond those of points: floats have seven digits. */
export function surveyOfStatistics(chunks: readonly Float64Array[], { points, margins }: Census, controls: number): Survey {
  const total = (k: number) => sumOf(numbersAt(k, chunks))
  const most = (k: number) => beyond * numbersAt(k, chunks).reduce((a, b) => Math.max(a, b), 0)
  const control = { predictedLoss: total(3), predictedVariance: total(5), largestDown: most(8), largestUp: most(9) }
  return {
    points,
    mass: total(0),
    largestMass: most(6),
    smallestMass: points > 0 ? numbersAt(10, chunks).reduce((a, b) => Math.min(a, b)) / beyond : 0,
    pseudoLoss: total(1),
    rootPseudoLoss: total(2),
    largestPseudoLoss: most(7),
    pseudoLossPerMass: total(4),
    margins: Array.from(margins),
    controls: Array.from({ length: controls }, () => control),
  }
}
