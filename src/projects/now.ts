import type { Model } from '../core/model.ts'
import { type ChangeSince, changeSince, type Now, standOf } from '../core/now.ts'
import { isFor, poolSizes, type RoundFacts } from '../core/record.ts'
import { isRandom } from '../designs/top.ts'
import type { GivenPrediction } from '../running/given-predictions.ts'
import { type GivenNow, type Running, running } from '../running/running.ts'
import type { Project } from '../stores/project.ts'
import { readerOf } from './learner-of.ts'
import type { PoolData } from './pools/pool-data.ts'
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
  return change ? { now: null, why: change } : found(look.now, rounds, poolSize)
}

/** The same, read off the record and the pool. */
export async function nowOf(project: Project, settings: Settings, data: PoolData, model: Model): Promise<NowFound> {
  const rounds = await project.rounds()
  return found(await runningOf(project, settings, data).look(model), rounds, data.size)
}

/** How good predictions from elsewhere are. */
export async function nowOfPredictions(
  project: Project,
  settings: Settings,
  data: PoolData,
  predictions: Iterable<GivenPrediction>,
  signal?: AbortSignal,
): Promise<NowFound<GivenNow>> {
  const rounds = await project.rounds()
  return found(await runningOf(project, settings, data).about(predictions, signal), rounds, data.size)
}

/** How good any model is, by the record of a project over its pool. */
function runningOf(project: Project, settings: Settings, data: PoolData): Running {
  return running({ record: project, engine: data.engine(), loss: readerOf(data, settings), classes: settings.classes })
}

function found<Said extends Now>(now: Said | null, rounds: readonly RoundFacts[], poolSize: number): NowFound<Said> {
  return now ? { now } : { now, why: whyNone(rounds, poolSize) }
}

function whyNone(rounds: readonly RoundFacts[], poolSize: number): WhyNot {
  const answered = new Set(rounds.flatMap(({ answers }) => [...answers.keys()]))
  if (answered.size >= Math.max(poolSize, ...poolSizes(rounds))) return 'nothing left'
  const [, ...learned] = rounds.filter((round) => isFor('learn', round))
  if (learned.length === 0) return 'too early'
  return learned.some(({ design }) => isRandom(design)) ? 'models unknown' : 'not drawn'
}
