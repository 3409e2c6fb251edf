import { closing } from '../../core/closing.ts'
import { isLearned } from '../../core/model.ts'
import type { Recipe } from '../../features/recipe.ts'
import type { KeptCertificate, Project } from '../../stores/project.ts'
import { type AuditFacts, auditFacts } from '../audit-facts.ts'
import { deliveredModel } from '../certified-model.ts'
import { isAudit, openToRead, type Settings, settingsOf } from '../settings.ts'
import { type LabelRow, labelRows } from './labels.ts'
import { type ModelFile, modelFile } from './model-file.ts'
import type { PointsFile } from './point-columns.ts'

/** What a project has on record that can be handed over. */
export interface Facts {
  readonly project: Pick<Project, 'path'>
  /** Missing of an audit of predictions: that has answers and certificates. */
  readonly settings: Settings | undefined
  readonly labels: readonly LabelRow[]
  /** Where the points lie that are drawn from. */
  readonly points: readonly PointsFile[]
  /** The one to hand over; missing before the first round is done. */
  readonly model: ModelFile | undefined
  /** What is to be known of it. */
  readonly delivered: DeliveredFacts | undefined
  readonly certificates: readonly KeptCertificate[]
}

/** Which model is handed over: the round that it was made after, its certificate, and whether a newer one has learned since. */
export interface DeliveredFacts {
  readonly id: string
  readonly after: number
  readonly certificate: string | null
  readonly isNewest: boolean
}

/** Reads a project, also while another process writes to it. `wanted`: the newest model in place of the certified one. */
export async function readFacts(path: string, wanted?: 'certified' | 'newest'): Promise<Facts> {
  return closing(openToRead(path), async (project) => {
    const settings = (await isAudit(project)) ? undefined : await settingsOf(project)
    const rounds = await project.rounds()
    const answers = await project.answers()
    const classes = settings?.classes ?? [...new Set(answers.flatMap(({ label }) => label ?? []))]
    const labels = labelRows(rounds, answers, classes, settings?.added.at(-1)?.poolSize)
    const [models, certificates] = [await project.models(), await project.certificates()]
    const found = deliveredModel({ models, certificates, rounds }, wanted)
    const recipe = await project.recall<Recipe>('recipe')
    const model = found && isLearned(found.model) && recipe ? modelFile(found.model, recipe, found.certificate) : undefined
    const delivered = found && {
      id: found.model.id,
      after: found.round + 1,
      certificate: found.certificate?.seal ?? null,
      isNewest: found.model.id === models.at(-1)?.model.id,
    }
    const points = settings ? pointsOf(settings) : pointsIn(await auditFacts(project))
    return { project: { path: project.path }, settings, labels, points, model, delivered, certificates }
  })
}

const pointsOf = ({ pool, added, wishes: { id, label } }: Settings): PointsFile[] =>
  [pool, ...added].map(({ path, hash }) => ({ path, hash, id, label }))

const pointsIn = (facts: AuditFacts | undefined): PointsFile[] =>
  facts?.path === undefined ? [] : [{ path: facts.path, id: facts.columns?.id }]
