import { indicator, type MetricDefinition, ofEach } from './metric.ts'

/** A cell of the confusion matrix, the share of points that are predicted to be of class j and are of class k:  Σ [p = j][y = k] / N. */
export const confusion = {
  word: 'confusion',
  needs: 'two classes',
  worth: ({ predicted }, answer, { positive, actual }) => ofEach(indicator(predicted === positive && answer === actual)),
  range: [0, 1],
  claim: ({ points, positive, actual }) => ['', ` of the ${points} points are predicted ${positive} and are ${actual}`],
  label: (positive, actual) => `predicted ${positive}, was ${actual}`,
  scale: (positive, actual) => `Share of points that are predicted ${positive} and are ${actual}`,
  ofWhat: (_, positive, actual) => `the share of points that are predicted ${positive} and are ${actual}`,
  quantity: 'share',
  leavesOpen: 'Which points they are.',
} satisfies MetricDefinition
