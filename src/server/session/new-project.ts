import { relative, resolve, sep } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import { defaultLoss, type LossName, lossNames } from '../../losses/catalogue.ts'
import type { Seeds } from '../../projects/audit-facts.ts'
import type { PageAudit } from '../../projects/audit-plan.ts'
import type { Class } from '../../protocol/project.ts'
import type { BeginWishes } from '../../protocol/start.ts'
import { strategyNamed } from '../../strategies/catalogue.ts'
import type { Source } from './state.ts'

/** A path from a request, in full: only what lies in the directory is read or written. */
export function pathInside(directory: string, path: string): string {
  const full = resolve(directory, path)
  const within = relative(directory, full)
  requireInput(
    within !== '' && !within.startsWith(`..${sep}`) && within !== '..',
    `${path}: must lie in ${directory}, got another place`,
  )
  return full
}

/** What a request to begin a project asks for, checked. `path`: that of its pool, in full. */
export function newProject(begin: Extract<BeginWishes, { wishes: unknown }>, path: string): Source {
  const { wishes, classes, question, guidelines, plan, start, loss = defaultLoss, l2 = 1, weighting, know, seed } = begin
  const names = classes.map(({ name }) => name)
  requireClasses(classes)
  strategyNamed(plan.strategy, { know })
  requireLoss(loss)
  const { label, ...rest } = wishes
  const ignore = [...(wishes.ignore ?? []), ...(label === undefined ? [] : [label])] // people may not see the labels
  return {
    kind: 'new',
    beginning: {
      path,
      wishes: { ...rest, ...(ignore.length > 0 && { ignore }) },
      classes: names,
      plan,
      start,
      loss,
      l2,
      weighting,
      know,
      seed,
    },
    labelling: { question, guidelines, classes },
  }
}

/** What a request to begin an audit asks for, of predictions that were read: `path` in full; `keep` puts it on record and gives the seed. */
export async function newAudit(
  { classes, question, guidelines }: Extract<BeginWishes, { audit: unknown }>,
  path: string,
  { reading, plan }: Pick<PageAudit, 'reading' | 'plan'>,
  keep: () => Promise<Seeds>,
): Promise<Source> {
  requireClasses(classes)
  const audit = { ...plan, ...(await keep()) }
  return { kind: 'predictions', predicted: { path, reading }, audit, labelling: { question, guidelines, classes } }
}

function requireClasses(classes: readonly Class[]): void {
  const keys = classes.flatMap(({ key }) => key || [])
  requireInput(areDistinct(keys), 'classes: every key must be another one, got one twice')
  requireInput(areDistinct(classes.map(({ name }) => name)), 'classes: every name must be another one, got one twice')
}

const areDistinct = (values: readonly string[]) => new Set(values).size === values.length

function requireLoss(loss: string): asserts loss is LossName {
  requireInput(
    lossNames.some((name) => name === loss),
    `loss: one of ${lossNames.join(', ')} is required, got ${loss}`,
  )
}
