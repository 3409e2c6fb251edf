import { join } from 'node:path'
import { Command } from 'commander'
import { requireInput } from '../../core/errors.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { type Audited, auditedOf, certify } from '../../projects/certify.ts'
import type { PoolData } from '../../projects/pools/pool-data.ts'
import { openToWrite, poolFolder, poolOf, settingsOf } from '../../projects/settings.ts'
import type { Project } from '../../stores/project.ts'
import { count } from '../../text/wording.ts'
import {
  type EngineOptions,
  type GoalOptions,
  goalOf,
  jsonFlag,
  type OracleOptions,
  type OutputOptions,
  quietFlag,
  withOptions,
} from '../options/options.ts'
import { oracleOf } from '../options/oracles.ts'
import { reportFor } from '../reports/audit-report.ts'
import { lateProgress } from '../reports/report.ts'
import { underReadingBar } from '../terminal/reading.ts'
import { closing } from './closing.ts'
import { conductAudit } from './conduct-audit.ts'

interface Options extends OracleOptions, GoalOptions, EngineOptions, OutputOptions {}

export function certifyCommand(signal: AbortSignal): Command {
  const command = new Command('certify')
    .description('Freeze the model of a project and measure how often it is wrong on the points nobody has labelled.')
    .argument('<project>', 'NAME.alis')
    .option(...jsonFlag)
    .option(...quietFlag)
    .addHelpText(
      'after',
      `
The answers go on record in the project and may train later models, never the one that is certified.

Examples:
  $ alis certify digits.alis --tolerance 0.02
  $ alis certify mails.alis --below 0.05 --oracle-command ./ask.py`,
    )
    .action((path: string, options: Options) => closing(openToWrite(path), (project) => run(path, project, options, signal)))
  return withOptions(command, 'goal', 'oracle', 'engine')
}

async function run(path: string, project: Project, options: Options, signal: AbortSignal): Promise<void> {
  const settings = await settingsOf(project)
  const last = (await project.models()).at(-1)
  requireInput(last !== undefined, `${path}: must have a model, got none yet`, 'alis run … --project makes one.')
  const progress = lateProgress()
  const wish = { ...options, working: progress.working }
  const data = await underReadingBar({ isSilent: options.json || options.quiet, signal }, (loading) =>
    poolOf(project, settings, { ...loading, folder: poolFolder(project) }, wish),
  )
  const model = (await data.look?.()) ?? last.model // of scores in columns, those that are there now
  await project.keepModel(model, last.round)
  const audited = auditedOf(settings, data, model)
  const oracle = oracleFor(options, data, audited)
  const file = join(path, 'certificates', `${model.id.slice(7, 19)}.json`)
  const what = data.look ? `scores in ${settings.wishes.scores?.join(', ')} as they are` : `model of round ${last.round}`
  const opening = [
    `${path}: ${what}, ${model.id.slice(0, 19)}…`,
    `${count(data.size)} points; the draws are from those without a label`,
    ...data.says,
  ]
  const report = reportFor(options, { metric: 'error', file, opening })
  progress.report = report
  const { seed, seedChosen } = settings
  const { level, batch } = options
  const plan = { metric: 'error', goal: goalOf(options), level, batch, strategy: 'alis-audit', seed, seedChosen } as const
  try {
    await conductAudit(certify(audited, { oracle, store: project, signal }, plan), report, { file, project })
  } finally {
    await oracle.close()
    await data.close()
  }
}

function oracleFor(options: Options, { answers, classes }: PoolData, { engine }: Audited): Oracle {
  const asked = oracleOf(options, classes)
  const oracle = asked?.(engine) ?? answers?.()
  requireInput(
    oracle !== undefined,
    'answers: a program or a service is required, got none and no label column',
    'Name one with --oracle-command or --oracle-url.',
  )
  return oracle
}
