import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Goal } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import { type EngineName, engineNames } from '../../projects/pools/engine-choice.ts'
import type { Bits } from '../../projects/pools/pool-data.ts'

/** Readers of option values; commander puts the option's name before the message. */
export function wholeNumber(text: string): number {
  return wholeFrom(0, text)
}

export function positiveWhole(text: string): number {
  return wholeFrom(1, text)
}

function wholeFrom(least: number, text: string): number {
  const value = Number(text)
  const refuse = (what: string) => new InvalidArgumentError(`a whole number${what} is required, got ${JSON.stringify(text)}`)
  if (text.trim() === '' || !Number.isInteger(value)) throw refuse('')
  if (value < least) throw refuse(` of at least ${least}`)
  if (!Number.isSafeInteger(value)) throw refuse(' below 2⁵³')
  return value
}

export function numberIn(low: number, high: number, { open = false } = {}): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const inside = open ? value > low && value < high : value >= low && value <= high
    if (text.trim() === '' || !inside) {
      const range = open ? `(${low}, ${high})` : `[${low}, ${high}]`
      throw new InvalidArgumentError(`a number in ${range} is required, got ${JSON.stringify(text)}`)
    }
    return value
  }
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new InvalidArgumentError(`a positive number is required, got ${JSON.stringify(text)}`)
  }
  return value
}

/** Names separated by commas. One that is missing or there twice is a slip. */
export function names(text: string): string[] {
  const all = text.split(',').map((name) => name.trim())
  const repeated = all.find((name, i) => all.indexOf(name) < i)
  if (all.includes('')) throw new InvalidArgumentError(`a name between any two commas is required, got ${JSON.stringify(text)}`)
  if (repeated !== undefined)
    throw new InvalidArgumentError(`names that differ are required, got ${JSON.stringify(repeated)} twice`)
  return all
}

/** The number of draws a round; `literal` is the paper to the letter, one expected. */
export function batchSize(text: string): number {
  return text === 'literal' ? 1 : positiveWhole(text)
}

/** A share of the rows, or a file. */
export function testSource(text: string): number | string {
  return Number.isNaN(Number(text)) ? text : numberIn(0, 1, { open: true })(text)
}

/** A number of bytes: 500MB, 2GiB. */
function byteNumber(text: string): number {
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]i?b?|b)?\s*$/i.exec(text) ?? []
  const size = Number(digits) * (byteUnits[unit.toLowerCase().replace(/b$/, '')] ?? Number.NaN)
  if (!(size >= leastMemory))
    throw new InvalidArgumentError(`a size of at least 128MiB is required, such as 2GiB, got ${JSON.stringify(text)}`)
  return Math.floor(size)
}

const leastMemory = 2 ** 27
const byteUnits: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
}

/** The pool in its other spelling. */
export interface PoolOptions {
  readonly pool?: string
}

const poolKinds =
  'CSV, TSV, JSON, JSONL, Parquet, Arrow or DuckDB file, several as a quoted pattern, or clickhouse://user@host/database/table'

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

/** Where the pool lies while it is worked on. */
export interface EngineOptions {
  readonly engine?: EngineName
  readonly memory?: number
}

export function withEngine(command: Command): Command {
  return command
    .addOption(
      new Option('--engine <name>', 'where the pool is worked on (default: memory, or duckdb where it would not fit)').choices(
        engineNames,
      ),
    )
    .option('--memory <size>', 'memory the pool may take, such as 2GiB (default: half of what there is)', byteNumber)
}

/** How exactly chances go by the features. */
export interface BitsOptions {
  readonly bits?: Bits
}

export function withBits(command: Command): Command {
  return command.addOption(
    new Option(
      '--bits <n>',
      'bits of a feature where chances are made from it; 8 take a quarter of the memory, and draw other points (default: 32)',
    )
      .choices(['8', '32'])
      .argParser(bitsIn),
  )
}

function bitsIn(text: string): Bits {
  if (text !== '8' && text !== '32') throw new InvalidArgumentError(`8 or 32 is required, got ${JSON.stringify(text)}`)
  return text === '8' ? 8 : 32
}

/** What columns are for, where good sense is not enough. */
export interface RoleOptions {
  readonly id?: string
  readonly features?: readonly string[]
  readonly text?: readonly string[]
  readonly category?: readonly string[]
  readonly number?: readonly string[]
  readonly vector?: readonly string[]
  readonly show?: readonly string[]
  readonly ignore?: readonly string[]
}

export function withRoles(command: Command): Command {
  return command
    .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
    .option('--features <columns>', 'learn from these columns only, separated by commas (default: all that say something)', names)
    .option('--text <columns>', 'columns of words', names)
    .option('--category <columns>', 'columns of names, also where they look like numbers', names)
    .option('--number <columns>', 'columns of numbers', names)
    .option('--vector <columns>', 'columns of lists of numbers: embeddings', names)
    .option('--show <columns>', 'what whoever answers gets to see (default: texts and images, or else all)', names)
    .option('--ignore <columns>', 'columns to leave out', names)
}

/** A model that is not learned here. */
export interface ScoreOptions {
  readonly scoresColumn?: readonly string[]
}

const learning = ['loss', 'l2', 'weighting', 'test', 'features', 'text', 'category', 'number', 'vector']

export function withScores(command: Command): Command {
  return command.addOption(
    new Option(
      '--scores-column <columns>',
      'learn nothing: the probability of the positive class is in this column, or of each class in one named like it',
    )
      .argParser(names)
      .conflicts(learning),
  )
}

/** Who answers, if not a column. */
export interface OracleOptions {
  readonly oracleCommand?: string
  readonly oracleUrl?: string
  readonly oracleRate?: number
  readonly oracleTimeout?: number
}

export function withOracle(command: Command): Command {
  return command
    .addOption(new Option('--oracle-command <command>', 'ask a program: JSON lines in, JSON lines out').conflicts('oracleUrl'))
    .option('--oracle-url <url>', 'ask a service by HTTP POST; ALIS_ORACLE_TOKEN, if set, goes along as a bearer token')
    .option('--oracle-rate <n>', 'ask the service at most so many times a second', positiveNumber)
    .option('--oracle-timeout <seconds>', 'wait so long for an answer', positiveNumber)
}

/** When an audit stops, and how sure it is. */
export interface GoalOptions {
  readonly tolerance?: number
  readonly below?: number
  readonly budget?: number
  readonly level: number
  readonly batch: number
}

export function withGoal(command: Command): Command {
  return command
    .option('--tolerance <number>', 'stop when the interval is this far to either side of its middle', numberIn(0.0005, 0.5))
    .addOption(
      new Option('--below <number>', 'stop when it is surely below this')
        .argParser(numberIn(-1, 1, { open: true }))
        .conflicts('tolerance'),
    )
    .option('--budget <n>', 'stop after this many answers', positiveWhole)
    .option('--level <number>', 'how sure to be', numberIn(0.5, 1, { open: true }), 0.95)
    .option('--batch <n>', 'answers a round', positiveWhole, 50)
}

/** The goal that was set, or else one percentage point. */
export function goalOf({ tolerance, below, budget }: GoalOptions): Goal {
  if ((tolerance ?? below ?? budget) === undefined) return { tolerance: 0.01 }
  return {
    ...(tolerance !== undefined && { tolerance }),
    ...(below !== undefined && { below }),
    ...(budget !== undefined && { budget }),
  }
}
