import { createHash } from 'node:crypto'
import { requireInput } from '../../core/errors.ts'
import type { Label } from '../../core/record.ts'
import { duckdbDialect } from '../../engines/duckdb/dialect.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../engines/duckdb/pool.ts'
import { lookUpOracle } from '../../oracles/look-up.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { TableSql } from '../../sources/table.ts'
import { forDuckdb, type OnDisk, requireSql, rowsOf } from '../pools/duckdb.ts'
import type { Loading } from '../pools/open-file.ts'
import { idColumn } from '../pools/points.ts'
import { columnsIn, isAboutPositive, type Predictions, type Reading, shownIn } from './memory.ts'
import { requirePrediction, unknownChance } from './rows.ts'

const { number, text } = duckdbDialect

/** Predictions that stay where they lie. Nothing as long as the file is held in memory. */
export async function predictionsOnDisk(path: string, reading: Reading, loading: Loading, onDisk: OnDisk): Promise<Predictions> {
  const { progress, signal } = loading
  const half = (k: number) => (share: number, step: string) => progress?.((k + share) / 2, step)
  const table = await openTable(path, { ...(signal && { signal }), progress: half(0) })
  const closing = [() => table.close()]
  const close = async () => {
    for (const end of closing.toReversed()) await end()
  }
  try {
    const sql = requireSql(path, table)
    const id = reading.id ?? idColumn(table, reading.truth)
    const said = saidIn(sql, reading)
    const { from, id: idOf, line } = rowsOf(sql, id)
    let isReady = false
    const hearing = (share: number, step: string) => (isReady ? onDisk.working : half(1))?.(share, step)
    const options = { memoryLimit: forDuckdb(onDisk), progress: hearing }
    // The classes are known only once somebody can be asked for them; until then one score stands for all.
    const looker = await openDuckdbPool({ from, id: idOf, blocks: [], fields: {}, setup: sql.setup, line }, options)
    closing.push(() => looker.close())
    const classes = reading.classes ?? (await classesIn(looker, from, said, reading.known ?? []))
    await requireSound(looker, from, idOf, said)
    const blocks = scoresOf(said, classes, reading).map((score) => ({ kind: 'number' as const, sql: score }))
    const shown = Object.fromEntries(shownIn(table, reading).map((name) => [name, sql.column(name).text]))
    const pool = looker.with({ blocks, fields: shown })
    const [modelHash, poolHash] = await hashesOf(pool, from, said)
    isReady = true
    const engine = pool.engine()
    const { truth } = said
    return {
      engine: {
        ...engine,
        async close() {
          await engine.close()
          await close()
        },
      },
      model: { kind: 'columns', id: modelHash, classes: ['no', 'yes'], columns: blocks.length },
      classes,
      poolHash,
      columns: columnsIn(reading, id),
      answers:
        truth === undefined
          ? undefined
          : () => lookUpOracle(async (ids) => (await pool.lookUp(ids, [truth])).map(([label]): Label => label ?? null)),
      hasConfidence: said.chance !== undefined,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a row says, each as an expression. */
interface Said {
  readonly label: string
  /** The probability that the model gives to its prediction, as a 32-bit float. */
  readonly share: string | undefined
  /** The chance that the prediction is wrong. */
  readonly chance: string | undefined
  /** Probabilities by class, where there is one for each. */
  readonly shares: ReadonlyMap<string, string>
  readonly other: string | undefined
  readonly truth: string | undefined
}

function saidIn({ column }: TableSql, { prediction, confidence, probabilities, against, truth }: Reading): Said {
  requirePrediction(prediction, probabilities)
  const textOf = (name: string | undefined) => (name === undefined ? undefined : column(name).text)
  const shares = new Map((probabilities ?? []).map((name) => [name, column(name).number]))
  const classes = `[${[...shares.keys()].map(text)}]`
  const all = `[${[...shares.values()]}]`
  const likeliest = `(${classes})[list_position(${all}, list_max(${all}))]`
  const label = textOf(prediction) ?? likeliest
  const own = shares.size > 0 ? `(${all})[list_position(${classes}, ${label})]` : confidence && column(confidence).number
  return {
    label,
    share: own,
    chance: own && `(1e0 - ${own}::DOUBLE)`,
    shares,
    other: textOf(against),
    truth: textOf(truth),
  }
}

async function classesIn(
  pool: OpenDuckdbPool,
  from: string,
  { label, other, truth }: Said,
  known: readonly string[],
): Promise<string[]> {
  const names = new Set(known)
  for (const column of [label, other, truth])
    if (column !== undefined) {
      const rows = await pool.ask(
        `SELECT DISTINCT ${column} AS name FROM ${from} WHERE name IS NOT NULL LIMIT ${mostClasses + 1}`,
      )
      for (const [name] of rows) names.add(String(name))
    }
  requireInput(
    names.size <= mostClasses,
    `classes: at most ${mostClasses} are possible, got more`,
    'Is this the column of predictions?',
  )
  return [...names].sort()
}

const mostClasses = 10_000

/** Refuses rows that say nothing, or what is no probability; names the first that is found. */
async function requireSound(
  pool: OpenDuckdbPool,
  from: string,
  id: string,
  { label, other, share, shares }: Said,
): Promise<void> {
  const find = async (value: string, bad: string) =>
    (await pool.ask(`SELECT ${id} AS id, (${value})::VARCHAR FROM ${from} WHERE ${bad} LIMIT 1`))[0]
  for (const column of [label, other]) {
    const row = column && (await find(column, `(${column}) IS NULL`))
    if (row)
      requireInput(
        false,
        `prediction: every row needs one, got none for ${JSON.stringify(row[0])}`,
        'Leave out rows without one.',
      )
  }
  for (const value of shares.size > 0 ? shares.values() : share ? [share] : []) {
    const row = await find(value, `NOT coalesce((${value}) BETWEEN 0 AND 1, false)`)
    if (row)
      requireInput(
        false,
        `probability: a number in [0, 1] is required, got ${row[1] ?? 'nothing'} for ${JSON.stringify(row[0])}`,
        'A percentage? Divide it by 100.',
      )
  }
}

/** The scores of an audit: the logit of the chance that is measured, the class that is predicted, and that of the other model. */
function scoresOf(said: Said, classes: readonly string[], reading: Reading): string[] {
  const { label, other } = said
  const chance = isAboutPositive(reading.metric)
    ? chanceOf(said, reading.positive!, classes.length)
    : (said.chance ?? number(unknownChance))
  const inside = `least(greatest(${chance}, 0.001e0), 0.999e0)`
  const logit = `ln(${inside} / (1e0 - ${inside}))::FLOAT::DOUBLE`
  const place = (name: string) => `coalesce(list_position([${classes.map(text)}], ${name}) - 1, -1)::DOUBLE`
  return [logit, place(label), ...(other === undefined ? [] : [place(other)])]
}

/** The chance that a row is of some class. */
function chanceOf({ label, chance = number(unknownChance), shares }: Said, positive: string, classes: number): string {
  if (shares.size > 0) return shares.has(positive) ? `${shares.get(positive)}::DOUBLE` : number(unknownChance)
  return `CASE WHEN ${label} = ${text(positive)} THEN 1e0 - ${chance} ELSE ${chance} / ${number(Math.max(1, classes - 1))} END`
}

/** SHA-256 over one line of JSON a row, in the order of the hashes of ids: the same as in memory. */
async function hashesOf(pool: OpenDuckdbPool, from: string, { label, share, other }: Said): Promise<[string, string]> {
  const cells = [
    `${label} AS label`,
    `${share ?? 'NULL'}::DOUBLE AS share`,
    ...(other === undefined ? [] : [`${other} AS other`]),
  ]
  const [model, points] = [createHash('sha256'), createHash('sha256')]
  for await (const rows of pool.inOrder(`SELECT ${cells} FROM ${from}`)) {
    model.update(
      rows
        .map(([id, name, own, ...others]) => `${JSON.stringify([id, name, own === null ? null : 1 - Number(own), ...others])}\n`)
        .join(''),
    )
    points.update(rows.map(([id]) => `${JSON.stringify([id])}\n`).join(''))
  }
  return [`sha256:${model.digest('hex')}`, `sha256:${points.digest('hex')}`]
}
