import { emptyBelief, type Reader } from '../core/belief.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import { predictedClass, predictedClassFormula } from '../core/model.ts'
import {
  type Axes,
  doubtPlace,
  doubtPlaceFormula,
  type Stratify,
  sharePlace,
  sharePlaceFormula,
  stratumCodes,
} from '../core/strata.ts'

/**
 * A classifier's scores as strata: the class that is predicted, how much the model doubts it, and, of more than two classes, which is likeliest
 * after it, with its share of what the predicted one leaves.   @see docs/equations.md#strata
 */
export function stratifyModel(loss: Reader, classes: number): { readonly axes: Axes; readonly stratify: Stratify } {
  const axes = { classes, models: 1, slices: [] }
  const [, doubts, seconds, shares, grades] = stratumCodes(axes).radices as [number, number, number, number, number]
  const isKnown = classes > 2 // which class comes second: of two, the other one
  const belief = emptyBelief(classes)

  const code = (scores: ArrayLike<number>): number => {
    loss.read(scores, belief)
    const predicted = predictedClass(scores)
    const doubt = doubtPlace(1 - belief.probabilities[predicted]!)
    const second = isKnown ? secondClass(scores, predicted) : classes
    const share = isKnown ? sharePlace(shareOf(second, predicted, belief.probabilities)) : 0
    return (((predicted * doubts + doubt) * seconds + second) * shares + share) * grades
  }

  const express = (scores: readonly Formula[], reading: Expressing): Formula => {
    const { probabilities } = reading(scores, classes)
    const predicted = predictedClassFormula(scores)
    const doubt = doubtPlaceFormula(f.difference(1, f.largest(...probabilities))) // predicted is what is likeliest
    const second = isKnown ? f.place(...without(predicted, scores, Number.NEGATIVE_INFINITY)) : classes
    const share = isKnown ? sharePlaceFormula(shareFormula(without(predicted, probabilities, 0))) : 0
    const digits = [[doubt, doubts], [second, seconds], [share, shares], [0, grades]] as const // biome-ignore format: a table
    return digits.reduce<Formula>((sum, [digit, radix]) => f.sum(f.product(radix, sum), digit), predicted)
  }

  const { express: reading } = loss
  const name = `strata of ${loss.name}`
  return { axes, stratify: { name, code, ...(reading && { express: (scores) => express(scores, reading) }) } }
}

type Expressing = NonNullable<Reader['express']>

/** The likeliest class but the one that is predicted; the first of those that tie. */
function secondClass(scores: ArrayLike<number>, predicted: number): number {
  let best = predicted === 0 ? 1 : 0
  for (let k = best + 1; k < scores.length; k++) if (k !== predicted && scores[k]! > scores[best]!) best = k
  return best
}

/** The share that a class has of what the predicted one leaves, added up: near certainty, 1 − p has no digits left. 0 where nothing is left. */
function shareOf(second: number, predicted: number, probabilities: Float64Array): number {
  let rest = 0
  for (let k = 0; k < probabilities.length; k++) if (k !== predicted) rest += probabilities[k]!
  return rest > 0 ? probabilities[second]! / rest : 0
}

function shareFormula(others: readonly Formula[]): Formula {
  const rest = f.sum(...others)
  return f.ifAbove(rest, 0, f.quotient(f.largest(...others), rest), 0)
}

/** Values by class, with another one in the place of the predicted class. */
const without = (predicted: Formula, values: readonly Formula[], instead: number): Formula[] =>
  values.map((value, k) => f.ifEqual(predicted, k, instead, value))
