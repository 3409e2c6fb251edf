import { join } from 'node:path'
import { Command } from 'commander'
import { certificateText } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { type Audited, auditedOf, certify } from '../../projects/certify.ts'
import type { PoolData } from '../../projects/pools/pool-data.ts'
import { openToWrite, poolFolder, poolOf, settingsOf } from '../../projects/settings.ts'
import { count } from '../../text/wording.ts'
import {
  type EngineOptions,
  type GoalOptions,
  goalOf,
  type OracleOptions,
  withEngine,
  withGoal,
  withOracle,
} from '../options/options.ts'
import { oracleOf } from '../options/oracles.ts'
import { conduct, type Report, reportFor } from '../reports/audit-report.ts'
import { underReadingBar } from '../terminal/reading.ts'

interface Options extends OracleOptions, GoalOptions, EngineOptions {
  readonly json?: boolean
  readonly quiet?: boolean
}

export function certifyCommand(signal: AbortSignal): Command {
  const command = new Command('certify')
    .description('Freeze the model of a project and measure how often it is wrong on the points nobody has labelled.')
    .argument('<project>', 'NAME.alis')
    .option('--json', 'one JSON object a line on stdout, for programs')
    .option('--quiet', 'say the result only, in one line')
    .addHelpText(
      'after',
      `
The answers go on record in the project and may train later models, never the one that is certified.

Examples:
  $ alis certify digits.alis --tolerance 0.02
  $ alis certify mails.alis --below 0.05 --oracle-command ./ask.py`,
    )
    .action((path: string, options: Options) => run(path, options, signal))
  return withEngine(withOracle(withGoal(command)))
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const project = await openToWrite(path)
  try {
    const settings = await settingsOf(project)
    const last = (await project.models()).at(-1)
    requireInput(last !== undefined, `${path}: must have a model, got none yet`, 'alis run … --project makes one.')
    const isSilent = options.json || options.quiet
    const watched: { report?: Report } = {}
    const wish = { ...options, working: (share: number, step: string) => watched.report?.working(share, step) }
    const data = await underReadingBar({ isSilent, signal }, (loading) =>
      poolOf(project, settings, { ...loading, folder: poolFolder(project) }, wish),
    )
    const model = (await data.look?.()) ?? last.model // of scores in columns, those that are there now
    await project.keepModel(model, last.round)
    const audited = auditedOf(settings, data, model)
    const { seed, seedChosen } = settings
    const { level, batch } = options
    const plan = {
      metric: 'error' as const,
      goal: goalOf(options),
      level,
      batch,
      strategy: 'alis-audit' as const,
      seed,
      seedChosen,
    }
    const oracle = oracleFor(options, data, audited)
    const file = join(path, 'certificates', `${model.id.slice(7, 19)}.json`)
    const opening = [
      `${path}: ${data.look ? `scores in ${settings.wishes.scores?.join(', ')} as they are` : `model of round ${last.round}`}, ${model.id.slice(0, 19)}…`,
      `${count(data.size)} points; the draws are from those without a label`,
      ...data.says,
    ]
    const report = reportFor(options, 'error', file, opening)
    watched.report = report
    try {
      const certificate = await conduct(certify(audited, { oracle, store: project, signal }, plan), report, file)
      await project.keepCertificate({ seal: certificate.seal, text: certificateText(certificate) })
    } finally {
      await oracle.close()
      await data.close()
    }
  } finally {
    await project.close()
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
