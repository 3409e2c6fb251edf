import { bootstrapPicks, type Limits, percentileInterval } from './bootstrap.ts'
import { gridOf, meanCurve, onGrid } from './curves.ts'
import { areaUnder, labelFactor } from './factor.ts'
import { baseline, type ComparePlan } from './plan.ts'
import type { Run, RunRound } from './run.ts'

export interface Result extends Limits {
  readonly strategy: string
  /** Times fewer labels than the baseline for its final error, with its interval. 1 for the baseline. */
  readonly factor: number
  /** The same by log-loss, with its interval. */
  readonly logLossFactor: number
  readonly logLossLow: number
  readonly logLossHigh: number
  readonly finalError: number
  readonly logLoss: number
  /** For two classes. */
  readonly averagePrecision: number | null
  /** Area under the learning curve over that of the baseline: below 1 is better. */
  readonly area: number
  /** Root mean square error of the rounds' unbiased estimates, over that of the baseline; null where there are none. */
  readonly estimateRmse: number | null
  /** Share of the rounds' 95 % intervals that hold the truth. */
  readonly coverage: number | null
  readonly secondsPerRound: number
  /** Mean test error on the grid, with its interval. */
  readonly curve: readonly CurvePoint[]
  /** The factor over that of the best strategy, seed by seed. */
  readonly ofBest: Limits
}

export interface CurvePoint extends Limits {
  readonly labels: number
  readonly error: number
}

export interface Comparison {
  readonly splits: number
  readonly start: number
  readonly batch: number
  readonly budget: number
  readonly results: readonly Result[]
  /** The highest factor, the baseline aside; undefined if it is alone. */
  readonly best: string | undefined
  /** Two factors whose ratio is closer to 1 are as a rule not told apart by so many splits: 0.2 is a fifth more or less. */
  readonly noise: number
}

export function summarise(
  runs: readonly Run[],
  names: readonly string[],
  { seed, start, batch, budget }: Pick<ComparePlan, 'seed' | 'start' | 'batch' | 'budget'>,
): Comparison {
  const lengths = { start, batch, budget }
  const grid = gridOf(lengths)
  const own = (name: string) => runs.filter(({ strategy }) => strategy === name).sort((a, b) => a.split - b.split)
  const reference = own(baseline)
  const picks = bootstrapPicks(reference.length, seed)
  const factors = new Map(names.map((name) => [name, factorsOf(name, own(name), reference, { grid, picks })]))
  const rivals = names.filter((name) => name !== baseline)
  const best = rivals.reduce<string | undefined>(
    (a, b) => (a && factors.get(a)!.factor >= factors.get(b)!.factor ? a : b),
    undefined,
  )

  const ofBest = (name: string): Limits => {
    if (!best || name === best) return { low: 1, high: 1 }
    const top = factors.get(best)!.replicates
    return percentileInterval(factors.get(name)!.replicates.map((factor, b) => factor / top[b]!))
  }
  const results = names.map((name): Result => {
    const { replicates, ...factor } = factors.get(name)!
    return {
      strategy: name,
      ...factor,
      ...percentileInterval(replicates),
      ...measured(own(name), reference, grid),
      curve: curveOf(own(name), { grid, picks }),
      ofBest: ofBest(name),
    }
  })
  const rest = results.filter(({ strategy }) => strategy !== best)
  const noise = median(rest.map(({ ofBest: { low, high } }) => Math.sqrt(high / low) - 1))
  return { splits: reference.length, ...lengths, results, best, noise }
}

/** Whether a comparison is of two classes: only then there is an average precision. */
export const isBinary = (results: readonly Result[]) => results.some(({ averagePrecision }) => averagePrecision !== null)

interface Resampling {
  readonly grid: readonly number[]
  readonly picks: readonly Int32Array[]
}

function factorsOf(name: string, runs: readonly Run[], reference: readonly Run[], { grid, picks }: Resampling) {
  if (name === baseline) return { ...inLogLoss(1, [1]), factor: 1, replicates: new Float64Array(picks.length).fill(1) }
  const between = (value: (round: RunRound) => number) => {
    const own = runs.map((run) => onGrid(run, grid, value))
    const theirs = reference.map((run) => onGrid(run, grid, value))
    return (picks?: Int32Array): number => labelFactor(grid, meanCurve(own, picks), meanCurve(theirs, picks))
  }
  const byError = between(({ error }) => error)
  const byLogLoss = between(({ logLoss }) => logLoss)
  return {
    ...inLogLoss(byLogLoss(), picks.map(byLogLoss)),
    factor: byError(),
    replicates: Float64Array.from(picks, byError),
  }
}

function inLogLoss(logLossFactor: number, replicates: readonly number[]) {
  const { low, high } = percentileInterval(replicates)
  return { logLossFactor, logLossLow: low, logLossHigh: high }
}

function curveOf(runs: readonly Run[], { grid, picks }: Resampling): CurvePoint[] {
  const curves = runs.map((run) => onGrid(run, grid, ({ error }) => error))
  const mean = meanCurve(curves)
  const replicates = picks.map((pick) => meanCurve(curves, pick))
  return grid.map((labels, i) => ({ labels, error: mean[i]!, ...percentileInterval(replicates.map((curve) => curve[i]!)) }))
}

function measured(runs: readonly Run[], reference: readonly Run[], grid: readonly number[]) {
  const last = runs.map(({ rounds }) => rounds.at(-1)!)
  const area = (all: readonly Run[]) => areaUnder(grid, meanCurve(all.map((run) => onGrid(run, grid, ({ error }) => error))))
  const precisions = last.map(({ averagePrecision }) => averagePrecision).filter((value) => value !== null)
  const budget = grid.at(-1)!
  const own = rootMeanSquare(missesOf(runs, budget))
  const theirs = rootMeanSquare(missesOf(reference, budget))
  return {
    finalError: meanOf(last.map(({ error }) => error)),
    logLoss: meanOf(last.map(({ logLoss }) => logLoss)),
    averagePrecision: precisions.length === last.length ? meanOf(precisions) : null,
    area: area(runs) / area(reference),
    estimateRmse: own === null || !theirs ? null : own / theirs,
    coverage: coverageOf(runs),
    secondsPerRound: meanOf(runs.flatMap(({ rounds }) => rounds.slice(1).map(({ seconds }) => seconds))),
  }
}

/** How far the estimates are off. The first tenth of the budget is left out: models that know nothing would drown the rest. */
function missesOf(runs: readonly Run[], budget: number): number[] {
  const rounds = runs.flatMap((run) => run.rounds).filter(({ labels }) => labels > budget / 10)
  return rounds.flatMap(({ estimate, truth }) => (estimate === null || truth === null ? [] : [estimate - truth]))
}

function coverageOf(runs: readonly Run[]): number | null {
  const held = runs
    .flatMap((run) => run.rounds)
    .flatMap(({ low, high, truth }) => (low === null || high === null || truth === null ? [] : [low <= truth && truth <= high]))
  return held.length === 0 ? null : held.filter(Boolean).length / held.length
}

function rootMeanSquare(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.sqrt(meanOf(values.map((value) => value ** 2)))
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
