import { among, indicator, type MetricDefinition } from './metric.ts'

/** The true negative rate: of the points that are not of class c, the share that is not predicted to be:  Σ [p ≠ c][y ≠ c] / Σ [y ≠ c]. */
export const tnr = {
  word: 'TNR',
  needs: 'class',
  worth: ({ predicted }, answer, { positive }) => among(answer !== positive, indicator(predicted !== positive)),
  range: [0, 1],
  difference: ({ predicted, other }, answer, { positive }) =>
    among(answer !== positive, indicator(predicted !== positive) - indicator(other !== positive)),
  claim: ({ positive }) => ['the predictions rightly leave out ', ` of the points that are not ${positive}`],
  pageClaim: ({ positive }) => ['the predictions rightly leave out ', ` of the rows that are not ${positive}`],
  plain: (positive) => `Of those that are not ${positive}, it says so`,
  scale: (positive) => `True negative rate for ${positive}: the share that is left out of what is not ${positive}`,
} satisfies MetricDefinition
