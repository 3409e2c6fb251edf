import { closing } from '../core/closing.ts'
import { requireInput } from '../core/errors.ts'
import { pick } from '../core/pick.ts'
import type { Columns } from '../questions/certificate.ts'
import { type Committed, seedFrom } from '../questions/commitment.ts'
import type { Project } from '../stores/project.ts'
import type { AuditOptions } from './certify.ts'
import { confirmServer, requireConfirmed } from './confirmed-servers.ts'
import { freshSeed } from './fresh-seed.ts'
import type { PredictionReading } from './predictions/predictions.ts'
import { absolute, lookIfThere } from './settings.ts'

export interface Seeds {
  readonly seed: number
  readonly seedChosen: boolean
  /** What the seed was made from, where it was committed to. */
  readonly committed?: Committed
}

/** What a project that audits is about. An older one does not know where the predictions are. */
export interface AuditFacts extends Seeds {
  /** Identity of the predictions. */
  readonly model: string
  readonly path?: string
  readonly columns?: Columns
  readonly classes?: readonly string[]
}

export const seedsOf = (seed: number | undefined, committed?: Committed): Seeds =>
  committed
    ? { seed: seedFrom(committed), seedChosen: false, committed }
    : { seed: seed ?? freshSeed(), seedChosen: seed !== undefined }

export const auditFacts = (project: Project): Promise<AuditFacts | undefined> => project.recall<AuditFacts>('audit')

/** Writes down what a project audits, or checks that it still does. Gives the seed that it began with. */
export async function keepAudit(
  project: Project,
  path: string,
  { model, columns, classes }: Required<Pick<AuditFacts, 'model' | 'columns' | 'classes'>>,
  seed: number | undefined,
  committed?: Committed,
): Promise<Seeds> {
  const begun = await auditFacts(project)
  requireInput(
    (await project.recall('settings')) === undefined,
    `${project.path}: must be a project that audits, got one that learns`,
    'Measure its own model with alis certify, or begin another project.',
  )
  requireInput(
    begun === undefined || begun.model === model,
    `${path}: must hold the predictions that the audit began with, got others`,
    'An audit is about one fixed model. Begin another project for another one.',
  )
  requireInput(
    begun === undefined || committed === undefined || begun.committed?.commitment.seal === committed.commitment.seal,
    `--commitment: the one that the audit began with is required, got ${committed?.commitment.seal}`,
    'A commitment is made before the first draw. Begin another project with it.',
  )
  const seeds = pick(begun ?? seedsOf(seed, committed), 'seed', 'seedChosen', 'committed')
  const facts: AuditFacts = { ...seeds, model, path: absolute(path), columns, classes }
  confirmServer(project.path, path) // just named, and not by the project
  if (JSON.stringify(facts) !== JSON.stringify(begun)) await project.remember('audit', facts)
  return seeds
}

/**
 * What is read for an audit: what it is asked for now, and the columns that questions on record need, without which nothing more could be
 * said of its draws.
 */
export async function readingOnRecord(path: string, reading: PredictionReading): Promise<PredictionReading> {
  const project = await lookIfThere(path)
  const columns = project && (await closing(project, auditFacts))?.columns
  if (!columns) return reading
  const compared = reading.models || reading.score !== undefined ? {} : pick(columns, 'against')
  return { ...reading, ...compared, ...columnsWith(columns, reading.by ?? [], reading.against) }
}

/** Columns that were not read when the audit began. */
export function columnsWith(columns: Columns, by: readonly string[], against: string | undefined): Partial<Columns> {
  const { by: before = [], against: other, models = [] } = columns
  const isNew = against !== undefined && against !== other && !models.includes(against)
  requireInput(
    !isNew || (other === undefined && models.length === 0),
    `--against: ${[other, ...models].filter((name) => name !== undefined).join(' or ')} is required, got ${against}`,
    'The record was drawn to compare with it. Compare with others in an audit of their own.',
  )
  const slices = [...new Set([...before, ...by])]
  return { ...(isNew && { against }), ...(slices.length > 0 && { by: slices }) }
}

/** What an audit on a page reads and asks: on record, so that the page can go on with it by its project alone. */
export interface AskedAudit {
  readonly reading: PredictionReading
  readonly options: AuditOptions
}

export async function keepAsked(project: Project, asked: AskedAudit): Promise<void> {
  const known = await project.recall('asked')
  if (JSON.stringify(known) !== JSON.stringify(asked)) await project.remember('asked', asked)
}

/** The audit that a project goes on with, and where its predictions are; undefined where that is not on record. */
export async function auditOnRecord(project: Project): Promise<(AskedAudit & { readonly path: string }) | undefined> {
  const path = (await auditFacts(project))?.path
  const asked = await project.recall<AskedAudit>('asked')
  if (path !== undefined) requireConfirmed(project.path, path)
  return path === undefined || !asked ? undefined : { ...asked, path }
}
