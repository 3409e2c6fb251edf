import { metrics } from './catalogue.ts'
import type { Around, MetricUnit } from './metric.ts'
import type { NamedMetric } from './metric-names.ts'

/** The points with one value in a column. */
export interface Slice {
  readonly column: string
  readonly value: string
}

/** A metric with all that it is asked about, by name. */
export interface AskedMetric extends NamedMetric {
  readonly slice?: Slice | undefined
  /** Where the pool has grown: how many points it had. */
  readonly poolSize?: number | undefined
  /** Another model: the metric of the predictions minus that of its predictions. */
  readonly against?: string | undefined
}

/** What a row of a table calls it: "recall of spam", "error where region = north", "error in the pool of 500 points", "error minus that of old", "predicted spam, was ham". */
export function metricLabel({ metric, positive, actual, slice, poolSize, against }: AskedMetric): string {
  const { word, label, needs } = metrics[metric]
  const own = needs === 'other model' ? metrics.error.word : word
  const named = positive === undefined ? own : (label?.(positive, actual) ?? `${own} of ${positive}`)
  const minus = against ?? (needs === 'other model' ? 'the others' : undefined)
  const where = `${slice ? ` where ${sliceText(slice)}` : ''}${poolSize === undefined ? '' : ` ${poolText(poolSize)}`}`
  return `${named}${minus === undefined ? '' : ` minus that of ${minus}`}${where}`
}

/** What stands before and after the two limits in a sentence about it; how many points, as people read it. */
export function claimAround({ metric, positive, actual, slice, poolSize, against }: AskedMetric, points: string): Around {
  const whose = positive === undefined ? 'the predictions' : `the predictions for ${positive}`
  const { claim, needs } = metrics[metric]
  const own = needs === 'other model' ? metrics.error.word : metrics[metric].word
  const [before, after] =
    against === undefined ? claim({ points, positive, actual }) : [`the ${own} of ${whose} minus that of ${against} is `, '']
  const where = [...(poolSize === undefined ? [] : [poolText(poolSize)]), ...(slice ? [`where ${sliceText(slice)}`] : [])]
  return [[...where, before].join(', '), after]
}

/** How its values are written. A difference is in percentage points. */
export function unitOf({ metric, against }: Pick<AskedMetric, 'metric' | 'against'>): MetricUnit {
  return against === undefined ? (metrics[metric].unit ?? 'share') : 'points'
}

/** "in the pool of 5,000 points" */
function poolText(poolSize: number): string {
  return `in the pool of ${poolSize.toLocaleString('en')} points`
}

/** "region = north" */
function sliceText({ column, value }: Slice): string {
  return `${column} = ${value}`
}
