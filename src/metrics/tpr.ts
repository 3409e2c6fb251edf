import type { MetricDefinition } from './metric.ts'
import { recall } from './recall.ts'

/** The true positive rate, as recall is called where predictions are verdicts:  Σ [p = c][y = c] / Σ [y = c]. */
export const tpr = {
  word: 'TPR',
  needs: 'class',
  worth: recall.worth,
  range: [0, 1],
  difference: recall.difference,
  claim: recall.claim,
  pageClaim: recall.pageClaim,
  plain: (positive) => `Of those that are ${positive}, it says so`,
  scale: (positive) => `True positive rate for ${positive}: the share that is found of what is ${positive}`,
} satisfies MetricDefinition
