import { levelText } from '../text/limits.ts'
import { listed } from '../text/wording.ts'
import type { AuditWishes } from './audit-plan.ts'
import type { Predictions } from './predictions/predictions.ts'

const fewNames = 3

/** What looks like a mistake, though it is possible: said before anything is spent. */
export function auditWarnings(
  { prediction, judge, against, models = [], score, truth, level }: AuditWishes,
  { frame, values }: Pick<Predictions, 'frame' | 'values'>,
): readonly string[] {
  const { known = [], predicted: foretold = [] } = { ...values }
  const predicted = [prediction, judge, against, score, ...models]
  const isSame = truth !== undefined && predicted.includes(truth)
  const isStrange = !isSame && !frame.range && known.length > 0 && !known.some((name) => foretold.includes(name))
  const some = (names: readonly string[]) =>
    listed(
      [...names.slice(0, fewNames).map((name) => JSON.stringify(name)), ...(names.length > fewNames ? ['others'] : [])],
      'and',
    )
  return [
    ...(isSame
      ? [`--truth: another column than those of predictions is meant, got ${truth} for both: every prediction is right`]
      : []),
    ...(isStrange
      ? [
          `--truth: ${truth} has no value in common with the predictions, got ${some(known)} for ${some(foretold)}: every prediction is wrong`,
        ]
      : []),
    ...(level > mostLevel
      ? [`--level: at most ${levelText(mostLevel)} can be written, got ${level}: it will read ${levelText(level)}`]
      : []),
  ]
}

/** A level is written with five digits. */
const mostLevel = 0.99999
