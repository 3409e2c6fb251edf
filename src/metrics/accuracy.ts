import type { MetricDefinition } from './metric.ts'

/** The share of points that are predicted rightly:  Σ [p = y] / N.  1 − error. */
export const accuracy = {
  word: 'accuracy',
  num: ({ wrong }) => 1 - wrong,
  ends: [1, 0],
  claim: ({ points }) => ['', ` of the ${points} predictions are right`],
  scale: () => 'Share of points labelled rightly',
} as const satisfies MetricDefinition
