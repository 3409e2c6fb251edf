import { type MetricDefinition, ofEach } from './metric.ts'

/** The mean of the grades that points are given:  Σ v(y) / N,  within the range of grades. */
export const mean = {
  word: 'mean grade',
  needs: 'grades',
  worth: (_, answer) => ofEach(answer),
  range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  unit: 'number',
  claim: ({ points }) => [`the mean grade of the ${points} points is `, ''],
  pageClaim: ({ points }) => [`the mean grade of the ${points} rows lies `, ''],
  scale: () => 'Mean grade',
  ofWhat: () => 'the mean grade of the rows',
  leavesOpen: 'Which rows would be given a high grade.',
} satisfies MetricDefinition
