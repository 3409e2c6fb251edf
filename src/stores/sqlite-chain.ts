import { createHash } from 'node:crypto'
import type { Database, Statement } from 'better-sqlite3'
import type { Insertable } from 'kysely'
import type { ChainHead } from './project.ts'
import { wellFormed } from './sqlite-queries.ts'
import type { Tables } from './sqlite-schema.ts'

/**
 * The facts of a project, each with the hash of the one before it: SHA-256 of that hash and of the fact as JSON. Whatever is changed, added,
 * left out or put elsewhere afterwards, by whatever program, no longer fits.   @see docs/decisions/chained-record.md
 */
export interface Chain {
  /** Puts a fact on record. The draws of a round are one fact with it. */
  put<T extends FactTable>(table: T, row: Insertable<Tables[T]>, draws?: readonly Insertable<Tables['draws']>[]): void
  /** How many facts there are, and the last hash; as they were after so many answers, or events. */
  head(then?: { readonly answers: number } | { readonly events: number }): ChainHead | undefined
  /** How many facts of a table were among the first so many. */
  countOf(table: FactTable, facts: number): number
  /** The first fact that is not as it was put on record, in words. */
  fault(): string | undefined
}

type FactTable = keyof typeof tables

/** What numbers the rows of a table, and what is hashed of each, in this order for good. */
const tables = {
  runs: { key: 'seq', says: 'what the run is', columns: ['facts', 'time'] },
  rounds: {
    key: 'round',
    says: 'round',
    columns: ['round', 'stream', 'strategy', 'design', 'size', 'model', 'survey', 'time', 'rules'],
  },
  answers: { key: 'seq', says: 'answer', columns: ['round', 'id', 'label', 'annotator', 'time', 'kind', 'opened'] },
  closings: { key: 'round', says: 'the end of round', columns: ['round', 'time', 'after'] },
  facts: { key: 'seq', says: 'what was noted', columns: ['name', 'value', 'time'] },
  models: { key: 'seq', says: 'model', columns: ['id', 'round', 'json', 'time'] },
  certificates: { key: 'seq', says: 'certificate', columns: ['seal', 'text', 'time'] },
  events: { key: 'seq', says: 'event', columns: ['kind', 'detail', 'time'] },
} as const satisfies { readonly [T in Exclude<keyof Tables, 'draws' | 'chain'>]: FactShape<Tables[T]> }

interface FactShape<Row> {
  readonly key: keyof Row
  readonly says: string
  readonly columns: readonly (keyof Row)[]
}

const factTables = Object.keys(tables) as FactTable[]
const drawColumns = ['position', 'id', 'order', 'probability', 'mass', 'remaining', 'scores', 'latest'] as const

/** The hash before the first. */
const nothing: Buffer = Buffer.alloc(32)

export function chainOn(sqlite: Database): Chain {
  const statements = new Map<string, Statement<unknown[]>>()
  const statement = (sql: string) => {
    const known = statements.get(sql) ?? sqlite.prepare<unknown[]>(sql)
    statements.set(sql, known)
    return known
  }
  const insert = (table: string, columns: readonly string[], row: object): number => {
    const into = `INSERT INTO ${table} (${columns.map(quoted).join()}) VALUES (${columns.map(() => '?').join()})`
    return Number(statement(into).run(...wellFormed(valuesOf(row, columns))).lastInsertRowid)
  }
  const last = () => statement('SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1').get() as Link | undefined
  const linkOf = (table: string, n: number) =>
    statement('SELECT seq, hash FROM chain WHERE about = ? ORDER BY seq LIMIT 1 OFFSET ?').get(table, n - 1) as Link | undefined

  return {
    put(table, row, draws = []) {
      const { columns } = tables[table]
      const key = insert(table, columns, row)
      for (const draw of draws) insert('draws', ['round', ...drawColumns], draw)
      const hash = hashOf(last()?.hash ?? nothing, factText(table, key, row, draws))
      statement('INSERT INTO chain (about, "key", hash) VALUES (?, ?, ?)').run(table, key, hash)
    },
    head(then) {
      const [[table, n] = []] = Object.entries(then ?? {})
      const link = table === undefined ? last() : n! > 0 ? linkOf(table, n!) : undefined
      return link && { facts: link.seq, hash: `sha256:${link.hash.toString('hex')}` }
    },
    countOf(table, facts) {
      return statement('SELECT count(*) FROM chain WHERE about = ? AND seq <= ?').pluck().get(table, facts) as number
    },
    fault: () => sqlite.transaction(() => faultIn(sqlite))(), // as it stood at one moment, whatever is written meanwhile
  }
}

interface Link {
  readonly seq: number
  readonly about: string
  readonly key: number
  readonly hash: Buffer
}

/** Links facts that are there without: their order before is not known, and from now on none can be changed. Gives how many there are. */
export function linkAll(sqlite: Database): number {
  const link = sqlite.prepare('INSERT INTO chain (about, "key", hash) VALUES (?, ?, ?)')
  const draws = drawsOf(sqlite)
  let hash = nothing
  let facts = 0
  for (const table of factTables)
    for (const row of rowsOf(sqlite, table).all()) {
      const key = keyOf(table, row)
      hash = hashOf(hash, factText(table, key, row, draws(table, key)))
      link.run(table, key, hash)
      facts++
    }
  return facts
}

function faultIn(sqlite: Database): string | undefined {
  const rows = new Map(factTables.map((table) => [table, rowsOf(sqlite, table).iterate()]))
  const links = sqlite.prepare<[], Link>('SELECT seq, about, "key", hash FROM chain ORDER BY seq').iterate()
  try {
    return faultAlong(links, rows, drawsOf(sqlite)) ?? strayDraw(sqlite)
  } finally {
    for (const each of [links, ...rows.values()]) each.return?.()
  }
}

type Rows = ReadonlyMap<FactTable, Iterator<Row>>

function faultAlong(links: Iterable<Link>, rows: Rows, draws: ReturnType<typeof drawsOf>): string | undefined {
  let hash = nothing
  let facts = 0
  for (const { seq, about, key, hash: kept } of links) {
    if (seq !== ++facts) return `fact ${facts} is missing from the chain`
    const table = factTables.find((name) => name === about)
    const row = table && nextOf(rows.get(table)!)
    if (!row) return `fact ${facts}, ${table ? `${tables[table].says} ${key},` : 'of no known kind,'} is missing`
    const own = keyOf(table, row)
    if (own !== key) return `fact ${facts}, ${nameOf(table, own, row)}, stands where ${key} was put on record`
    hash = hashOf(hash, factText(table, key, row, draws(table, key)))
    if (!hash.equals(kept)) return `fact ${facts}, ${nameOf(table, own, row)}, is not as it was put on record`
  }
  for (const [table, each] of rows) {
    const row = nextOf(each)
    if (row) return `${nameOf(table, keyOf(table, row), row)} was added past the chain`
  }
  return undefined
}

type Row = Readonly<Record<string, unknown>>

const nextOf = (rows: Iterator<Row>): Row | undefined => {
  const { done, value } = rows.next()
  return done ? undefined : value
}

const keyOf = (table: FactTable, row: Row) => row[tables[table].key] as number

/** Every row of a table as a fact, in the order of their numbers. */
function rowsOf(sqlite: Database, table: FactTable): Statement<[], Row> {
  const { key, columns } = tables[table]
  const read = [...new Set([key, ...columns])].map(quoted).join()
  return sqlite.prepare<[], Row>(`SELECT ${read} FROM ${table} ORDER BY ${key}`)
}

/** The draws that are one fact with a row: none but with a round. */
function drawsOf(sqlite: Database) {
  const own = sqlite.prepare<[number], Row>(
    `SELECT ${drawColumns.map(quoted).join()} FROM draws WHERE round = ? ORDER BY position`,
  )
  return (table: FactTable, key: number) => (table === 'rounds' ? own.all(key) : [])
}

function strayDraw(sqlite: Database): string | undefined {
  const stray = sqlite.prepare('SELECT round FROM draws WHERE round NOT IN (SELECT round FROM rounds) LIMIT 1').pluck().get()
  return stray === undefined ? undefined : `a draw of round ${stray}, which is not there, was added past the chain`
}

/** A fact as it is hashed: its table, its number, and its columns; of a round, with its draws. */
function factText(table: FactTable, key: number, row: object, draws: readonly object[]): string {
  const own = valuesOf(row, tables[table].columns).map(spelled)
  return JSON.stringify([table, key, ...own, ...draws.map((draw) => valuesOf(draw, drawColumns).map(spelled))])
}

const valuesOf = (row: object, columns: readonly string[]): unknown[] => columns.map((name) => (row as Row)[name] ?? null)

/** Numbers that JSON has no word for. */
function spelled(value: unknown): unknown {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value
  return Object.is(value, -0) ? '-0' : `${value}`
}

const hashOf = (before: Buffer, text: string): Buffer => createHash('sha256').update(before).update(text).digest()

const quoted = (column: string) => `"${column}"`

/** "answer 17, to "p12" in round 3" */
function nameOf(table: FactTable, key: number, row: Row): string {
  const { says } = tables[table]
  if (table === 'answers') return `${says} ${key}, to ${JSON.stringify(row.id)} in round ${row.round}`
  if (table === 'facts') return `${says} of ${JSON.stringify(row.name)} (${key})`
  return `${says} ${key}`
}
