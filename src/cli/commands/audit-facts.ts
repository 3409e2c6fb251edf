import { requireInput } from '../../core/errors.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import type { Predictions } from '../../projects/predictions/predictions.ts'
import { absolute } from '../../projects/settings.ts'
import type { Columns } from '../../questions/certificate.ts'
import type { Project } from '../../stores/project.ts'

export interface Seeds {
  readonly seed: number
  readonly seedChosen: boolean
}

/** What a project that audits is about. An older one does not know where the predictions are. */
export interface AuditFacts extends Seeds {
  /** Identity of the predictions. */
  readonly model: string
  readonly path?: string
  readonly columns?: Columns
  readonly classes?: readonly string[]
}

export const seedsOf = (seed: number | undefined): Seeds => ({ seed: seed ?? freshSeed(), seedChosen: seed !== undefined })

export const auditFacts = (project: Project): Promise<AuditFacts | undefined> => project.recall<AuditFacts>('audit')

/** Writes down what a project audits, or checks that it still does. Gives the seed that it began with. */
export async function keepAudit(
  project: Project,
  path: string,
  { model, columns, frame }: Pick<Predictions, 'model' | 'columns' | 'frame'>,
  seed: number | undefined,
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
  const { seed: own, seedChosen } = begun ?? seedsOf(seed)
  const facts: AuditFacts = { seed: own, seedChosen, model, path: absolute(path), columns, classes: frame.classes }
  if (JSON.stringify(facts) !== JSON.stringify(begun)) await project.remember('audit', facts)
  return { seed: own, seedChosen }
}
