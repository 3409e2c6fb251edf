import { metricLabel } from '../metrics/metric-labels.ts'
import type { AskedQuestion, BestOfModels } from '../protocol/questions.ts'
import type { AskedAnswer } from '../questions/ask.ts'
import type { BestModel } from '../questions/race.ts'

/** What a record says of a question, as the page shows it. */
export function questionView(asked: Omit<AskedAnswer, 'plan' | 'isRegistered'>): AskedQuestion {
  const { question, state, value, low, high, answers, points, atMost } = asked
  const { metric, positive, actual, slice, against, level } = question
  return {
    label: metricLabel(question),
    metric,
    ...(positive !== undefined && { positive }),
    ...(actual !== undefined && { actual }),
    ...(slice && { slice }),
    ...(against !== undefined && { against }),
    level,
    ...{ state, value, low, high, answers, points },
    ...(atMost !== undefined && { atMost }),
  }
}

/** What a record says of several models, as the page shows it: what is proven, and what looks so. */
export function bestView({ model, within, level, leader, out, differences }: BestModel): BestOfModels {
  return { model, within, level, leader, out: [...out], models: Object.keys(differences) }
}
