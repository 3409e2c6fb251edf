import type { MetricDefinition } from './metric.ts'

/** The harmonic mean of precision and recall:  Σ [p = c][y = c] / Σ ([p = c] + [y = c])/2. */
export const f1 = {
  word: 'F1',
  needs: 'class',
  num: ({ predicted, positive }) => predicted * positive,
  den: ({ predicted, positive }) => (predicted + positive) / 2,
  claim: ({ positive }) => [`the F1 of the predictions for ${positive} is `, ''],
  pageClaim: ({ positive }) => [`the F1 of the predictions for ${positive} lies `, ''],
  scale: (positive) => `F1 for ${positive}: the harmonic mean of precision and recall`,
} as const satisfies MetricDefinition
