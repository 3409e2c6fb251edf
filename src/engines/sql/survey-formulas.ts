import { type BeliefFormulas, marginFormula, type Reader, worstLossFormula } from '../../core/belief.ts'
import { AlisError } from '../../core/errors.ts'
import type { Formula } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import { marginBinFormula, marginBins } from '../../core/margins.ts'
import { type Model, scoresPerPoint } from '../../core/model.ts'
import { compensatedSum } from '../../core/sums.ts'
import type { ControlTotals, Survey } from '../../core/survey.ts'
import type { Census, FormBeliefFormulas, Ingredient, Mass } from '../../masses/mass.ts'
import type { SurveyRequest } from '../engine.ts'
import type { Named } from './select.ts'

/** Columns that an engine must have for each point: its scores, and x·Mx for each form of a request. */
export const scoreName = (k: number): string => `s${k}`
export const formName = (k: number): string => `q${k}`

export const scoreColumns = (model: Model): Formula[] =>
  Array.from({ length: scoresPerPoint(model) }, (_, k) => f.column(scoreName(k)))

/** A formula where one is needed; not everything that can be computed has one. */
export function requireFormula<T>(express: T | undefined, what: string): T {
  if (express) return express
  const hint = 'Give it the method express, or use a pool that fits into memory.'
  throw new AlisError('bad-input', `engine: a formula is required to compute where the pool lies, got none for ${what}`, hint)
}

/** How scores are read, as formulas of the score columns. */
function readingOf(model: Model, reader: Reader): BeliefFormulas {
  return requireFormula(reader.express, reader.name)(scoreColumns(model), model.classes.length)
}

export function beliefOf({ model, loss, forms = [] }: Pick<SurveyRequest, 'model' | 'loss' | 'forms'>): FormBeliefFormulas {
  return { ...readingOf(model, loss), forms: forms.map((_, k) => f.column(formName(k))) }
}

function weightOf(belief: FormBeliefFormulas, { express, name }: Ingredient): Formula {
  return requireFormula(express, name)(belief, new Float64Array(0))
}

/** What to add up, or to take the largest or smallest of; `sum` adds up whole numbers, for which no care is needed. */
export interface Measured {
  readonly by: 'total' | 'sum' | 'max' | 'min'
  readonly of: Formula
}

/** Formulas that are measured, as columns `m0`, `m1`, … */
export const measuredColumns = (of: readonly Measured[]): Named => Object.fromEntries(of.map(({ of }, k) => [`m${k}`, of]))

/** What to measure of the points, all together or bin by bin. */
export interface Aggregation {
  readonly of: readonly Measured[]
  /** The bin of a point, a whole number from 0, and how many bins there are. */
  readonly bins?: { readonly of: Formula; readonly count: number }
  /** The name of this step of the work, for reports of progress. */
  readonly step: string
}

/** How many points a bin has, or the pool, and what was measured of them; null where there is none. */
export interface Aggregates {
  readonly bin: number
  readonly points: number
  readonly values: readonly (number | null)[]
}

/** A census, and with it the formulas of the masses and of all that a survey adds up. */
export interface SurveyTerms {
  readonly census: Census
  readonly mass: Formula
  readonly measured: readonly Measured[]
}

/** Takes a census: counts by margin, and the total of every part; 0 for those whose total the margins tell. */
export async function surveyTerms(
  { model, mass, controls, ...request }: SurveyRequest,
  aggregate: (aggregation: Aggregation) => Promise<readonly Aggregates[]>,
): Promise<SurveyTerms> {
  const belief = beliefOf({ model, ...request })
  const readings = controls.map((control) => readingOf(model, control))
  const rows = await aggregate({
    of: mass.parts.map(({ of }) => ({ by: 'total', of: of.rankPower ? 0 : weightOf(belief, of) })),
    bins: { of: marginBinFormula(marginFormula(belief)), count: marginBins },
    step: 'census',
  })
  const census = censusFrom(rows, mass)
  const settled = requireFormula(mass.express, mass.name)(census)(belief)
  return { census, mass: settled, measured: measuredBy(belief, readings, settled) }
}

function censusFrom(rows: Iterable<Aggregates>, { parts }: Mass): Census {
  const margins = new Float64Array(marginBins)
  const totals = parts.map(() => compensatedSum())
  let points = 0
  for (const row of rows) {
    margins[row.bin]! += row.points
    points += row.points
    for (const [j, total] of totals.entries()) total.add(row.values[j]!)
  }
  return { points, margins, totals: totals.map((total) => total.total()) }
}

/** The entries of a survey but the counts, in one order for good; read back by `surveyFrom`. */
function measuredBy(belief: FormBeliefFormulas, controls: readonly BeliefFormulas[], mass: Formula): Measured[] {
  const worst = worstLossFormula(belief)
  const rate = f.ifAbove(mass, 0, f.quotient(1, mass), 0)
  const perMass = (x: Formula) => f.product(x, rate)
  return [
    { by: 'total', of: mass },
    { by: 'max', of: mass },
    { by: 'min', of: mass },
    { by: 'total', of: worst },
    { by: 'total', of: f.sqrt(worst) },
    { by: 'max', of: worst },
    { by: 'total', of: perMass(worst) },
    ...controls.flatMap(({ probabilities, losses }): Measured[] => {
      const mean = f.sum(...losses.map((loss, k) => f.product(probabilities[k]!, loss)))
      const squares = f.sum(...losses.map((loss, k) => f.product(probabilities[k]!, f.square(loss))))
      return [
        { by: 'total', of: mean },
        { by: 'total', of: perMass(f.largest(0, f.difference(squares, f.square(mean)))) },
        { by: 'max', of: perMass(f.difference(mean, f.smallest(...losses))) },
        { by: 'max', of: perMass(f.difference(f.largest(...losses), mean)) },
      ]
    }),
  ]
}

/** `values` are null where there was no point. */
export function surveyFrom(values: readonly (number | null)[], { points, margins }: Census): Survey {
  const [mass, largestMass, smallestMass, pseudoLoss, rootPseudoLoss, largestPseudoLoss, pseudoLossPerMass, ...rest] = values.map(
    (value) => value ?? 0,
  ) as [number, number, number, number, number, number, number, ...number[]]
  const controls = Array.from({ length: rest.length / 4 }, (_, k): ControlTotals => {
    const [predictedLoss, predictedVariance, down, up] = rest.slice(4 * k, 4 * k + 4) as [number, number, number, number]
    return { predictedLoss, predictedVariance, largestDown: Math.max(0, down), largestUp: Math.max(0, up) }
  })
  const masses = { mass, largestMass, smallestMass }
  const losses = { pseudoLoss, rootPseudoLoss, largestPseudoLoss, pseudoLossPerMass }
  return { points, ...masses, ...losses, margins: Array.from(margins), controls }
}
