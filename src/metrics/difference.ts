import type { MetricDefinition } from './metric.ts'

/** The error of one model minus that of another:  Σ ([p ≠ y] − [p′ ≠ y]) / N. */
export const difference = {
  word: 'difference',
  needs: 'other model',
  hasCeiling: true,
  num: ({ wrong, otherWrong }) => wrong - otherWrong,
  ends: [-1, 1],
  claim: () => ['the error of the predictions minus that of the others is ', ''],
  pageClaim: () => ['the error of the predictions minus that of the others lies ', ''],
  scale: () => 'Difference of two errors, in percentage points: below zero, the predictions are better than the others',
  ofWhat: (whose) => `the error of ${whose} minus that of the others`,
} as const satisfies MetricDefinition
