import { closing } from '../../core/closing.ts'
import { isLearned } from '../../core/model.ts'
import type { Recipe } from '../../features/recipe.ts'
import type { KeptCertificate, Project } from '../../stores/project.ts'
import { isAudit, openToRead, type Settings, settingsOf } from '../settings.ts'
import { type LabelRow, labelRows } from './labels.ts'
import { type ModelFile, modelFile } from './model-file.ts'

/** What a project has on record that can be handed over. */
export interface Facts {
  readonly project: Pick<Project, 'path'>
  /** Missing of an audit of predictions: that has answers and certificates. */
  readonly settings: Settings | undefined
  readonly labels: readonly LabelRow[]
  /** The last one; missing before the first round is done. */
  readonly model: ModelFile | undefined
  readonly certificates: readonly KeptCertificate[]
}

/** Reads a project, also while another process writes to it. */
export async function readFacts(path: string): Promise<Facts> {
  return closing(openToRead(path), async (project) => {
    const settings = (await isAudit(project)) ? undefined : await settingsOf(project)
    const rounds = await project.rounds()
    const answers = await project.answers()
    const classes = settings?.classes ?? [...new Set(answers.flatMap(({ label }) => label ?? []))]
    const labels = labelRows(rounds, answers, classes, settings?.added.at(-1)?.poolSize)
    const last = (await project.models()).at(-1)
    const recipe = await project.recall<Recipe>('recipe')
    const model = last && isLearned(last.model) && recipe ? modelFile(last.model, recipe) : undefined
    return { project: { path: project.path }, settings, labels, model, certificates: await project.certificates() }
  })
}
