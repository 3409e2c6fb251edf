import { indicator, type MetricDefinition, ofEach } from './metric.ts'

/** The share of points that are predicted wrongly:  Σ [p ≠ y] / N. */
export const error = {
  word: 'error',
  errors: 'counted',
  hasCeiling: true,
  worth: ({ predicted }, answer) => ofEach(indicator(predicted !== answer)),
  range: [0, 1],
  difference: ({ predicted, other }, answer) => ofEach(indicator(predicted !== answer) - indicator(other !== answer)),
  claim: ({ points }) => ['', ` of the ${points} predictions are wrong`],
  plain: () => 'Wrong',
  scale: () => 'Share of rows that are wrong',
} satisfies MetricDefinition
