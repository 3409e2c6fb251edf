import { indicator, type MetricDefinition, ofEach } from './metric.ts'

/** The share of points that are of class c:  Σ [y = c] / N. */
export const prevalence = {
  word: 'prevalence',
  needs: 'class',
  hasCeiling: true,
  worth: (_, answer, { positive }) => ofEach(indicator(answer === positive)),
  range: [0, 1],
  claim: ({ points, positive }) => ['', ` of the ${points} points are ${positive}`],
  pageClaim: ({ points, positive }) => ['', ` of the ${points} rows are ${positive}`],
  plain: (positive) => `Are ${positive}`,
  scale: (positive) => `Share of rows that are ${positive}`,
  ofWhat: (_, positive) => `the share of rows that are ${positive}`,
  quantity: 'share',
  leavesOpen: 'Which rows they are.',
} satisfies MetricDefinition
