import { error } from './error.ts'
import type { MetricDefinition } from './metric.ts'

/** The error of one model minus that of another:  Σ ([p ≠ y] − [p′ ≠ y]) / N. */
export const difference = {
  word: 'difference',
  needs: 'other model',
  hasCeiling: true,
  worth: error.difference,
  range: [-1, 1],
  unit: 'points',
  claim: () => ['the error of the predictions minus that of the others is ', ''],
  pageClaim: () => ['the error of the predictions minus that of the others lies ', ''],
  scale: () => 'Difference of two errors, in percentage points: below zero, the predictions are better than the others',
  ofWhat: (whose) => `the error of ${whose} minus that of the others`,
} satisfies MetricDefinition
