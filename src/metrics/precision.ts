import { among, indicator, type MetricDefinition } from './metric.ts'

/** Of the points that are predicted to be of class c, the share that is:  Σ [p = c][y = c] / Σ [p = c]. */
export const precision = {
  word: 'precision',
  needs: 'class',
  worth: ({ predicted }, answer, { positive }) => among(predicted === positive, indicator(answer === positive)),
  range: [0, 1],
  claim: ({ positive }) => ['', ` of the predictions that say ${positive} are right`],
  pageClaim: ({ positive }) => [`of the predictions that say ${positive}, `, ' are right'],
  plain: (positive) => `When it says ${positive}, it is right`,
  scale: (positive) => `Precision for ${positive}: the share that is right of what is said to be ${positive}`,
} satisfies MetricDefinition
