import { requireInput } from '../core/errors.ts'
import { type Metric, metricNames, metrics } from '../metrics/catalogue.ts'

/** What is asked of a record, as plain data: two that are equal are the same question. */
export interface QuestionSpec {
  readonly metric: Metric
  /** The class in question; for a cell of the confusion matrix, the class predicted. */
  readonly positive?: string
  /** For a cell of the confusion matrix: the class answered. */
  readonly actual?: string
  /** Only the points with this value in a column. */
  readonly slice?: SliceName
  /** Of a pool that has grown: only the points that were there when it had so many. Default: all that are there now. */
  readonly poolSize?: number
  /** Another model: the metric of the first minus that of this one. */
  readonly against?: string
  /** Chance that the interval holds at all times. */
  readonly level: number
  /** An upper limit alone, which takes all of what the level leaves. */
  readonly isCeiling?: true
  /** For a mean over classes: whether it is bet on itself, rather than its parts alone. Narrower where there are many answers. */
  readonly isLinearised?: true
}

/** A slice: a column and one of its values. */
export interface SliceName {
  readonly column: string
  readonly value: string
}

/** What a metric is asked about. */
export interface QuestionOptions extends Omit<QuestionSpec, 'metric' | 'level' | 'isCeiling' | 'isLinearised'> {
  /** Default 0.95. */
  readonly level?: number
  readonly isCeiling?: boolean
  readonly isLinearised?: boolean
}

/**
 * A question for `ask` and `audit`.
 *
 * @example question('recall', { positive: 'spam', slice: { column: 'language', value: 'de' } })
 */
export function question(metric: Metric, options: QuestionOptions = {}): QuestionSpec {
  const { positive, actual, slice, poolSize, against, level = 0.95, isCeiling = false, isLinearised = false } = options
  requireInput(metricNames.includes(metric), `metric: one of ${metricNames.join(', ')} is required, got ${metric}`)
  const { needs, difference } = metrics[metric]
  const needsClass = needs === 'class' || needs === 'two classes'
  requireInput(!needsClass || positive !== undefined, `positive: a class is required for ${metric}, got none`)
  requireInput(needs !== 'two classes' || actual !== undefined, `actual: a class is required for ${metric}, got none`)
  requireInput(needs !== 'other model' || against !== undefined, `against: another model is required for ${metric}, got none`)
  requireInput(
    against === undefined || needs === 'other model' || difference !== undefined,
    `against: a metric whose difference is a ratio of sums is required, got ${metric}`,
    `Ask for ${metricNames.filter((name) => metrics[name].difference).join(', ')}, or for each model by itself.`,
  )
  requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
  return {
    metric,
    ...(positive !== undefined && needsClass && { positive }),
    ...(actual !== undefined && needs === 'two classes' && { actual }),
    ...(slice && { slice: { column: slice.column, value: slice.value } }),
    ...(poolSize !== undefined && { poolSize }),
    ...(against !== undefined && { against }),
    level,
    ...(isCeiling && { isCeiling }),
    ...(isLinearised && metrics[metric].meanOver && { isLinearised }),
  }
}

/** Equal for equal questions. */
export function keyOf(question: QuestionSpec): string {
  const { metric, positive, actual, slice, poolSize, against, level, isCeiling, isLinearised } = question
  return JSON.stringify([
    metric,
    positive,
    actual,
    slice?.column,
    slice?.value,
    poolSize,
    against,
    level,
    isCeiling,
    isLinearised,
  ])
}

/** A question with the pool that it is about, where there was more than one. */
export function inPool(question: QuestionSpec, poolSize: number | undefined): QuestionSpec {
  return poolSize === undefined || question.poolSize !== undefined ? question : { ...question, poolSize }
}
