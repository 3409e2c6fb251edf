import { type ChangeSince, changeSince, type Now, standOf } from '../core/now.ts'
import { isFor, poolSizes, type RoundFacts } from '../core/record.ts'
import { isRandom } from '../designs/top.ts'
import type { Project } from '../stores/project.ts'
import type { Settings } from './settings.ts'

/** Why nothing can be said of how good a model is now. */
export type WhyNot = ChangeSince | 'not kept' | 'no model' | 'too early' | 'not drawn' | 'nothing left' | 'models unknown'

export interface NowFound<Said extends Now = Now> {
  readonly now: Said | null
  /** Where it is null. */
  readonly why?: WhyNot
}

/** How good the model of a project is, as it was put on record after the last round: nothing of the pool is read. */
export async function nowOnRecord(project: Project, { added }: Pick<Settings, 'added'>): Promise<NowFound> {
  const rounds = await project.rounds()
  const model = (await project.models()).at(-1)?.model
  if (!model) return { now: null, why: 'no model' }
  const look = (await project.looks()).at(-1)
  if (!look) return { now: null, why: 'not kept' }
  const poolSize = added.at(-1)?.poolSize ?? look.poolSize
  const change = changeSince(look, standOf(rounds, { model: model.id, poolSize }))
  return change ? { now: null, why: change } : nowFound(look.now, rounds, poolSize)
}

/** What was found, or why nothing was. */
export function nowFound<Said extends Now>(now: Said | null, rounds: readonly RoundFacts[], poolSize: number): NowFound<Said> {
  return now ? { now } : { now, why: whyNone(rounds, poolSize) }
}

function whyNone(rounds: readonly RoundFacts[], poolSize: number): WhyNot {
  const answered = new Set(rounds.flatMap(({ answers }) => [...answers.keys()]))
  if (answered.size >= Math.max(poolSize, ...poolSizes(rounds))) return 'nothing left'
  const [, ...learned] = rounds.filter((round) => isFor('learn', round))
  if (learned.length === 0) return 'too early'
  return learned.some(({ design }) => isRandom(design)) ? 'models unknown' : 'not drawn'
}
