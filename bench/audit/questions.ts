import { dense, type FeatureRows } from '../../src/core/features.ts'
import type { Label } from '../../src/core/record.ts'
import { type MadePool, makePool, type PoolRecipe } from './pools.ts'

/** A pool as an audit wants it, and what the audit should find. */
export interface Question {
  readonly ids: readonly string[]
  /** Columns: logit of the chance that the metric is about, predicted class and, for a difference, the rival's. */
  readonly features: FeatureRows
  readonly classes: readonly string[]
  readonly truth: ReadonlyMap<string, Label>
  readonly value: number
}

/** The exact value of every metric that is measured here. */
const exact = {
  error: ({ error }: MadePool) => error,
  precision: (pool: MadePool) => found(pool) / sum(pool.predictions),
  recall: (pool: MadePool) => found(pool) / sum(pool.truths),
  f1: (pool: MadePool) => (2 * found(pool)) / (sum(pool.predictions) + sum(pool.truths)),
  difference: ({ ids, losses, truths, rivals }: MadePool) =>
    (sum(losses) - sum(truths.map((truth, i) => Math.abs(truth - rivals[i]!)))) / ids.length,
}
export type MeasuredMetric = keyof typeof exact

const classes = ['a', 'b'] // b is the positive one

export function askAbout(metric: MeasuredMetric, recipe: PoolRecipe): Question {
  const pool = makePool(recipe)
  const { ids, scores, truths, predictions, rivals } = pool
  const isAboutErrors = metric === 'error' || metric === 'difference'
  const width = metric === 'difference' ? 3 : 2
  const columns = new Float32Array(width * ids.length)
  for (let i = 0; i < ids.length; i++) {
    const isTurned = isAboutErrors && predictions[i] === 1 // wrong if not positive
    const row = [isTurned ? -scores[i]! : scores[i]!, predictions[i]!, rivals[i]!]
    columns.set(row.slice(0, width), width * i)
  }
  return {
    ids,
    features: dense(columns, width),
    classes,
    truth: new Map(ids.map((id, i) => [id, classes[truths[i]!]!])),
    value: exact[metric](pool),
  }
}

/** True positives. */
function found({ truths, predictions }: MadePool): number {
  return sum(truths.map((truth, i) => truth * predictions[i]!))
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0)
}
