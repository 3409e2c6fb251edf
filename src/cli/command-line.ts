import { Command, CommanderError } from 'commander'
import { AlisError } from '../core/errors.ts'
import { version } from '../projects/certify.ts'
import { shellWord } from '../text/shell-word.ts'
import { askCommand } from './commands/ask.ts'
import { assessCommand } from './commands/assess.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { certifyCommand } from './commands/certify.ts'
import { compareCommand } from './commands/compare.ts'
import { completionCommand } from './commands/completion.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { labelCommand } from './commands/label.ts'
import { predictCommand } from './commands/predict.ts'
import { runCommand } from './commands/run.ts'
import { Stopped } from './commands/serve-page.ts'
import { statusCommand } from './commands/status.ts'
import { verifyCommand } from './commands/verify.ts'
import { writeLine } from './reports/output.ts'
import { usageError } from './usage-errors.ts'

/** Runs the command line and says how it ended: 0 well, 2 bad input, 130 Ctrl-C, 1 anything else. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  const program = new Command('alis')
    .description('Label less, and know how good it is: active learning with importance sampling.')
    .version(version())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
    .addHelpText('after', examples)
  const { signal } = stopping
  const commands = [
    labelCommand(signal),
    runCommand(signal),
    compareCommand(signal),
    auditCommand(signal),
    certifyCommand(signal),
    askCommand(),
    assessCommand(signal),
    verifyCommand(),
    importCommand(),
    exportCommand(signal),
    predictCommand(signal),
    statusCommand(signal),
    backupCommand(signal),
    demoCommand(signal),
    doctorCommand(),
    completionCommand(program),
  ]
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program))
  try {
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
    return 0
  } catch (error) {
    if (stopping.signal.aborted || error instanceof Stopped) {
      process.stderr.write(`\nstopped${howToGoOn(error instanceof Stopped ? error.again : keptBy(args))}\n`)
      return 130
    }
    if (error instanceof CommanderError && error.exitCode === 0) return 0 // --help and --version
    return tell(explain(error, args), args.includes('--json'))
  } finally {
    process.removeListener('SIGINT', stop)
  }
}

const examples = `
Examples:
  $ alis demo
  $ alis label mails.csv --classes ham,spam
  $ alis run digits.csv --label digit --test 0.3
  $ alis audit predictions.csv --prediction label --confidence p --truth y --tolerance 0.01
  $ alis run --help`

/** With a project nothing is lost, nor with a directory of runs: the same command goes on. */
function keptBy(args: readonly string[]): readonly string[] | undefined {
  return args.some((arg) => arg.endsWith('.alis')) || isCompared(args) ? args : undefined
}

const isCompared = (args: readonly string[]) => args[0] === 'compare' && args.some((arg) => arg.startsWith('--out'))

function howToGoOn(args: readonly string[] | undefined): string {
  return args
    ? `: every ${isCompared(args) ? 'run' : 'answer'} so far is kept, and this continues:\n  alis ${args.map(shellWord).join(' ')}`
    : ''
}

interface CommandFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly exit: number
}

function explain(error: unknown, [command]: readonly string[]): CommandFailure {
  if (error instanceof AlisError) {
    const { code, message, hint } = error
    return { code, message, hint, exit: code === 'bad-input' ? 2 : 1 }
  }
  if (error instanceof CommanderError) return { code: 'bad-input', ...usageError(error, command), exit: 2 }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    code: 'bug',
    message,
    hint: 'This is a fault in alis, not in your data. Please report it with the lines above.',
    exit: 1,
  }
}

function tell({ exit, ...failure }: CommandFailure, json: boolean): number {
  if (json) writeLine('error', failure)
  process.stderr.write(`alis: ${failure.message}\n${failure.hint ? `      ${failure.hint}\n` : ''}`)
  return exit
}
