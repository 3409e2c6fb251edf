import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { isElsewhere } from '../../elsewhere/elsewhere-learner.ts'
import { requireAsBegun, type Said } from '../../projects/as-begun.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import { absolute, knownSettings, openToRead, type Settings } from '../../projects/settings.ts'
import type { Source } from '../../server/session/state.ts'
import { strategyNamed } from '../../strategies/catalogue.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import {
  knowOption,
  type LearningOptions,
  learnerOption,
  lossOption,
  namedPool,
  type PageOptions,
  rolesOf,
  saidIn,
  strategyOption,
  withOptions,
  withPool,
} from '../options/options.ts'
import { jsonFlag } from '../options/output.ts'
import { asRead, type ReadingOptions, requireToStay, withReadingOptions } from '../options/reading.ts'
import { names, numberIn, positiveNumber, positiveWhole, wholeNumber } from '../options/values.ts'
import { servePage } from './serve-page.ts'

interface Options extends ReadingOptions, LearningOptions, PageOptions {
  readonly budget: number
  readonly question?: string
  readonly guidelines?: string
}

export function labelCommand(signal: AbortSignal): Command {
  const command = new Command('label')
    .option('--classes <names>', 'the classes, separated by commas', names)
    .option('--project <NAME.alis>', 'keep every draw and answer in this directory, and go on from there (default: by the pool)')
    .option('--question <text>', 'what people are asked')
    .option('--guidelines <file>', 'how to answer, as plain text')
    .addOption(strategyOption())
    .addOption(knowOption())
    .addOption(learnerOption())
    .addOption(lossOption())
    .option('--l2 <number>', 'strength of the penalty on the weights', positiveNumber, 1)
    .option('--weighting <exponent>', "training weights to this power (default: the strategy's)", numberIn(0, 1))
    .option('--start <n>', 'answers drawn uniformly before the first model', positiveWhole, 10)
    .option('--batch <n>', 'answers a round', positiveWhole, 40)
    .option('--budget <n>', 'answers in all', positiveWhole, 400)
    .option('--seed <n>', 'repeat the draws (default: fresh from the operating system)', wholeNumber)
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis label
  $ alis label mails.csv --classes ham,spam --text body
  $ alis label photos.csv --classes cat,dog --show file --question "Cat or dog?"
  $ alis label --project mails.alis`,
    )
    .action((path: string | undefined, options: Options, command: Command) =>
      labelOn(namedPool(path, options), options, { said: saidIn(command), signal }),
    )
  return withOptions(
    withReadingOptions(withPool(command, 'pool', ' (default: choose a file on the page)')),
    'roles',
    'scores',
    'elsewhere',
    'engine',
    'bits',
    'page',
  )
}

async function labelOn(path: string | undefined, options: Options, asked: { readonly said: Said; readonly signal: AbortSignal }) {
  if (path !== undefined) requireToStay(path, 'a project') // people come back to it
  await label(path === undefined ? undefined : await asRead(path, options), options, asked)
}

async function label(
  path: string | undefined,
  options: Options,
  { said, signal }: { readonly said: Said; readonly signal: AbortSignal },
): Promise<void> {
  const directory = process.cwd()
  const project = options.project ?? (path === undefined ? undefined : projectNameFor(path))
  if (project === undefined) return servePage({ directory }, options, { signal })
  const known = await settingsIn(project)
  if (known) requireAsBegun(project, known, said)
  const source: Source = known ? { kind: 'known' } : sourceOf(path, options)
  const what = source.kind === 'known' ? `${project}: goes on where it stopped` : `${basename(path!)}: into ${project}`
  await servePage({ directory, work: { project, source } }, options, { signal, lines: [what] })
}

/** What the project at a path is about, if there is one that has a pool. */
async function settingsIn(path: string): Promise<Settings | undefined> {
  return existsSync(path) ? closing(openToRead(path), knownSettings) : undefined
}

function sourceOf(path: string | undefined, options: Options): Source {
  requireInput(path !== undefined, `${options.project}: must be a project, got nothing there`, 'Name a pool to begin one.')
  const {
    classes,
    scoresColumn: scores,
    strategy,
    know,
    learner,
    loss,
    l2,
    weighting,
    start,
    batch,
    budget,
    bits,
    seed,
  } = options
  strategyNamed(strategy, { know })
  requireInput(
    classes !== undefined && classes.length >= 2 && classes.length <= mostClasses,
    `classes: from 2 to ${mostClasses} are required, got ${classes?.length ?? 'none'}`,
    'For example --classes ham,spam. Or choose them on the page: alis label, without a pool.',
  )
  const wishes = { scores, ...(isElsewhere(options) && { elsewhere: true }), ...rolesOf(options) }
  const plan = { strategy, batch, budget }
  return {
    kind: 'new',
    beginning: { path: absolute(path), wishes, classes, plan, start, learner, loss, l2, weighting, know, seed, bits },
    labelling: {
      question: options.question ?? 'Which class is this?',
      guidelines: options.guidelines === undefined ? '' : readText(options.guidelines),
      classes: keyed(classes),
    },
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const got = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing there' : (error as Error).message
    throw new AlisError('bad-input', `--guidelines: a text file is required, got ${got} at ${path}`, undefined, { cause: error })
  }
}
