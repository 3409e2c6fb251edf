import type { Model } from '../core/model.ts'
import type { GivenPrediction } from '../running/given-predictions.ts'
import { type GivenNow, type Running, running } from '../running/running.ts'
import type { Project } from '../stores/project.ts'
import { readerOf } from './learner-of.ts'
import { type NowFound, nowFound } from './now-on-record.ts'
import type { PoolData } from './pools/pool-data.ts'
import type { Settings } from './settings.ts'

/** How good the model of a project is, read off the record and the pool. */
export async function nowOf(project: Project, settings: Settings, data: PoolData, model: Model): Promise<NowFound> {
  const rounds = await project.rounds()
  return nowFound(await runningOf(project, settings, data).look(model), rounds, data.size)
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
  return nowFound(await runningOf(project, settings, data).about(predictions, signal), rounds, data.size)
}

/** How good any model is, by the record of a project over its pool. */
function runningOf(project: Project, settings: Settings, data: PoolData): Running {
  return running({ record: project, engine: data.engine(), loss: readerOf(data, settings), classes: settings.classes })
}
