import { emptyBelief, type Reader } from '../../core/belief.ts'
import { requireInput } from '../../core/errors.ts'
import { type LearnedModel, predictedClass, scorerOf, scoresPerPoint } from '../../core/model.ts'
import type { RowBatch } from '../../core/rows.ts'
import { applyRecipe } from '../../features/apply.ts'
import type { WantedColumn } from '../../features/cells.ts'
import type { Recipe } from '../../features/recipe.ts'
import { losses } from '../../losses/catalogue.ts'

export interface PredictedRow {
  readonly prediction: string
  /** Probability of the predicted class, as the model has it. */
  readonly confidence: number
  /** Of every class, in the model's order. */
  readonly probabilities: readonly number[]
}

export interface RowPredictor {
  /** Columns to ask a table for, first of all that are asked for. */
  readonly wanted: readonly WantedColumn[]
  /** One a row of a batch that begins with these columns. */
  predict(batch: RowBatch): PredictedRow[]
}

export function predictorOf(model: LearnedModel, recipe: Recipe): RowPredictor {
  const { wanted, features } = applyRecipe(recipe)
  const { classes } = model
  const reader = readerOf(model)
  const scoreRow = scorerOf(model)
  const scores = new Float64Array(scoresPerPoint(model))
  const belief = emptyBelief(classes.length)
  return {
    wanted,
    predict(batch) {
      const rows = features(batch)
      return Array.from({ length: batch.rows }, (_, row): PredictedRow => {
        scoreRow(rows, row, scores)
        reader.read(scores, belief)
        const k = predictedClass(scores)
        return { prediction: classes[k]!, confidence: belief.probabilities[k]!, probabilities: [...belief.probabilities] }
      })
    },
  }
}

/** How the scores of a model are read as probabilities: by the loss it was fitted with. */
function readerOf({ loss }: LearnedModel): Reader {
  const reader = Object.values(losses).find(({ name }) => name === loss)
  requireInput(reader !== undefined, `model: a loss that is known here is required, got ${loss}`, 'Use a newer alis.')
  return reader
}
