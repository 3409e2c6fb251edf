import type { MetricDefinition } from './metric.ts'
import { recall } from './recall.ts'

/** The mean of the recall of all classes. */
export const balancedAccuracy = {
  word: 'balanced accuracy',
  meanOver: 'recall',
  worth: recall.worth,
  range: [0, 1],
  claim: () => ['the balanced accuracy of the predictions is ', ''],
  pageClaim: () => ['the balanced accuracy of the predictions lies ', ''],
  scale: () => 'Balanced accuracy: the mean of the recall of all classes',
} satisfies MetricDefinition
