import { type Metric, metricNames } from './catalogue.ts'

/** What is true of a point, given an answer to it: each is 0 or 1. */
export interface Judged {
  /** Whether the prediction is wrong, and that of the other model. */
  readonly wrong: number
  readonly otherWrong: number
  /** Whether the point is predicted to be of the class in question, and whether it is. */
  readonly predicted: number
  readonly positive: number
}

/** A metric as intervals for means and for ratios of two classes take it. */
export interface JudgedMetric {
  num(judged: Judged): number
  /**
   * 1 if left out: F is a mean. A ratio has  num = predicted · positive  and  den = a · predicted + (1 − a) · positive,  which is what
   * limits can be computed for.
   */
  den?(judged: Judged): number
  /** For a mean, the value of num that counts as 0, and the one that counts as 1; others lie between. [0, 1] if left out. */
  readonly ends?: readonly [number, number]
}

const found = ({ predicted, positive }: Judged) => predicted * positive

const judged = {
  error: { num: ({ wrong }) => wrong },
  accuracy: { num: ({ wrong }) => 1 - wrong, ends: [1, 0] },
  precision: { num: found, den: ({ predicted }) => predicted },
  recall: { num: found, den: ({ positive }) => positive },
  f1: { num: found, den: ({ predicted, positive }) => (predicted + positive) / 2 },
  prevalence: { num: ({ positive }) => positive },
  difference: { num: ({ wrong, otherWrong }) => wrong - otherWrong, ends: [-1, 1] },
} as const satisfies Partial<Record<Metric, JudgedMetric>>

export function judgedMetric(metric: Metric): JudgedMetric {
  return (judged as Partial<Record<Metric, JudgedMetric>>)[metric]!
}

export const judgedNames = metricNames.filter((name) => name in judged)
