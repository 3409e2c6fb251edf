import { requireInput } from '../../core/errors.ts'
import { isFor, poolSizes } from '../../core/record.ts'
import type { AuditFacts } from '../../projects/audit-facts.ts'
import { auditedOf } from '../../projects/certify.ts'
import { requireConfirmed } from '../../projects/confirmed-servers.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import type { PoolWish } from '../../projects/pools/engine-choice.ts'
import type { PredictionReading } from '../../projects/predictions/predictions.ts'
import { poolOf, type Settings, settingsOf } from '../../projects/settings.ts'
import type { Audited } from '../../questions/subject.ts'
import type { Project } from '../../stores/project.ts'
import { underReadingBar } from '../terminal/progress.ts'

export interface OpenSubject {
  readonly audited: Audited
  close(): Promise<void>
}

export interface SubjectWish extends PoolWish {
  /** No bar. */
  readonly isSilent?: boolean | undefined
}

export async function predictionsAt(path: string, reading: PredictionReading, wish: SubjectWish): Promise<OpenSubject> {
  const audited = await underReadingBar(wish, (loading) => loadPredictions(path, reading, loading, wish))
  return { audited, close: () => audited.close() }
}

/** Where the predictions of an audit are. `moved`: where they are now. */
export function placeOf(facts: AuditFacts, project: Project, moved?: string) {
  const { path = moved, columns, classes } = facts
  requireInput(
    path !== undefined && columns !== undefined && classes !== undefined,
    `${project.path}: must know the columns that it audits, got a project of an older release`,
    'Run alis audit on it once more: it goes on, and they are kept.',
  )
  if (moved === undefined) requireConfirmed(project.path, path)
  return { path: moved ?? path, columns, classes }
}

/** A model of a project that learns, over the pool as it was when it was audited. */
export async function modelOf(
  project: Project,
  { model: id, settings }: { readonly model: string; readonly settings: Settings },
  wish: SubjectWish,
): Promise<OpenSubject> {
  const kept = await project.model(id)
  requireInput(kept !== undefined, `model: one of the project is required, got ${id}`)
  const data = await underReadingBar(wish, (loading) => poolOf(project, settings, loading, wish))
  return { audited: auditedOf(settings, data, (await data.look?.()) ?? kept), close: () => data.close() }
}

/** The model that was audited last, and the project as it was then: what has been added since is left out. */
export async function lastAudited(project: Project) {
  const rounds = await project.rounds()
  const settings = await settingsOf(project)
  const sizes = poolSizes(rounds)
  const at = rounds.findLastIndex((round) => isFor('audit', round) && round.rules)
  requireInput(
    at >= 0,
    `${project.path}: must have a model that was measured, got none yet`,
    'alis certify measures it; what was measured by an older release has no record that can be asked.',
  )
  const then = { ...settings, added: settings.added.filter(({ poolSize }) => poolSize <= sizes[at]!) }
  return { model: rounds[at]!.model, settings: then }
}
