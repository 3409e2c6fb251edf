import type { Formula } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import { identityOf } from '../../core/hash.ts'
import { isLearned, type Model, predictedClassFormula, scoresPerPoint, weightsOf } from '../../core/model.ts'
import type { CompareRequest, Comparison } from '../engine.ts'
import type { ScoredPoints } from './engine.ts'
import { beliefOf, scoreColumns } from './survey-formulas.ts'

/** Formulas of the classes that models give, by model. */
type ClassFormulas = ReadonlyMap<string, Formula>

/** A model and those of the earlier ones that can be scored, as one model that has the scores of all, those of the first in front; and their classes. */
export function scoredTogether({ model, earlier }: CompareRequest): { readonly all: Model; readonly classes: ClassFormulas } {
  const scored = earlier.filter(isLearned)
  if (scored.length === 0) return { all: model, classes: new Map() }
  const parts = [model, ...scored].map(weightsOf)
  const content = { weights: parts.flatMap(({ weights }) => weights), intercepts: parts.flatMap(({ intercepts }) => intercepts) }
  const all: Model = { kind: 'linear', id: identityOf(content), loss: '', classes: model.classes, ...content }
  const columns = scoreColumns(all).slice(scoresPerPoint(model))
  return {
    all,
    classes: new Map(scored.map((each) => [each.id, predictedClassFormula(columns.splice(0, scoresPerPoint(each)))])),
  }
}

/** Counts in one scan, given points with the scores of the model, and classes of earlier ones. */
export async function compareScored(
  { model, loss, earlier }: CompareRequest,
  classes: ClassFormulas,
  points: ScoredPoints,
): Promise<Comparison> {
  const own = classes.get(model.id) ?? predictedClassFormula(scoreColumns(model))
  const others = [...new Set(earlier.map(({ id }) => id))].filter((id) => classes.has(id))
  const isOther = others.map((id) => f.ifEqual(own, classes.get(id)!, 0, 1))
  const error = predictedErrorBy(beliefOf({ model, loss }).probabilities, own)
  const [row] = await points.aggregates({
    of: [{ by: 'total', of: error }, ...isOther.map((of) => ({ by: 'sum' as const, of }))],
    step: 'comparing',
  })
  const [predictedError, ...counts] = row!.values.map((value) => value ?? 0)
  const found = new Map(others.map((id, k) => [id, counts[k]!]))
  const differing = earlier.map(({ id }) => (id === model.id ? 0 : (found.get(id) ?? null)))
  return { points: row!.points, predictedError: predictedError!, differing }
}

/** g: the chance of all classes but the one that is predicted. */
function predictedErrorBy(probabilities: readonly Formula[], predicted: Formula): Formula {
  return f.sum(...probabilities.map((p, k) => f.ifEqual(predicted, k, 0, p)))
}
