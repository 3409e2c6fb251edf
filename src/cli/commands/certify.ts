import { basename, join } from 'node:path'
import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { shownColumns } from '../../features/roles.ts'
import type { Contents, Oracle } from '../../oracles/oracle.ts'
import { auditedOf, certify } from '../../projects/certify.ts'
import { noteAudit, onRecord } from '../../projects/conduct.ts'
import { requireWritable } from '../../projects/export/output-file.ts'
import { type GoalWishes, goalOf, requireReachable, requireTolerance } from '../../projects/goals.ts'
import type { PoolData } from '../../projects/pools/pool-data.ts'
import { openToWrite, poolFolder, poolOf, settingsOf } from '../../projects/settings.ts'
import { type QuestionWishes, questionsFor, requireQuestions } from '../../questions/asked-questions.ts'
import type { Project } from '../../stores/project.ts'
import { count } from '../../text/wording.ts'
import { type EngineOptions, type OracleOptions, withOptions } from '../options/options.ts'
import { answersFrom, oracleOf } from '../options/oracles.ts'
import { jsonFlag, noSignFlag, type OutputOptions, quietFlag } from '../options/output.ts'
import { withMetrics } from '../options/questions.ts'
import { reportFor } from '../reports/audit-report.ts'
import { lateProgress } from '../reports/report.ts'
import { underReadingBar } from '../terminal/progress.ts'
import { conductAudit } from './conduct-audit.ts'
import { signing } from './signer.ts'

interface Options extends OracleOptions, QuestionWishes, GoalWishes, EngineOptions, OutputOptions {
  readonly together?: boolean
  readonly report?: string
  readonly level: number
  readonly sign: boolean
}

export function certifyCommand(signal: AbortSignal): Command {
  const command = withMetrics(new Command('certify'), 'error')
    .argument('<project>', 'NAME.alis')
    .option('--together', 'give limits too that hold for all questions at once')
    .option('--report <file>', 'write a report here, a page with every question and error found')
    .option(...noSignFlag)
    .option(...jsonFlag)
    .option(...quietFlag)
    .addHelpText(
      'after',
      `
The answers go on record in the project and may train later models, never the one that is certified.

Examples:
  $ alis certify digits.alis --tolerance 0.02
  $ alis certify mails.alis --below 0.05 --oracle-command ./ask.py
  $ alis certify mails.alis --metric error,recall:spam,precision:spam --budget 300 --report mails.html`,
    )
    .action((path: string, options: Options) => {
      requireQuestions(options)
      requireTolerance(options)
      requireWritable(options.report, '--report', { inputs: [] })
      return closing(openToWrite(path, { annotator: answersFrom(options) }), (project) => run(path, project, options, signal))
    })
  return withOptions(command, 'goal', 'oracle', 'engine')
}

async function run(path: string, project: Project, options: Options, signal: AbortSignal): Promise<void> {
  const settings = await settingsOf(project)
  const last = (await project.models()).at(-1)
  requireInput(last !== undefined, `${path}: must have a model, got none yet`, 'alis run … --project makes one.')
  const goal = goalOf(options)
  const questions = questionsFor(options, { classes: settings.classes, models: [], slices: [] }, [{ metric: 'error' }])
  requireReachable(goal, questions)
  const progress = lateProgress()
  const wish = { ...options, working: progress.working }
  const data = await underReadingBar({ isSilent: options.json || options.quiet, signal }, (loading) =>
    poolOf(project, settings, { ...loading, folder: poolFolder(project) }, wish),
  )
  const model = (await data.look?.()) ?? last.model // of scores in columns, those that are there now
  await project.keepModel(model, last.round)
  const audited = auditedOf(settings, data, model)
  const shown = data.engine()
  const contents: Contents = (ids) => shown.contents(ids)
  const oracle = oracleFor(options, data, contents, path)
  const file = join(path, 'certificates', `${model.id.slice(7, 19)}.json`)
  const what = data.look ? `scores in ${settings.wishes.scores?.join(', ')} as they are` : `model of round ${last.round}`
  const { signer, says } = signing(options, true)
  const opening = [
    `${path}: ${what}, ${model.id.slice(0, 19)}…`,
    `${count(data.size)} points; the draws are from those without a label`,
    ...data.says,
    ...says,
  ]
  const source = answersFrom(options, settings.wishes.label)
  const report = reportFor(options, { file, page: options.report, opening, source })
  progress.report = report
  const { seed, seedChosen } = settings
  const { batch, together, report: page } = options
  const plan = { questions, goal, batch, ...(together && { together }), strategy: 'alis-audit', seed, seedChosen } as const
  try {
    await noteAudit(project, audited.model, plan)
    await conductAudit(certify(audited, { oracle, signal, ...onRecord(project) }, plan), report, {
      file,
      page,
      project,
      signer,
      title: basename(path),
      subject: { audited, contents },
    })
  } finally {
    await oracle.close()
    await data.close()
  }
}

function oracleFor(options: Options, { answers, classes, file }: PoolData, contents: Contents, project: string): Oracle {
  const columns = shownColumns(file.roles).map(({ name }) => name)
  const oracle = oracleOf(options, { classes }, { columns, project })?.(contents) ?? answers?.()
  requireInput(
    oracle !== undefined,
    'answers: a program or a service is required, got none and no label column',
    'Name one with --oracle-command or --oracle-url.',
  )
  return oracle
}
