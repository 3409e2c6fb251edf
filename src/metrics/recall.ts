import { among, indicator, type MetricDefinition } from './metric.ts'

/** Of the points that are of class c, the share that is predicted to be:  Σ [p = c][y = c] / Σ [y = c]. */
export const recall = {
  word: 'recall',
  needs: 'class',
  worth: ({ predicted }, answer, { positive }) => among(answer === positive, indicator(predicted === positive)),
  range: [0, 1],
  difference: ({ predicted, other }, answer, { positive }) =>
    among(answer === positive, indicator(predicted === positive) - indicator(other === positive)),
  claim: ({ positive }) => ['the predictions find ', ` of the points that are ${positive}`],
  pageClaim: ({ positive }) => ['the predictions find ', ` of the rows that are ${positive}`],
  plain: (positive) => `Of those that are ${positive}, it finds`,
  scale: (positive) => `Recall for ${positive}: the share that is found of what is ${positive}`,
} satisfies MetricDefinition
