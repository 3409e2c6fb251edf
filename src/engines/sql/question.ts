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

/** Columns that an engine must have for each point it looks at: its scores, and x·Mx for each form that was asked for. */
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
export function readingOf(model: Model, reader: Reader): BeliefFormulas {
  const express = requireFormula(reader.express, reader.name)
  return express(scoreColumns(model), model.classes.length)
}

export function beliefOf({ model, loss, forms = [] }: Pick<SurveyRequest, 'model' | 'loss' | 'forms'>): FormBeliefFormulas {
  return { ...readingOf(model, loss), forms: forms.map((_, k) => f.column(formName(k))) }
}

export function weightOf(belief: FormBeliefFormulas, { express, name }: Ingredient): Formula {
  return requireFormula(express, name)(belief, new Float64Array(0))
}

/** What to group by (`bin`) and to add up (`v0`, `v1`, …) for a census: of every part whose total the margins do not tell. */
export function censusFormulas(belief: FormBeliefFormulas, { parts }: Mass): Named {
  const summed = parts.flatMap(({ of }, j) => (of.rankPower ? [] : [[`v${j}`, weightOf(belief, of)] as const]))
  return { bin: marginBinFormula(marginFormula(belief)), ...Object.fromEntries(summed) }
}

/** A row of the census: a bin of margins, how many points are in it, and the totals of the parts, null where there is none. */
export interface CensusRow {
  readonly bin: number
  readonly points: number
  readonly totals: readonly (number | null)[]
}

export function censusFrom(rows: Iterable<CensusRow>, { parts }: Mass): Census {
  const margins = new Float64Array(marginBins)
  const totals = parts.map(() => compensatedSum())
  let points = 0
  for (const row of rows) {
    margins[row.bin]! += row.points
    points += row.points
    for (const [j, total] of totals.entries()) total.add(row.totals[j] ?? 0)
  }
  return { points, margins, totals: totals.map((total) => total.total()) }
}

/** The mass of a point, once a census has been taken. */
export function massFormula(belief: FormBeliefFormulas, mass: Mass, census: Census): Formula {
  return requireFormula(mass.express, mass.name)(census)(belief)
}

/** What to add up, or to take the largest or smallest of. */
export interface Measured {
  readonly by: 'total' | 'max' | 'min'
  readonly of: Formula
}

/** The entries of a survey but the counts, in one order for good; read back by `surveyFrom`. */
export function surveyFormulas(belief: FormBeliefFormulas, controls: readonly BeliefFormulas[], mass: Formula): Measured[] {
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

/** `values` null where there was no point to look at. */
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
