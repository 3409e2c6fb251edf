import { indicator, type MetricDefinition, ofEach } from './metric.ts'

/** The share of points that are predicted rightly:  Σ [p = y] / N.  1 − error. */
export const accuracy = {
  word: 'accuracy',
  errors: 'left out',
  worth: ({ predicted }, answer) => ofEach(indicator(predicted === answer)),
  range: [0, 1],
  difference: ({ predicted, other }, answer) => ofEach(indicator(predicted === answer) - indicator(other === answer)),
  claim: ({ points }) => ['', ` of the ${points} predictions are right`],
  scale: () => 'Share of rows that are right',
} satisfies MetricDefinition
