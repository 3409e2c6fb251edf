import { existsSync, writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { closing } from '../../core/closing.ts'
import { roundAt } from '../../core/drand-rounds.ts'
import { requireInput } from '../../core/errors.ts'
import { type AuditWishes, planOf } from '../../projects/audit-plan.ts'
import { readingOf, requireAudited } from '../../projects/audit-wishes.ts'
import { requireSomethingToAsk } from '../../projects/certify.ts'
import { committable } from '../../projects/committed.ts'
import { requireWritable } from '../../projects/export/output-file.ts'
import { requireTolerance } from '../../projects/goals.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { type Beacon, beaconWords, commitmentOf, commitmentText, drandBeacon } from '../../questions/commitment.ts'
import { auditStrategies } from '../../questions/rules.ts'
import { withAudited } from '../options/audited.ts'
import { type EngineOptions, type PoolOptions, requiredPool, withOptions, withPool } from '../options/options.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'
import { underReadingBar } from '../terminal/progress.ts'

interface Options extends PoolOptions, AuditWishes, EngineOptions, OutputOptions {
  readonly beacon: string
  readonly commitment: string
}

export function commitCommand(signal: AbortSignal): Command {
  const command = withAudited(new Command('commit'))
    .addOption(
      new Option('--strategy <name>', 'how to draw (default: alis-audit, or uniform without confidences)').choices(
        auditStrategies,
      ),
    )
    .option(
      '--beacon <what>',
      'where the seed comes from: drand (a public value ten minutes from now), drand:ROUND, or anything in words that is not known yet',
      'drand',
    )
    .option('--commitment <file>', 'write it here', 'commitment.json')
    .option(...jsonFlag)
    .addHelpText('after', examples)
    .action((argument: string | undefined, options: Options) =>
      commit(requiredPool(argument, options, 'predictions'), options, signal),
    )
  return withOptions(withPool(command, 'predictions', ', one row a prediction'), 'goal', 'engine')
}

const examples = `
The options are those of the audit that follows. Publish the file, or its seal, before the value is known; then
alis audit … --commitment commitment.json makes the seed from both.

Examples:
  $ alis commit predictions.csv --prediction label --confidence p --tolerance 0.02
  $ alis commit predictions.csv --prediction label --confidence p --budget 300 --beacon drand:33000000
  $ alis commit predictions.csv --prediction label --budget 300 --beacon 'numbers of the lottery of 28 November, as drawn'`

async function commit(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const { commitment: file, json } = options
  requireAudited(options)
  if (options.score === undefined) requireTolerance(options)
  requireWritable(file, '--commitment', { inputs: [path] })
  requireInput(
    !existsSync(file),
    `${file}: a name that is not taken is required, got a file`,
    'Choose another with --commitment.',
  )
  const beacon = beaconOf(options.beacon, new Date())
  const opening = underReadingBar({ isSilent: json, signal }, (loading) =>
    loadPredictions(path, readingOf(options), loading, options),
  )
  const commitment = await closing(opening, async (predictions) => {
    const plan = planOf(options, predictions)
    await requireSomethingToAsk(predictions, plan)
    return commitmentOf({ ...committable(predictions, plan), beacon, made: new Date().toISOString() })
  })
  writeFileSync(file, commitmentText(commitment), { flag: 'wx' })
  const words = [
    `Committed to these predictions, questions and goals, in ${file}.`,
    `Seal       ${commitment.seal}`,
    `Seed from  ${beaconWords(beacon)}`,
    '',
    'Publish the file or its seal now, where its date can be seen and it cannot be changed. Then, once the value is known:',
    `  alis audit … --commitment ${file}${beacon.kind === 'text' ? ' --beacon <value>' : ''}`,
  ]
  sayResult({ ...(json && { json }) }, { file, ...commitment }, words.join('\n'))
}

const minutes = 10

/** "drand", "drand:33000000", or words. */
function beaconOf(text: string, now: Date): Beacon {
  const what = text.trim()
  requireInput(what !== '', '--beacon: drand, a round of it or words are required, got nothing')
  const [, number] = /^drand(?::(\d+))?$/.exec(what) ?? []
  if (!what.startsWith('drand')) return { kind: 'text', what }
  const next = roundAt(new Date(now.getTime() + 60_000 * minutes))
  const round = number === undefined ? next : Number(number)
  const isFine = (what === 'drand' || number !== undefined) && Number.isSafeInteger(round) && round >= roundAt(now)
  requireInput(
    isFine,
    `--beacon: a round of drand that is still to come is required, got ${what}`,
    `The first in ten minutes is drand:${next}.`,
  )
  return drandBeacon(round)
}
