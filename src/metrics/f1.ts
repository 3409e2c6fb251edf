import { indicator, type MetricDefinition } from './metric.ts'

/** The harmonic mean of precision and recall:  Σ 2[p = c][y = c] / Σ ([p = c] + [y = c]). */
export const f1 = {
  word: 'F1',
  needs: 'class',
  worth: ({ predicted }, answer, { positive }) => ({
    num: 2 * indicator(predicted === positive && answer === positive),
    den: indicator(predicted === positive) + indicator(answer === positive),
  }),
  range: [0, 1],
  shape: 'f1',
  claim: ({ positive }) => [`the F1 of the predictions for ${positive} is `, ''],
  pageClaim: ({ positive }) => [`the F1 of the predictions for ${positive} lies `, ''],
  scale: (positive) => `F1 for ${positive}: the harmonic mean of precision and recall`,
} satisfies MetricDefinition
