import { basename } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import { requireSomethingToAsk } from '../../projects/certify.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import { openOrCreate } from '../../projects/settings.ts'
import type { Source } from '../../server/session/state.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import { count } from '../../text/wording.ts'
import { readingOf } from '../options/audited.ts'
import { underReadingBar } from '../terminal/reading.ts'
import { keepAudit } from './audit-facts.ts'
import { type AuditCommandOptions, planOf } from './audit-plan.ts'
import { closing } from './closing.ts'
import { servePage } from './serve-page.ts'

/** People answer, on the page. */
export async function auditByPage(path: string, options: AuditCommandOptions, signal: AbortSignal): Promise<never> {
  requireInput(
    options.score === undefined,
    'answers: a column, a program or a service is required for grades, got none',
    'Name one with --truth, --oracle-command or --oracle-url: the page asks for classes.',
  )
  const reading = readingOf(options)
  const predictions = await underReadingBar({ signal }, (loading) => loadPredictions(path, reading, loading, options))
  const plan = await closing(Promise.resolve(predictions), async () => {
    const planned = planOf(options, predictions)
    await requireSomethingToAsk(predictions, planned) // before anything is written
    return planned
  })
  const { frame, pool } = predictions
  const { classes } = frame
  requireInput(
    classes.length >= 2 && classes.length <= mostClasses,
    `classes: from 2 to ${mostClasses} are required on a page, got ${classes.length}`,
    'Name classes that no prediction has with --classes, or let a program answer.',
  )
  const name = options.project ?? projectNameFor(path)
  const seeds = await closing(openOrCreate(name), (project) => keepAudit(project, path, predictions, options.seed))
  const source: Source = {
    kind: 'predictions',
    predicted: { path, reading },
    audit: { ...plan, ...seeds },
    labelling: { question: 'Which class is this?', guidelines: '', classes: keyed(classes) },
  }
  const lines = [`${basename(path)}: ${count(pool.size)} predictions of ${count(classes.length)} classes, into ${name}`]
  const again = () => process.argv.slice(2)
  return servePage({ directory: process.cwd(), work: { project: name, source } }, options, { signal, lines, again })
}
