import { indicator, type MetricDefinition, ofEach } from './metric.ts'

/** A cell of the confusion matrix, the share of points that are predicted to be of class j and are of class k:  Σ [p = j][y = k] / N. */
export const confusion = {
  word: 'confusion',
  needs: 'two classes',
  worth: ({ predicted }, answer, { positive, actual }) => ofEach(indicator(predicted === positive && answer === actual)),
  range: [0, 1],
  claim: ({ points, positive, actual }) => ['', ` of the ${points} points are predicted ${positive} and are ${actual}`],
  pageClaim: ({ points, positive, actual }) => ['', ` of the ${points} rows are predicted ${positive} and are ${actual}`],
  label: (positive, actual) => `predicted ${positive}, was ${actual}`,
  plain: (positive, actual) => (actual === positive ? `${actual}, and called so` : `${actual} called ${positive}`),
  scale: (positive, actual) => `Share of rows that are predicted ${positive} and are ${actual}`,
  ofWhat: (_, positive, actual) => `the share of rows that are predicted ${positive} and are ${actual}`,
  quantity: 'share',
  leavesOpen: 'Which rows they are.',
} satisfies MetricDefinition
