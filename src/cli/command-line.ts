import { Command, CommanderError } from 'commander'
import { AlisError, requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import { version } from '../projects/version.ts'
import { shellWord } from '../text/shell-word.ts'
import { visible, visibleLines } from '../text/visible.ts'
import { commands } from './catalogue.ts'
import { NotReached } from './commands/not-reached.ts'
import { Stopped } from './commands/stopped.ts'
import { writeLine } from './reports/output.ts'
import { topHelp, usageError } from './usage-errors.ts'

/** Runs the command line and says how it ended: 0 well, 2 bad input, 3 without the goal of an audit, 130 Ctrl-C, 1 anything else. */
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
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', examples)
  const named = args.find((arg) => !arg.startsWith('-') && arg !== 'help')
  for (const [name, { description, load }] of Object.entries(commands)) {
    const isNeeded = name === named || named === 'completion' // which completes all of them
    const command = isNeeded ? await load(stopping.signal, program) : new Command(name)
    program.addCommand(command.description(description).copyInheritedSettings(program))
  }
  try {
    requireHelped(args)
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
    return 0
  } catch (error) {
    if (stopping.signal.aborted || error instanceof Stopped) {
      process.stderr.write(`\nstopped${visibleLines(howToGoOn(error instanceof Stopped ? error.again : keptBy(args)))}\n`)
      return 130
    }
    if (error instanceof NotReached) return 3
    if (error instanceof CommanderError && error.exitCode === 0) return 0 // --help and --version
    return tell(explain(error, args), args.includes('--json'))
  } finally {
    process.removeListener('SIGINT', stop)
  }
}

/** Commander shows the help of the whole for a command that there is not. */
function requireHelped([help, name]: readonly string[]): void {
  const names = Object.keys(commands)
  const isThere = help !== 'help' || name === undefined || name.startsWith('-') || names.includes(name) || name === 'help'
  requireInput(isThere, `${name}: must be a command, got an unknown one`, didYouMean(name ?? '', names) ?? topHelp)
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
  const { code, message, hint } = failure
  const said = code === 'bug' ? visibleLines(message) : visible(message)
  process.stderr.write(`alis: ${said}\n${hint ? `      ${visibleLines(hint)}\n` : ''}`)
  return exit
}
