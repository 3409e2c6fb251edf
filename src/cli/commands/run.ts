import { Command, Option } from 'commander'
import { requireInput } from '../../core/errors.ts'
import type { StepWish } from '../../core/feature-blocks.ts'
import type { Standstill } from '../../core/now.ts'
import { pick } from '../../core/pick.ts'
import { isFor } from '../../core/record.ts'
import { isRandom } from '../../designs/top.ts'
import { type Fitting, isElsewhere } from '../../elsewhere/elsewhere-learner.ts'
import type { Engine } from '../../engines/engine.ts'
import { shownColumns } from '../../features/roles.ts'
import { asReadBefore, requireAsBegun, type Said } from '../../projects/as-begun.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { learnerOf, learnerSettings } from '../../projects/learner-of.ts'
import { loadPool, type SpokenData } from '../../projects/load-pool.ts'
import type { PoolData } from '../../projects/pools/pool-data.ts'
import { runLoop, type TestedRound } from '../../projects/run-loop.ts'
import {
  absolute,
  keepSettings,
  knownSettings,
  openIfThere,
  openOrCreate,
  poolFolder,
  requireLearning,
  type Settings,
  scoresFolder,
} from '../../projects/settings.ts'
import { strategySettings } from '../../projects/strategy-settings.ts'
import { type Suspicion, suspicionsAbout } from '../../projects/suspicions.ts'
import { standstill } from '../../running/standstill.ts'
import type { Project } from '../../stores/project.ts'
import { type StrategyName, strategyNamed } from '../../strategies/catalogue.ts'
import {
  knowOption,
  type LearningOptions,
  learnerHelp,
  learnerOption,
  lossOption,
  type OracleOptions,
  requiredPool,
  rolesOf,
  saidIn,
  strategyHelp,
  strategyOption,
  withOptions,
  withPool,
} from '../options/options.ts'
import { oracleOf } from '../options/oracles.ts'
import { jsonFlag, quietFlag } from '../options/output.ts'
import { asRead, type ReadingOptions, requireToStay, withReadingOptions } from '../options/reading.ts'
import { batchSize, names, numberIn, positiveNumber, positiveWhole, testSource, wholeNumber } from '../options/values.ts'
import { lateProgress } from '../reports/report.ts'
import { type RunOutcome, reportFor } from '../reports/run-report.ts'
import { underReadingBar } from '../terminal/progress.ts'

interface Options extends LearningOptions, OracleOptions, ReadingOptions {
  readonly label?: string
  readonly given?: string
  readonly positive?: string
  readonly added?: readonly string[]
  readonly scores?: readonly string[] | undefined
  readonly elsewhere?: boolean | undefined
  readonly steps?: StepWish | undefined
  readonly rounds?: number
  readonly test?: number | string
  readonly delta: number
  readonly verbose?: boolean
  readonly yes?: boolean
  readonly explain?: boolean
}

export function runCommand(signal: AbortSignal): Command {
  const command = new Command('run')
    .option('--label <column>', 'the column that answers (a simulation)')
    .option('--given <column>', 'labels that are there already, where they are: learned from, never drawn')
    .option('--positive <values>', 'one class against the rest: value, or values separated by commas')
    .option('--classes <names>', 'the classes, separated by commas, where no column has labels', names)
    .option('--project <NAME.alis>', 'keep every draw and answer in this directory, and go on from there')
    .addOption(strategyOption())
    .addOption(knowOption())
    .addOption(learnerOption())
    .addOption(lossOption())
    .option('--l2 <number>', 'strength of the penalty on the weights', positiveNumber, 1)
    .option('--start <n>', 'labels drawn uniformly before the first round', positiveWhole, 10)
    .option('--batch <n>', 'labels a round; literal is the paper to the letter, one expected', batchSize, 10)
    .addOption(new Option('--rounds <n>', 'rounds after the start (default: 20)').argParser(positiveWhole).conflicts('budget'))
    .option('--budget <n>', 'labels in all, instead of rounds', positiveWhole)
    .option('--test <file|share>', 'rows to test on: another file, or a share of this one set aside by lot', testSource)
    .option(
      '--weighting <exponent>',
      "training weights to this power, 0 none to 1 full (default: the strategy's)",
      numberIn(0, 1),
    )
    .option('--delta <number>', "chance of failure in the paper's bound", numberIn(0, 1, { open: true }), 0.05)
    .option('--seed <n>', 'repeat a run (default: fresh from the operating system, and printed)', wholeNumber)
    .option(...jsonFlag)
    .option(...quietFlag)
    .option('--explain', 'with --strategy paper: every round in the letters of the paper, and what the truth says of its bounds')
    .option('--yes', 'say nothing of what looks wrong about the data')
    .option('--verbose', "add what every round alone says of the model before it, and the paper's bound")
    .addHelpText(
      'after',
      `
${strategyHelp()}

${learnerHelp()}

Examples:
  $ alis run digits.csv --label digit --positive 1,3,5,7,9 --test 0.3
  $ alis run digits.csv --label digit --budget 300 --strategy uniform --seed 7
  $ alis run letters.tsv --label letter --json > run.jsonl
  $ alis run 'parts/*.parquet' --label y --memory 2GiB
  $ alis run scored.parquet --scores-column p_spam --classes ham,spam --oracle-command ./ask.py
  $ alis run --pool clickhouse://me@db.example.org/pools/mails --label spam
  $ alis run mails.csv --text body --classes ham,spam --oracle-command ./ask.py --project mails.alis
  $ alis run mails.csv --label spam --learner-command 'python3 forest.py' --project mails.alis`,
    )
    .action((path: string | undefined, options: Options, command: Command) =>
      runOn(requiredPool(path, options, 'pool'), options, { said: saidIn(command), signal }),
    )
  return withOptions(
    withReadingOptions(withPool(command, 'pool', ', or - for stdin')),
    'roles',
    'scores',
    'elsewhere',
    'oracle',
    'engine',
    'bits',
  )
}

async function runOn(
  path: string,
  options: Options,
  asked: { readonly said: Said; readonly signal: AbortSignal },
): Promise<void> {
  requireToStay(path, options.project)
  await run(await asRead(path, options), options, asked)
}

async function run(named: string, options: Options, { said, signal }: { said: Said; signal: AbortSignal }): Promise<void> {
  const started = performance.now()
  requireAnswers(options)
  let project = options.project === undefined ? undefined : await openIfThere(options.project)
  try {
    if (project) await requireLearning(project)
    const known = project && (await knownSettings(project))
    if (project && known) requireAsBegun(project.path, known, said)
    const path = project && known ? asReadBefore(named, project.path, known) : named
    const settled = known ? settle(options, known) : begin(options)
    const strategy = strategyNamed(settled.strategy, settled)
    const seed = settled.seed ?? freshSeed()
    const seedChosen = known?.seedChosen ?? options.seed !== undefined
    const progress = lateProgress()
    const wish = { ...settled, working: progress.working }
    const data = await underReadingBar({ isSilent: options.json || options.quiet, signal }, (loading) =>
      loadPool(path, settled, seed, { ...loading, ...(project && foldersOf(project)) }, wish),
    )
    const plan = planOf(settled, data, { seed, signal, working: progress.working })
    const columns = shownColumns(data.file.roles).map(({ name }) => name)
    const oracle = oracleOf(options, data, { columns, project: options.project })
    if (options.project !== undefined && !project) {
      project = await openOrCreate(options.project) // now that pool and learner are possible: nothing is left behind otherwise
      data.keep?.(poolFolder(project))
      data.elsewhere?.keepIn(scoresFolder(project))
    }
    if (project) await keepSettings(project, settingsFor(path, settled, { seed, seedChosen }, data), data)

    const given = known || options.given === undefined ? undefined : await data.labelsIn(options.given)
    let engine: Engine | undefined
    const rounds = runLoop(
      data,
      { ...plan, strategy, seed, seedChosen, signal, given },
      {
        ...(oracle && { oracle: (engine) => oracle((ids) => engine.contents(ids)) }),
        ...(project && { store: project }),
        opened(opened) {
          engine = opened
        },
      },
    )
    if (!known && !options.yes) warn(await suspicionsAbout(data, settled.label))
    const report = reportFor(path, settled, seed, data)
    progress.report = report
    const done: TestedRound[] = []
    let still: Standstill | undefined
    try {
      for await (const round of rounds) {
        report.round(round)
        done.push(round)
      }
      if (isRandom(strategy.design.name)) still = await standstill(done, (ids) => engine!.features(ids))
    } finally {
      report.clear()
      await plan.learner.close?.()
      await data.close()
    }
    const last = done.at(-1)
    const outcome = last ? { labels: last.labels, model: last.model.id, ...pick(last, 'now', 'test') } : await outcomeOn(project)
    report.finish({ ...outcome, ...(still && { standstill: still }), seconds: (performance.now() - started) / 1000 })
  } finally {
    await project?.close()
  }
}

/** On stderr, before anything is spent. */
function warn(suspicions: readonly Suspicion[]): void {
  for (const { words, settle } of suspicions)
    process.stderr.write(`warning: ${words}\n         ${settle}; --yes if it is right\n`)
}

const foldersOf = (project: Project) => ({ folder: poolFolder(project), scores: scoresFolder(project) })

function planOf(settled: Options, data: SpokenData, fitting: Pick<Fitting, 'seed' | 'signal' | 'working'>) {
  const { start, batch, weighting, delta, budget, rounds = 20 } = settled
  const length = budget === undefined ? { rounds } : { budget }
  return { learner: learnerOf(data, settled, { ...settled, ...fitting }), start, batch, weighting, delta, ...length }
}

function requireAnswers({ label, classes, test, oracleCommand, oracleUrl }: Options): void {
  const hasOracle = (oracleCommand ?? oracleUrl) !== undefined
  requireInput(
    label !== undefined || hasOracle,
    'answers: a column, a program or a service is required, got none',
    'Name one with --label, --oracle-command or --oracle-url.',
  )
  requireInput(
    label !== undefined || (classes?.length ?? 0) >= 2,
    `classes: two or more are required where no column has labels, got ${classes?.length ?? 'none'}`,
    'For example --classes ham,spam.',
  )
  requireInput(
    label !== undefined || test === undefined,
    'test: a column of labels is required to test on, got none',
    'Name it with --label, or leave out --test.',
  )
}

/** What is not on record yet. */
function begin(options: Options): Options {
  const wished = { ...options, scores: options.scoresColumn, ...(isElsewhere(options) && { elsewhere: true }) }
  return { ...wished, ...learnerSettings(wished) }
}

/** What a project began with wins over what a command says now: its draws were made that way. */
function settle(options: Options, { wishes, strategy, ...known }: Settings): Options {
  const { pool: _, added, ...rest } = known
  return {
    ...options,
    ...wishes,
    ...rest,
    added: added.map(({ path }) => path),
    bits: known.bits ?? 32,
    learner: known.learner,
    strategy: strategy as StrategyName,
  } as Options
}

function settingsFor(path: string, options: Options, seeds: Pick<Settings, 'seed' | 'seedChosen'>, data: PoolData): Settings {
  const { label, given, scores, elsewhere, test, learner, steps } = options
  const learned = { ...(learner && { learner }), ...(steps && { steps }) }
  const { loss, l2, start, batch, delta, bits } = options
  return {
    pool: { path: absolute(path), hash: data.file.table.hash },
    added: [],
    wishes: { label, given, scores, elsewhere, ...rolesOf(options) },
    ...pick(options, 'positive'),
    classes: data.classes,
    ...(test !== undefined && { test: typeof test === 'string' ? absolute(test) : test }),
    ...seeds,
    ...strategySettings(options),
    loss,
    l2,
    start,
    batch,
    ...pick(options, 'weighting'),
    delta,
    ...(bits === 8 && { bits }),
    ...learned,
  }
}

/** Of a run that had nothing left to do: everything is on record already. */
async function outcomeOn(project: Project | undefined): Promise<RunOutcome> {
  const rounds = ((await project?.rounds()) ?? []).filter((round) => !isFor('given', round))
  const labels = rounds.reduce((sum, { answers }) => sum + answers.size, 0)
  const now = (await project?.looks())?.at(-1)?.now ?? null // looked at when the run was gone on with, if anything had changed
  return { labels, model: (await project?.models())?.at(-1)?.model.id, now }
}
