import { f1 } from './f1.ts'
import type { MetricDefinition } from './metric.ts'

/** The mean of the F1 of all classes. */
export const macroF1 = {
  word: 'macro-F1',
  meanOver: 'f1',
  worth: f1.worth,
  range: [0, 1],
  claim: () => ['the macro-F1 of the predictions is ', ''],
  pageClaim: () => ['the macro-F1 of the predictions lies ', ''],
  scale: () => 'Macro-F1: the mean of the F1 of all classes',
} satisfies MetricDefinition
