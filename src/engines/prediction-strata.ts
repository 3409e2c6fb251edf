import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import {
  type Axes,
  doubtPlace,
  doubtPlaceFormula,
  gradePlace,
  gradePlaceFormula,
  type Stratify,
  sharePlace,
  sharePlaceFormula,
  stratumCodes,
  unknownChance,
} from '../core/strata.ts'
import type { Frame } from '../questions/frame.ts'

/**
 * Which numbers there are of every point that something was predicted of, in this order: the class that each model predicts, the probability
 * of the first of them, probabilities by class, a grade, and its slices. All are 32-bit numbers, the same on every engine.
 */
export interface PredictionColumns extends Axes {
  /** Whether there is the probability of what the first model predicts. */
  readonly hasShare: boolean
  /** The class that each column of probabilities is of; none where they do not say which class comes second. */
  readonly probabilities: readonly number[]
  /** The least and the largest grade, where there are grades. */
  readonly range?: readonly [number, number]
}

/** How many numbers there are of every point. */
export function widthOfColumns({ models, hasShare, probabilities, range, slices }: PredictionColumns): number {
  return models + Number(hasShare) + probabilities.length + Number(range !== undefined) + slices.length
}

/** The columns of a frame. `probabilities`: the classes that there is one of for every point. */
export function columnsOf(
  { classes, models, slices, range }: Frame,
  hasShare: boolean,
  probabilities: readonly string[],
): PredictionColumns {
  const isTold = classes.length > 2 && probabilities.length >= 2 // which class comes second: of two, the other one
  return {
    classes: classes.length,
    models: models.length,
    slices: slices.map(({ values }) => values.length),
    hasShare,
    probabilities: isTold ? probabilities.map((name) => classes.indexOf(name)) : [],
    ...(range && { range }),
  }
}

/** The stratum of a point from its numbers.   @see docs/equations.md#strata */
export function stratifyPredictions(columns: PredictionColumns): Stratify {
  const { radices } = stratumCodes(columns)
  const { models, hasShare, probabilities, range, slices } = columns
  const [doubts, seconds, shares, grades] = radices.slice(models) as [number, number, number, number]
  const afterShare = models + Number(hasShare)
  const afterProbabilities = afterShare + probabilities.length
  const firstSlice = afterProbabilities + Number(range !== undefined)

  const code = (values: ArrayLike<number>): number => {
    let own = 0
    for (let k = 0; k < models; k++) own = own * columns.classes + values[k]!
    own = own * doubts + doubtPlace(hasShare ? 1 - values[models]! : unknownChance)
    const second = secondIn(values, afterShare, probabilities)
    own = own * seconds + (second < 0 ? columns.classes : probabilities[second]!)
    own = own * shares + (second < 0 ? 0 : sharePlace(shareIn(values, afterShare, probabilities, second)))
    own = own * grades + (range ? gradePlace(shareOfRange(values[afterProbabilities]!, range)) : 0)
    for (let k = 0; k < slices.length; k++) own = own * slices[k]! + values[firstSlice + k]!
    return own
  }

  const express = (values: readonly Formula[]): Formula => {
    const others = values.slice(afterShare, afterProbabilities).map((p, k) => f.ifEqual(values[0]!, probabilities[k]!, -1, p))
    const second = others.length > 0 ? f.entry(Float64Array.from(probabilities), f.place(...others)) : columns.classes
    const digits = [
      ...values.slice(0, models),
      hasShare ? doubtPlaceFormula(f.difference(1, values[models]!)) : doubtPlace(unknownChance),
      second,
      others.length > 0 ? sharePlaceFormula(shareFormula(others)) : 0,
      range ? gradePlaceFormula(shareOfRangeFormula(values[afterProbabilities]!, range)) : 0,
      ...values.slice(firstSlice),
    ]
    return digits.reduce((sum, digit, k) => f.sum(f.product(radices[k]!, sum), digit))
  }

  return { name: 'predictions', code, express }
}

/** The likeliest class but the predicted one, as a place among the probabilities; the first of those that tie, −1 where there are none. */
function secondIn(values: ArrayLike<number>, at: number, classes: readonly number[]): number {
  let best = -1
  for (let k = 0; k < classes.length; k++)
    if (classes[k] !== values[0] && (best < 0 || values[at + k]! > values[at + best]!)) best = k
  return best
}

/** Sums of probabilities are of whole numbers of these parts: they come out the same in any order. */
const parts = 2 ** 36
const partsOf = (probability: number) => Math.floor(parts * probability)

/** The share that a class has of what the predicted one leaves; 0 where nothing is left. */
function shareIn(values: ArrayLike<number>, at: number, classes: readonly number[], second: number): number {
  let rest = 0
  for (let k = 0; k < classes.length; k++) if (classes[k] !== values[0]) rest += partsOf(values[at + k]!)
  return rest > 0 ? partsOf(values[at + second]!) / rest : 0
}

/** `others`: probabilities, with −1 in the place of the predicted class. */
function shareFormula(others: readonly Formula[]): Formula {
  const all = others.map((p) => f.floor(f.product(parts, f.largest(p, 0))))
  const rest = f.sum(...all)
  return f.ifAbove(rest, 0, f.quotient(f.largest(...all), rest), 0)
}

const shareOfRange = (grade: number, [least, most]: readonly [number, number]) => (grade - least) / (most - least)

const shareOfRangeFormula = (grade: Formula, [least, most]: readonly [number, number]): Formula =>
  f.quotient(f.difference(grade, least), most - least)

/** The codes of some rows, in their order, from columns that have a number for every row. */
export function codesOfRows({ code }: Stratify, columns: readonly ArrayLike<number>[], rows: ArrayLike<number>): Float64Array {
  const codes = new Float64Array(rows.length)
  const values = new Float64Array(columns.length)
  for (let k = 0; k < codes.length; k++) {
    for (let j = 0; j < values.length; j++) values[j] = columns[j]![rows[k]!]!
    codes[k] = code(values)
  }
  return codes
}
