import { accuracy } from './accuracy.ts'
import { difference } from './difference.ts'
import { error } from './error.ts'
import { f1 } from './f1.ts'
import type { MetricDefinition } from './metric.ts'
import { precision } from './precision.ts'
import { prevalence } from './prevalence.ts'
import { recall } from './recall.ts'

const catalogue = { error, accuracy, precision, recall, f1, prevalence, difference } as const satisfies Record<
  string,
  MetricDefinition
>

export type Metric = keyof typeof catalogue

/** Those that are a ratio of two sums. */
export type RatioMetric = { [M in Metric]: (typeof catalogue)[M] extends { den: unknown } ? M : never }[Metric]

/** Every metric by name. Library, command, server and page read all they say of metrics from here. */
export const metrics: Readonly<Record<Metric, MetricDefinition>> = catalogue

/** The names, in the order in which people are shown them. */
export const metricNames = Object.keys(metrics) as Metric[]

/** Those that one can ask to be below a value. */
export const ceilingMetrics = metricNames.filter((name) => metrics[name].hasCeiling)

export function needsClass(metric: Metric): boolean {
  return metrics[metric].needs === 'class'
}

/** The least that a metric can be. */
export function leastOf(metric: Metric): number {
  return Math.min(...(metrics[metric].ends ?? [0, 1]))
}
