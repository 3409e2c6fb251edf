import { predictedError } from '../../core/belief.ts'
import {
  isLinear,
  type LearnedModel,
  type LinearModel,
  type Model,
  predictedClass,
  scorerOf,
  scoresPerPoint,
} from '../../core/model.ts'
import type { Ingredient } from '../../masses/mass.ts'
import type { CompareRequest, Comparison } from '../engine.ts'
import { keptClasses } from '../kept-classes.ts'
import { cellTotal } from './cell-survey.ts'
import { wrongIn } from './class-statistics.ts'
import { isSoftmax, noMass } from './mass-formula.ts'
import { canScore, makeStatistics, quadratureFor, type SurveyedPool } from './pool-survey.ts'
import { type Cells, cellsFor } from './score-cells.ts'
import { scoreError, treesError } from './score-errors.ts'
import type { ClassBlocks } from './slab-classes.ts'

/** Classes that kernels keep a byte for, at most. */
const mostLabels = 255

const error: Ingredient = { name: 'error', value: predictedError }

/** Classes of models in slabs, kept from one comparison to the next. */
export function poolComparison(pool: SurveyedPool) {
  const { passes } = pool
  const kept = keptClasses<ClassBlocks>((blocks) => passes.classes.forget(blocks))
  const canCompare = (model: Model): model is LearnedModel => canScore(pool, model) && model.classes.length <= mostLabels

  return {
    /** Undefined where the way of the reference is the only one. */
    async compare({ model, loss, earlier }: CompareRequest): Promise<Comparison | undefined> {
      if (!canCompare(model) || !earlier.every(canCompare)) return undefined
      const bits = [model, ...earlier].every(hasOneScore) ? 1 : 8
      if (bits === 8 && !isSoftmax(loss, model.classes.length)) return undefined
      const known = new Map<string, ClassBlocks>()
      for (const each of [...earlier, model]) {
        const before = known.get(each.id) ?? kept.of(each)
        const own = before?.bits === bits ? before : await classesOf(pool, each, bits, cellsFor(loss))
        if (!own) return undefined
        known.set(each.id, own)
      }
      kept.comparedWith(known)
      const total = await totalError(pool, model, loss)
      if (!total) return undefined
      const others = earlier.map(({ id }) => known.get(id)!)
      return { ...total, differing: await passes.classes.countDiffering(known.get(model.id)!, others) }
    },
    /** The classes that were made to compare a model stay, if it is drawn with. */
    drawnWith: (model: Model) => kept.drawnWith(model),
  }
}

/** Whether it tells two classes apart by the sign of a sum, which cells are made for. */
const hasOneScore = (model: LearnedModel): model is LinearModel => isLinear(model) && model.weights.length === 1

/** How many points are left, and what a model expects of its errors there. */
async function totalError(pool: SurveyedPool, model: LearnedModel, loss: CompareRequest['loss']) {
  const points = pool.passes.pointsLeft()
  if (!hasOneScore(model)) {
    await makeStatistics(pool, model)
    return { points, predictedError: wrongIn(await pool.passes.massTotals(noMass)) }
  }
  const quadrature = await quadratureFor(pool, model, cellsFor(loss))
  const predicted = quadrature ? cellTotal(quadrature, loss, error) : Number.NaN
  return Number.isFinite(predicted) ? { points, predictedError: predicted } : undefined
}

/** To the last bit those of predictions: where they are not certain, points are scored as predictions are. */
async function classesOf(
  pool: SurveyedPool,
  model: LearnedModel,
  bits: ClassBlocks['bits'],
  cells: Cells,
): Promise<ClassBlocks | undefined> {
  const { passes, slabs } = pool
  if (isLinear(model) && model.weights.every((row) => row.every((weight) => weight === 0)))
    return passes.classes.constant(bits, predictedClass(model.intercepts))
  const settle = exactClasses(pool, model)
  const distance = isLinear(model) ? scoreError(slabs, model) : treesError(slabs, model)
  const blocks = passes.classes.add(bits)
  if (bits === 1 && hasOneScore(model)) {
    const isThere = await quadratureFor(pool, model, cells, { blocks, doubt: distance })
    passes.classes.settle(blocks, settle)
    if (isThere) return blocks
    passes.classes.forget(blocks)
    return undefined
  }
  await makeStatistics(pool, model, undefined, { blocks, doubt: 2 * distance + 1e-6 }) // chances are no farther apart than scores
  passes.classes.settle(blocks, settle)
  return blocks
}

/** The class of a row as predictions have it. */
function exactClasses({ features }: SurveyedPool, model: LearnedModel): (row: number) => number {
  const score = scorerOf(model)
  const scores = new Float64Array(scoresPerPoint(model))
  return (row) => {
    score(features, row, scores)
    return predictedClass(scores)
  }
}
