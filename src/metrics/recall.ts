import type { MetricDefinition } from './metric.ts'

/** Of the points that are of class c, the share that is predicted to be:  Σ [p = c][y = c] / Σ [y = c]. */
export const recall = {
  word: 'recall',
  needs: 'class',
  num: ({ predicted, positive }) => predicted * positive,
  den: ({ positive }) => positive,
  claim: ({ positive }) => ['the predictions find ', ` of the points that are ${positive}`],
  scale: (positive) => `Recall for ${positive}: the share that is found of what is ${positive}`,
} as const satisfies MetricDefinition
