import { accuracy } from './accuracy.ts'
import { balancedAccuracy } from './balanced-accuracy.ts'
import { confusion } from './confusion.ts'
import { difference } from './difference.ts'
import { error } from './error.ts'
import { f1 } from './f1.ts'
import { kappa } from './kappa.ts'
import { macroF1 } from './macro-f1.ts'
import { mean } from './mean.ts'
import type { MetricContext, MetricDefinition } from './metric.ts'
import { precision } from './precision.ts'
import { prevalence } from './prevalence.ts'
import { recall } from './recall.ts'
import { tnr } from './tnr.ts'
import { tpr } from './tpr.ts'

const catalogue = {
  error,
  accuracy,
  'balanced-accuracy': balancedAccuracy,
  precision,
  recall,
  f1,
  'macro-f1': macroF1,
  prevalence,
  confusion,
  kappa,
  tpr,
  tnr,
  mean,
  difference,
} as const satisfies Record<string, MetricDefinition>

export type Metric = keyof typeof catalogue

/** Every metric by name. Library, command, server and page read all they say of metrics from here. */
export const metrics: Readonly<Record<Metric, MetricDefinition>> = catalogue

/** The names, in the order in which people are shown them. */
export const metricNames = Object.keys(metrics) as Metric[]

/** Those that one can ask to be below a value. */
export const ceilingMetrics = metricNames.filter((name) => metrics[name].hasCeiling)

/** Those that are ratios of what is found of one class:  Σ y ŷ / Σ (a ŷ + (1 − a) y). */
export const ratioMetrics = ['precision', 'recall', 'f1'] as const satisfies readonly Metric[]
export type RatioMetric = (typeof ratioMetrics)[number]

/** What is asked if nothing is said: of predictions, of those of two models, and of grades. */
export const usualMetrics = { ofOne: 'error', ofTwo: 'difference', ofGrades: 'mean' } as const satisfies Record<string, Metric>

/** What is asked of the verdicts of a judge. */
export const judgeMetrics = ['prevalence', 'tpr', 'tnr', 'kappa'] as const satisfies readonly Metric[]

/** What a report asks beside the questions of its audit. */
export const reportMetrics = {
  ofClass: ['precision', 'recall'],
  ofCell: 'confusion',
  ofSlice: 'error',
} as const satisfies Record<string, Metric | readonly Metric[]>

export function needsClass(metric: Metric): boolean {
  return metrics[metric].needs === 'class'
}

/** Where a metric lies for certain. */
export function rangeOf(metric: Metric, { range }: Pick<MetricContext, 'range'>): readonly [number, number] {
  return metrics[metric].needs === 'grades' ? range : metrics[metric].range
}

/** The least that a metric can be. */
export function leastOf(metric: Metric): number {
  return metrics[metric].range[0]
}
