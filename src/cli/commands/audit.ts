import { basename, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { metricLabel } from '../../metrics/metric-labels.ts'
import type { Contents } from '../../oracles/oracle.ts'
import { auditFacts, keepAudit, readingOnRecord, type Seeds, seedsOf } from '../../projects/audit-facts.ts'
import { type AuditPlanned, type AuditWishes, forecastsOf, planForPage, planOf } from '../../projects/audit-plan.ts'
import { auditWarnings } from '../../projects/audit-warnings.ts'
import { readingOf, requireAudited } from '../../projects/audit-wishes.ts'
import { drandAddress } from '../../projects/beacon.ts'
import { certify, requireSomethingToAsk } from '../../projects/certify.ts'
import { type CommittedWishes, committable, committedBy, requireCommitted } from '../../projects/committed.ts'
import { noteAudit, onRecord } from '../../projects/conduct.ts'
import { requireWritable } from '../../projects/export/output-file.ts'
import { requireTolerance } from '../../projects/goals.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import type { Predictions } from '../../projects/predictions/predictions.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import { openOrCreate } from '../../projects/settings.ts'
import { type Maker, makers } from '../../questions/certificate.ts'
import { beaconWords, type Committed } from '../../questions/commitment.ts'
import { auditStrategies } from '../../questions/rules.ts'
import type { Source } from '../../server/session/state.ts'
import type { Project } from '../../stores/project.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import { count } from '../../text/wording.ts'
import { withAudited } from '../options/audited.ts'
import {
  type OracleOptions,
  type PageOptions,
  type PoolOptions,
  requiredPool,
  withOptions,
  withPool,
} from '../options/options.ts'
import { answersFrom, oracleOf } from '../options/oracles.ts'
import { jsonFlag, noSignFlag, type OutputOptions, quietFlag } from '../options/output.ts'
import { asRead, type ReadingOptions, requireToStay, withReadingOptions } from '../options/reading.ts'
import { wholeNumber } from '../options/values.ts'
import { reportFor } from '../reports/audit-report.ts'
import { type LateProgress, lateProgress } from '../reports/report.ts'
import { underReadingBar } from '../terminal/progress.ts'
import { conductAudit, pageBeside } from './conduct-audit.ts'
import { servePage } from './serve-page.ts'
import { signing } from './signer.ts'

interface AuditCommandOptions
  extends ReadingOptions,
    CommittedWishes,
    PoolOptions,
    AuditWishes,
    OracleOptions,
    PageOptions,
    OutputOptions {
  readonly project?: string
  readonly seed?: number
  readonly madeBy?: Maker
  readonly certificate?: string
  readonly report?: string
  readonly sign: boolean
}

export function auditCommand(signal: AbortSignal): Command {
  const command = withAudited(new Command('audit'))
    .option('--together', 'give limits too that hold for all questions at once')
    .option('--project <NAME.alis>', 'keep every draw and answer in this directory, and go on from there')
    .addOption(
      new Option('--strategy <name>', 'how to draw (default: alis-audit, or uniform without confidences)').choices(
        auditStrategies,
      ),
    )
    .option('--commitment <file>', 'what alis commit wrote and was published: the seed is made from it and from its beacon')
    .option(
      '--beacon <value>',
      'with --commitment: the value that came out; of drand, a signature or a reply in a file (default: fetched)',
    )
    .addOption(new Option('--drand-url <address>', 'where rounds of drand are fetched').default(drandAddress))
    .addOption(
      new Option('--seed <n>', 'repeat an audit (default: fresh from the operating system, and printed)')
        .argParser(wholeNumber)
        .conflicts('commitment'),
    )
    .addOption(
      new Option(
        '--made-by <whom>',
        'who made the predictions: those who answer, or others; it goes on the certificate (default: it is not said)',
      ).choices(makers),
    )
    .option('--certificate <file>', 'write the certificate here, and a page for people beside it')
    .option('--report <file>', 'write a report here, a page with every question, slice and error found')
    .option(...noSignFlag)
    .option(...jsonFlag)
    .option(...quietFlag)
    .addHelpText('after', examples)
    .action(async (argument: string | undefined, options: AuditCommandOptions, self: Command) => {
      const named = requiredPool(argument, options, 'predictions')
      requireToStay(named, options.project)
      const path = await asRead(named, options)
      requireAudited(options)
      if (options.score === undefined) requireTolerance(options)
      const committed = await committedBy(options, signal)
      const isUsual = self.getOptionValueSource('batch') === 'default'
      if ((options.truth ?? options.oracleCommand ?? options.oracleUrl) !== undefined) {
        const batch = isUsual ? (committed?.commitment.batch ?? options.batch) : options.batch
        return run(path, { ...options, batch }, { committed, signal })
      }
      const batch = isUsual ? (committed?.commitment.batch ?? 10) : options.batch // the interval moves after each
      return auditByPage(path, { ...options, batch }, { committed, signal })
    })
  return withOptions(
    withReadingOptions(withPool(command, 'predictions', ', one row a prediction, or - for stdin')),
    'goal',
    'oracle',
    'engine',
    'page',
  )
}

const examples = `
Examples:
  $ alis audit predictions.csv --prediction label --confidence p --truth y --tolerance 0.01
  $ alis audit predictions.csv --prediction label --confidence p --truth y --below 0.07 --certificate audit.json
  $ alis audit predictions.csv --prediction label --confidence p --truth y --metric error,f1:spam,kappa --tolerance 0.05
  $ alis audit predictions.csv --prediction label --confidence p --truth y --metric recall --each-class --by language --report audit.html
  $ alis audit predictions.csv --prediction new --confidence p --against old --truth y --below 0
  $ alis audit predictions.csv --models small,medium,large --within 0.01 --truth y
  $ alis audit verdicts.csv --judge verdict --truth person --budget 200
  $ alis audit answers.csv --score grade --range 1..5 --truth person --tolerance 0.1
  $ alis audit predictions.csv --probabilities cat,dog --truth y --budget 500 --json
  $ alis audit predictions.csv --prediction label --confidence p --oracle-command ./ask.py --project audit.alis
  $ alis audit predictions.csv --prediction label --confidence p        people answer, on a page in the browser`

interface Given {
  readonly committed: Committed | undefined
  readonly signal: AbortSignal
}

async function run(path: string, options: AuditCommandOptions, given: Given): Promise<void> {
  const { signal } = given
  requireOutputs(path, options)
  const wanted = readingOf(options)
  const reading = options.project === undefined ? wanted : await readingOnRecord(options.project, wanted)
  const progress = lateProgress()
  const wish = { ...options, working: progress.working }
  const opening = underReadingBar({ isSilent: options.json || options.quiet, signal }, (loading) =>
    loadPredictions(path, reading, loading, wish),
  )
  await closing(opening, async (predictions) => {
    const plan = planOf(options, predictions)
    await requireSomethingToAsk(predictions, plan) // before anything is written
    for (const words of auditWarnings(options, predictions)) process.stderr.write(`warning: ${words}\n`)
    const columns = predictions.shown.map(({ name }) => name)
    const asked = oracleOf(options, predictions.frame, { columns, project: options.project })
    const annotator = answersFrom(options, options.truth)
    const project = options.project === undefined ? undefined : await openOrCreate(options.project, { annotator })
    try {
      await auditInto(project, { path, predictions, plan, asked }, options, { progress, ...given })
    } finally {
      await project?.close()
    }
  })
}

/** A certificate, the page beside it and a report: three files, none of which is read. */
function requireOutputs(path: string, { certificate, report }: AuditCommandOptions): void {
  const inputs = [path]
  requireWritable(certificate, '--certificate', { inputs })
  requireWritable(report, '--report', { inputs })
  if (certificate === undefined) return
  const page = pageBeside(certificate)
  requireWritable(page, '--certificate', { inputs })
  requireInput(
    page !== certificate && ![certificate, page].some((each) => report !== undefined && resolve(each) === resolve(report)),
    `--certificate: a name of its own for the page beside it, ${page}, is required, got ${report ?? certificate}`,
    'Call the certificate NAME.json, and the report otherwise.',
  )
}

interface AuditWork {
  readonly path: string
  readonly predictions: Predictions & { readonly says: readonly string[] }
  readonly plan: AuditPlanned
  /** Who is asked, where it is not a column. */
  readonly asked: ReturnType<typeof oracleOf>
}

async function auditInto(
  project: Project | undefined,
  { path, predictions, plan, asked }: AuditWork,
  options: AuditCommandOptions,
  { progress, committed, signal }: Given & { readonly progress: LateProgress },
): Promise<void> {
  const isBegun = await requireAsCommitted(project, committed, committable(predictions, plan))
  const seeds = project
    ? await keepAudit(project, path, { ...predictions, classes: predictions.frame.classes }, options.seed, committed)
    : seedsOf(options.seed, committed)
  const { certificate: file, report: page } = options
  const { signer, says } = signing(options, (project ?? file) !== undefined)
  const opening = [
    `${basename(path)}: ${whatIsAudited(predictions)}`,
    `seed ${seeds.seed}${seedNote(seeds)}`,
    ...predictions.says,
    ...says,
  ]
  const forecasts = isBegun ? [] : await forecastsOf(predictions, plan)
  const [first, ...more] = plan.questions
  const report = reportFor(options, {
    file,
    page,
    opening,
    forecasts,
    ...(more.length > 0 && { about: metricLabel(first!) }),
    source: answersFrom(options, options.truth),
  })
  progress.report = report
  const contents: Contents = (ids) => predictions.contents(ids)
  const made = options.madeBy && { madeBy: options.madeBy }
  const oracle = asked?.(contents) ?? predictions.answers!() // one of the two was given
  const auditing = certify(predictions, { oracle, signal, ...(project && onRecord(project)) }, { ...plan, ...seeds, ...made })
  const subject = { audited: predictions, contents }
  if (project) await noteAudit(project, predictions.model, plan)
  try {
    await conductAudit(auditing, report, { file, page, project, signer, title: basename(path), subject })
  } finally {
    await oracle.close()
  }
}

/** Refuses an audit that is not as it was committed to, now or when its project began. Gives whether that has begun to draw. */
async function requireAsCommitted(
  project: Project | undefined,
  committed: Committed | undefined,
  fixed: ReturnType<typeof committable>,
): Promise<boolean> {
  const isBegun = project !== undefined && (await project.rounds()).length > 0
  const known = committed ?? (project && (await auditFacts(project))?.committed)
  if (known) requireCommitted(known, fixed, isBegun)
  return isBegun
}

const seedNote = ({ seedChosen, committed }: Seeds) =>
  committed ? `, from ${beaconWords(committed.commitment.beacon)}` : seedChosen ? '' : ' (fresh)'

/** "2,000 predictions of 3 classes, drawn where answers say most" */
function whatIsAudited({ pool, frame, hasConfidence }: Predictions): string {
  const points = count(pool.size)
  if (frame.range) return `${points} grades from ${frame.range.join(' to ')}`
  const of = `${points} predictions of ${count(frame.classes.length)} classes`
  if (frame.models.length > 2) return `${of} by ${count(frame.models.length)} models, drawn where they differ`
  return `${of}, ${hasConfidence ? 'drawn where answers say most' : 'drawn uniformly: no confidence is given'}`
}

async function auditByPage(path: string, options: AuditCommandOptions, { committed, signal }: Given): Promise<never> {
  const name = options.project ?? projectNameFor(path)
  const reading = await readingOnRecord(name, readingOf(options))
  const { plan, points, facts, fixed, classes } = await underReadingBar({ signal }, (loading) =>
    planForPage(path, reading, options, { loading, wish: options }),
  )
  requireInput(
    classes.length >= 2 && classes.length <= mostClasses,
    `classes: from 2 to ${mostClasses} are required on a page, got ${classes.length}`,
    'Name classes that no prediction has with --classes, or let a program answer.',
  )
  const seeds = await closing(openOrCreate(name), async (project) => {
    await requireAsCommitted(project, committed, fixed)
    return keepAudit(project, path, facts, options.seed, committed)
  })
  const source: Source = {
    kind: 'predictions',
    predicted: { path, reading },
    audit: { ...plan, ...seeds, ...(options.madeBy && { madeBy: options.madeBy }) },
    labelling: { question: 'Which class is this?', guidelines: '', classes: keyed(classes) },
  }
  const lines = [`${basename(path)}: ${count(points)} predictions of ${count(classes.length)} classes, into ${name}`]
  const again = () => process.argv.slice(2)
  return servePage({ directory: process.cwd(), work: { project: name, source } }, options, { signal, lines, again })
}
