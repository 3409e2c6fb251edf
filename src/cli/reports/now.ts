import type { Now } from '../../core/now.ts'
import { pick } from '../../core/pick.ts'
import type { WhyNot } from '../../projects/now-on-record.ts'

/** As programs read it. */
export const nowFacts = (now: Now | null) => now && pick(now, 'value', 'low', 'high', 'level', 'answers')

/** Whether the pool tells what is not on record. */
export const isFoundInPool = (why: WhyNot): boolean =>
  !['no model', 'too early', 'not drawn', 'nothing left', 'models unknown'].includes(why)

/** Why nothing is said of how good the model is, and what to do about it. */
export function whyNotWords(why: WhyNot): string {
  return isFoundInPool(why) ? `${reasons[why]} (--now reads the pool)` : reasons[why]
}

const reasons: Readonly<Record<WhyNot, string>> = {
  revised: 'answers were revised since it was last looked at',
  grown: 'points were added since it was last looked at',
  'more answers': 'there are answers since it was last looked at',
  'another model': 'there is another model since it was last looked at',
  'not kept': 'not on record yet',
  'no model': 'no model yet',
  'too early': 'too early: the first answers teach the first model, and the next ones test it',
  'not drawn': 'no range: the points were chosen, not drawn by lot',
  'nothing left': 'every point has an answer',
  'models unknown': 'not known: the models of its rounds were not kept by the release that made them',
}
