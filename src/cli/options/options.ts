import { type Command, Option } from 'commander'
import { requireInput } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import type { ElsewhereWish } from '../../elsewhere/elsewhere-learner.ts'
import { type LearnerName, learnerNames, learners } from '../../learners/catalogue.ts'
import { defaultLoss, type LossName, lossNames } from '../../losses/catalogue.ts'
import { type EngineName, engineNames } from '../../projects/pools/engine-choice.ts'
import type { Bits } from '../../projects/pools/pool-data.ts'
import { leastKnow, usualKnow } from '../../strategies/alis.ts'
import { type StrategyName, strategies, strategyNames } from '../../strategies/catalogue.ts'
import type { OutputOptions } from './output.ts'
import {
  bitsIn,
  byteNumber,
  headerIn,
  modelPlace,
  names,
  numberIn,
  objectIn,
  portNumber,
  positiveNumber,
  positiveWhole,
  promptIn,
} from './values.ts'

/** The pool in its other spelling. */
export interface PoolOptions {
  readonly pool?: string
}

const poolKinds =
  'CSV, JSON, Excel, Parquet, Arrow, DuckDB, SQLite file or that of another tool, several as a quoted pattern, or an address: https, postgres or clickhouse://user@host/database/table'

/** Takes a pool as an argument or by --pool. `note`: what more there is to say of it. */
export function withPool(command: Command, name: string, note = ''): Command {
  return command.argument(`[${name}]`, `${poolKinds}${note}`).option('--pool <address>', `the same as the argument ${name}`)
}

/** The pool that was named, in whichever spelling. */
export function namedPool(argument: string | undefined, { pool }: PoolOptions): string | undefined {
  requireInput(
    argument === undefined || pool === undefined || argument === pool,
    `--pool: one pool is required, got ${JSON.stringify(pool)} and ${JSON.stringify(argument)}`,
    'It stands for the argument: leave out one of them.',
  )
  return argument ?? pool
}

/** The same where there must be one. `name`: of the argument. */
export function requiredPool(argument: string | undefined, options: PoolOptions, name: string): string {
  const pool = namedPool(argument, options)
  requireInput(pool !== undefined, `<${name}>: must be given, got nothing`, 'Name it as an argument or with --pool.')
  return pool
}

/** Options as they were typed, without those that have their default. */
export function saidIn(command: Command): Record<string, unknown> {
  const isTyped = ([name]: [string, unknown]) => command.getOptionValueSource(name) === 'cli'
  return Object.fromEntries(Object.entries(command.opts()).filter(isTyped))
}

export interface EngineOptions {
  readonly engine?: EngineName
  readonly memory?: number
}

/** What columns are for, where good sense is not enough. */
export interface RoleOptions {
  readonly id?: string
  readonly features?: readonly string[]
  readonly text?: readonly string[]
  readonly category?: readonly string[]
  readonly number?: readonly string[]
  readonly vector?: readonly string[]
  readonly embed?: readonly string[]
  readonly embedModel?: string
  readonly show?: readonly string[]
  readonly ignore?: readonly string[]
}

export const rolesOf = (options: RoleOptions): RoleOptions =>
  pick(options, 'id', 'features', 'text', 'category', 'number', 'vector', 'embed', 'embedModel', 'show', 'ignore')

export interface LearningOptions extends PoolOptions, RoleOptions, EngineOptions, ElsewhereWish, OutputOptions {
  readonly scoresColumn?: readonly string[]
  readonly bits?: Bits
  readonly classes?: readonly string[]
  readonly project?: string
  readonly strategy: StrategyName
  readonly know?: number
  readonly learner?: LearnerName
  readonly loss: LossName
  readonly l2: number
  readonly weighting?: number
  readonly start: number
  readonly batch: number
  readonly budget?: number
  readonly seed?: number
}

export const strategyOption = () =>
  new Option('--strategy <name>', 'what to draw and how to weigh it').choices(strategyNames).default('alis')

export const knowOption = () =>
  new Option(
    '--know <share>',
    `of strategy alis: the share drawn uniformly; more tells more, and learns a little slower (default: ${usualKnow})`,
  ).argParser(numberIn(leastKnow, 1))

export const learnerOption = () =>
  new Option('--learner <name>', 'what fits the model (default: auto with strategy alis, linear with others)').choices(
    learnerNames,
  )

export const lossOption = () => new Option('--loss <name>', 'what the learner minimises').choices(lossNames).default(defaultLoss)

/** All strategies with their summaries, for the help of commands that take their names. */
export function strategyHelp(): string {
  const lines = Object.values(strategies).map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}`)
  return `Strategies:\n${lines.join('\n')}`
}

export function learnerHelp(): string {
  const lines = learnerNames.map((name) => `  ${name.padEnd(18)} ${learners[name].summary}`)
  return `Learners:\n${lines.join('\n')}`
}

/** Who answers, if not a column. */
export interface OracleOptions {
  readonly oracleCommand?: string
  readonly oracleUrl?: string
  readonly oracleRate?: number
  readonly oracleTimeout?: number
  readonly oracleHeader?: Readonly<Record<string, string>>
  readonly oracleConcurrency?: number
  /** Of a language model. */
  readonly oraclePrompt?: string
  readonly oracleModel?: string
  readonly oracleSettings?: Readonly<Record<string, unknown>>
  readonly oracleRequests?: number
  readonly oracleCache?: string
}

export interface PageOptions extends EngineOptions, ElsewhereWish, OutputOptions {
  readonly port?: number
  readonly host?: string
  readonly open: boolean
  readonly annotator?: string
}

export const levelOption = () =>
  new Option('--level <number>', 'how sure to be').argParser(numberIn(0.5, 1, { open: true })).default(0.95)

/** What only a model that is fitted here can do with. */
const ownFeatures = ['loss', 'l2', 'test', 'features', 'text', 'category', 'number', 'vector', 'embed', 'embedModel']
const otherModels = [...ownFeatures, 'learner', 'scoresColumn', 'bits']

/** Options that several commands take together, under the names by which commands ask for them. */
const groups = {
  roles: (command: Command) =>
    command
      .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
      .option(
        '--features <columns>',
        'learn from these columns only, separated by commas (default: all that say something)',
        names,
      )
      .option('--text <columns>', 'columns of words', names)
      .option('--category <columns>', 'columns of names, also where they look like numbers', names)
      .option('--number <columns>', 'columns of numbers', names)
      .option('--vector <columns>', 'columns of lists of numbers: embeddings', names)
      .option('--embed <columns>', 'columns of texts or images to make vectors of, by the model', names)
      .option(
        '--embed-model <folder|name>',
        'a model for @huggingface/transformers: a folder, or a name on the Hugging Face Hub',
        modelPlace,
      )
      .option('--show <columns>', 'what whoever answers gets to see (default: texts and images, or else all)', names)
      .option('--ignore <columns>', 'columns to leave out', names),
  scores: (command: Command) =>
    command.addOption(
      new Option(
        '--scores-column <columns>',
        'learn nothing: the probability of the positive class is in this column, or of each class in one named like it',
      )
        .argParser(names)
        .conflicts([...ownFeatures, 'weighting']),
    ),
  elsewhere: (command: Command) =>
    command
      .addOption(
        new Option(
          '--learner-command <command>',
          'a program fits the models, from the file as it is: JSON lines in, JSON lines out, probabilities of every point',
        ).conflicts([...otherModels, 'learnerUrl']),
      )
      .addOption(
        new Option(
          '--learner-url <url>',
          'a service does, by HTTP POST; ALIS_LEARNER_TOKEN, if set, goes along as a bearer token',
        ).conflicts(otherModels),
      )
      .option('--learner-timeout <seconds>', 'wait so long for a model (default: 600)', positiveNumber),
  oracle: (command: Command) =>
    command
      .addOption(new Option('--oracle-command <command>', 'ask a program: JSON lines in, JSON lines out').conflicts('oracleUrl'))
      .option('--oracle-url <url>', 'ask a service by HTTP POST; ALIS_ORACLE_TOKEN, if set, goes along as a bearer token')
      .option('--oracle-rate <n>', 'ask the service at most so many times a second', positiveNumber)
      .option('--oracle-timeout <seconds>', 'wait so long for an answer', positiveNumber)
      .option('--oracle-header <name: value>', 'send this to the service too; may be repeated', headerIn)
      .option('--oracle-concurrency <n>', 'requests under way at a time (default: 4)', positiveWhole)
      .option(
        '--oracle-prompt <text|file>',
        "the service is a language model that speaks as OpenAI's do: ask it this, with {column} where a cell belongs",
        promptIn,
      )
      .option('--oracle-model <name>', 'with --oracle-prompt: which model')
      .option(
        '--oracle-settings <json>',
        'with --oracle-prompt: what else goes into a request, such as {"temperature": 0}',
        objectIn,
      )
      .option('--oracle-requests <n>', 'with --oracle-prompt: make at most so many requests', positiveWhole)
      .option('--oracle-cache <file>', 'with --oracle-prompt: keep replies here (default: in the project)'),
  goal: (command: Command) =>
    command
      .option('--tolerance <number>', 'stop when every interval is this far to either side of its middle', positiveNumber)
      .addOption(
        new Option('--below <number>', 'stop when all that is asked is surely below this')
          .argParser(numberIn(-1, 1, { open: true }))
          .conflicts('tolerance'),
      )
      .option('--budget <n>', 'stop after this many answers; alone, intervals are narrowest there', positiveWhole)
      .addOption(levelOption())
      .option('--batch <n>', 'answers a round', positiveWhole, 50),
  engine: (command: Command) =>
    command
      .addOption(
        new Option('--engine <name>', 'where the pool is worked on (default: memory, or duckdb where it would not fit)').choices(
          engineNames,
        ),
      )
      .option('--memory <size>', 'memory the pool may take, such as 2GiB (default: half of what there is)', byteNumber),
  bits: (command: Command) =>
    command.addOption(
      new Option(
        '--bits <n>',
        'bits of a feature where chances are made from it; 8 take a quarter of the memory, and draw other points (default: 32)',
      )
        .choices(['8', '32'])
        .argParser(bitsIn),
    ),
  page: (command: Command) =>
    command
      .option('--port <n>', 'where the page is (default: 4747, or the next that is free)', portNumber)
      .option('--host <address>', 'who can reach the page (default: 127.0.0.1, this machine only)')
      .option('--no-open', 'print the address of the page, and open no browser')
      .option('--annotator <name>', 'who answers; goes on record with every answer'),
}

/** Adds groups of options to a command, in the order in which its help lists them. */
export function withOptions(command: Command, ...names: readonly (keyof typeof groups)[]): Command {
  for (const name of names) groups[name](command)
  return command
}
