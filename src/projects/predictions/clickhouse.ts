import { AlisError, requireInput } from '../../core/errors.ts'
import { identityOf } from '../../core/hash.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import type { Label } from '../../core/record.ts'
import { type ColumnCells, cellsOf } from '../../engines/clickhouse/cells.ts'
import { hashOf } from '../../engines/clickhouse/dialect.ts'
import { openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { textIn } from '../../engines/clickhouse/rows.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { doubleText, quotedName, quotedText } from '../../engines/clickhouse/sql-text.ts'
import { lookUpOracle } from '../../oracles/look-up.ts'
import { sessionAt, spoken } from '../pools/clickhouse-session.ts'
import { columnsIn, isAboutPositive, type Predictions, type Reading } from './memory.ts'
import { requirePrediction, unknownChance } from './rows.ts'

/**
 * Predictions in columns of a table on ClickHouse, which whoever owns the model refreshes. The identity of the model is that of the
 * columns: a checksum of every id with what is said of it.
 */
export async function predictionsOnClickHouse(
  address: string,
  reading: Reading,
  working?: (share: number, step: string) => void,
): Promise<Predictions & { readonly says: readonly string[] }> {
  const session = await sessionAt(address, working)
  try {
    const said = saidIn(session, reading)
    const id = reading.id ?? session.columns.find(({ name }) => name.toLowerCase() === 'id' && name !== reading.truth)?.name
    requireInput(
      id !== undefined,
      `${session.where}: a column of ids is required, got none`,
      'Name it with --id. Rows of a table have no order, so they cannot be numbered.',
    )
    const classes = reading.classes ?? (await classesIn(session, said, reading.known ?? []))
    await requireSound(session, id, said)
    const blocks = scoresOf(said, classes, reading).map((sql) => ({ kind: 'number' as const, sql }))
    const pool = await openClickHousePool({
      session,
      id,
      blocks,
      hashed: [...said.all.values()].flatMap(({ hashed }) => hashed),
      fields: shownIn(session, reading),
    })
    const { points, checksum } = pool.fingerprint
    const columns = columnsIn(reading, id)
    const [ids] = await session.ask({ sql: `SELECT sum(${hashOf(`toString(${quotedName(id)})`)}) FROM ${session.table}` })
    const { truth } = said
    const engine = pool.engine()
    return {
      engine: { ...engine, close: async () => session.close() },
      model: {
        kind: 'columns',
        id: identityOf({ points, checksum: `${checksum}`, columns }),
        classes: ['no', 'yes'],
        columns: blocks.length,
      },
      classes,
      poolHash: identityOf({ points, ids: textIn(ids!, 0) }),
      columns,
      answers:
        truth === undefined
          ? undefined
          : () => lookUpOracle(async (wanted) => (await pool.lookUp(wanted, [truth])).map(([label]): Label => label ?? null)),
      hasConfidence: said.chance !== undefined,
      says: [spoken(session)],
    }
  } catch (error) {
    session.close()
    throw error
  }
}

/** What a row says, each as an expression that is never NULL once it was found sound; `truth` may be. */
interface Said {
  /** Every column that is read but the answers. */
  readonly all: ReadonlyMap<string, ColumnCells>
  readonly label: string
  readonly chance: string | undefined
  readonly shares: ReadonlyMap<string, string>
  readonly other: string | undefined
  readonly truth: string | undefined
}

function saidIn(session: ClickHouseSession, { prediction, confidence, probabilities = [], against, truth }: Reading): Said {
  requirePrediction(prediction, probabilities.length > 0 ? probabilities : undefined)
  const cells = (name: string) => columnNamed(session, name)
  const textOf = (name: string) => `assumeNotNull(${cells(name).text})`
  const shares = new Map(probabilities.map((name) => [name, cells(name).number]))
  const names = `[${[...shares.keys()].map(quotedText)}]`
  const all = `[${[...shares.values()]}]`
  const label = prediction === undefined ? `${names}[indexOf(${all}, arrayReduce('max', ${all}))]` : textOf(prediction)
  const own = shares.size > 0 ? `${all}[indexOf(${names}, ${label})]` : confidence && cells(confidence).number
  const read = [prediction, ...(shares.size > 0 ? shares.keys() : [confidence]), against].filter((name) => name !== undefined)
  return {
    all: new Map(read.map((name) => [name, cells(name)])),
    label,
    chance: own && `(1e0 - ${own})`,
    shares,
    other: against === undefined ? undefined : textOf(against),
    truth: truth === undefined ? undefined : cells(truth).text,
  }
}

function columnNamed({ columns, where }: ClickHouseSession, name: string): ColumnCells {
  const column = columns.find((one) => one.name === name)
  const cells = column && cellsOf(column)
  if (cells && cells.kind !== 'vector') return cells
  const names = columns.map((one) => one.name)
  const hint = didYouMean(name, names) ?? `The columns are ${names.slice(0, 12).join(', ')}.`
  throw new AlisError('bad-input', `${where}: a column of texts or numbers is required, got no ${JSON.stringify(name)}`, hint)
}

const mostClasses = 10_000

async function classesIn({ ask, table }: ClickHouseSession, { label, other, truth, all }: Said, known: readonly string[]) {
  const names = new Set(known)
  requireInput(all.size > 0, 'prediction: a column is required, got none')
  for (const column of [label, other, truth])
    if (column !== undefined) {
      const rows = await ask({
        sql: `SELECT DISTINCT ${column} AS name FROM ${table} WHERE isNotNull(name) LIMIT ${mostClasses + 1}`,
      })
      for (const row of rows) names.add(textIn(row, 0))
    }
  requireInput(
    names.size <= mostClasses,
    `classes: at most ${mostClasses} are possible, got more`,
    'Is this the column of predictions?',
  )
  return [...names].sort()
}

/** Refuses rows that say nothing, or what is no probability; names one of them. */
async function requireSound({ ask, table }: ClickHouseSession, id: string, { all, shares, chance }: Said): Promise<void> {
  const find = async (bad: string) =>
    (await ask({ sql: `SELECT toString(${quotedName(id)}) FROM ${table} WHERE ${bad} LIMIT 1` }))[0]
  for (const { name, isMissing } of all.values()) {
    const row = isMissing === '0' ? undefined : await find(isMissing)
    requireInput(row === undefined, `${name}: every row needs a value, got none for ${JSON.stringify(row?.[0])}`, 'Leave out rows without one.') // biome-ignore format: one call
  }
  const probabilities = shares.size > 0 ? [...shares.values()] : chance ? [chance] : []
  for (const value of probabilities) {
    const row = await find(`NOT (${value} >= 0 AND ${value} <= 1)`)
    requireInput(
      row === undefined,
      `probability: a number in [0, 1] is required, got another for ${JSON.stringify(row?.[0])}`,
      'A percentage? Divide it by 100.',
    )
  }
}

/** The scores of an audit: the logit of the chance that is measured, the class that is predicted, and that of the other model. */
function scoresOf(said: Said, classes: readonly string[], reading: Reading): string[] {
  const unknown = doubleText(unknownChance)
  const chance = isAboutPositive(reading.metric) ? chanceOf(said, reading.positive!, classes.length) : (said.chance ?? unknown)
  const inside = `least(greatest(${chance}, 0.001), 0.999)`
  const logit = `toFloat64(toFloat32(log(${inside} / (1e0 - ${inside}))))`
  const place = (name: string) => `toFloat64(toInt32(indexOf([${classes.map(quotedText)}], ${name})) - 1)`
  return [logit, place(said.label), ...(said.other === undefined ? [] : [place(said.other)])]
}

/** The chance that a row is of some class. */
function chanceOf({ label, chance = doubleText(unknownChance), shares }: Said, positive: string, classes: number): string {
  if (shares.size > 0) return shares.get(positive) ?? doubleText(unknownChance)
  return `if(${label} = ${quotedText(positive)}, 1e0 - ${chance}, ${chance} / ${doubleText(Math.max(1, classes - 1))})`
}

/** What people see: every column that does not give the answer away. */
function shownIn({ columns }: ClickHouseSession, { prediction, confidence, probabilities = [], against, truth }: Reading) {
  const hidden = [prediction, confidence, ...probabilities, against, truth]
  const shown = columns.filter(({ name }) => !hidden.includes(name)).flatMap((column) => cellsOf(column) ?? [])
  return Object.fromEntries(shown.map(({ name, text }) => [name, text]))
}
