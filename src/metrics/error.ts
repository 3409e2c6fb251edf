import type { MetricDefinition } from './metric.ts'

/** The share of points that are predicted wrongly:  Σ [p ≠ y] / N. */
export const error = {
  word: 'error',
  hasCeiling: true,
  num: ({ wrong }) => wrong,
  claim: ({ points }) => ['', ` of the ${points} predictions are wrong`],
  scale: () => 'Share of points labelled wrongly',
} as const satisfies MetricDefinition
