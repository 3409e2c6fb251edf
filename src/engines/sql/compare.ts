import type { Formula } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import { identityOf } from '../../core/hash.ts'
import { isLearned, type LearnedModel, type Model, predictedClassFormula, scoresPerPoint, weightsOf } from '../../core/model.ts'
import type { CompareRequest, Comparison } from '../engine.ts'
import type { ScoredPoints } from './engine.ts'
import { beliefOf, scoreColumns } from './survey-formulas.ts'

/** A model and those of the earlier ones that can be scored, as one model that has the scores of all, those of the first in front. */
export function scoredTogether({ model, earlier }: CompareRequest): {
  readonly all: Model
  readonly scored: readonly LearnedModel[]
} {
  const scored = earlier.filter(isLearned)
  if (scored.length === 0) return { all: model, scored }
  const parts = [model, ...scored].map(weightsOf)
  const content = { weights: parts.flatMap(({ weights }) => weights), intercepts: parts.flatMap(({ intercepts }) => intercepts) }
  return { all: { kind: 'linear', id: identityOf(content), loss: '', classes: model.classes, ...content }, scored }
}

/** Counts in one scan, given points with the scores of all models. */
export async function compareScored(
  { model, loss, earlier }: CompareRequest,
  { all, scored }: ReturnType<typeof scoredTogether>,
  points: ScoredPoints,
): Promise<Comparison> {
  const columns = scoreColumns(all)
  const [own, ...others] = [model, ...scored].map((each) => predictedClassFormula(columns.splice(0, scoresPerPoint(each))))
  const isOther = others.map((other) => f.ifEqual(own!, other, 0, 1))
  const [row] = await points.aggregates({
    of: [predictedErrorBy(beliefOf({ model, loss }).probabilities, own!), ...isOther].map((of) => ({ by: 'total', of })),
    step: 'comparing',
  })
  const [predictedError, ...counts] = row!.values.map((value) => value ?? 0)
  const found = new Map(scored.map(({ id }, k) => [id, counts[k]!]))
  const differing = earlier.map(({ id }) => (id === model.id ? 0 : (found.get(id) ?? null)))
  return { points: row!.points, predictedError: predictedError!, differing }
}

/** g: the chance of all classes but the one that is predicted. */
function predictedErrorBy(probabilities: readonly Formula[], predicted: Formula): Formula {
  return f.sum(...probabilities.map((p, k) => f.ifEqual(predicted, k, 0, p)))
}
