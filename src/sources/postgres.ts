import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AlisError, requireInput } from '../core/errors.ts'
import type { Scratch } from './scratch.ts'
import { chosenTable, sqlName, sqlString } from './table-file.ts'

/** As much of the package `pg` as is used. */
interface Client {
  connect(): Promise<void>
  query(
    query: string | { text: string; rowMode: 'array' },
  ): Promise<{ rows: unknown[][]; fields: { name: string; dataTypeID: number }[] }>
  end(): Promise<void>
}
interface Library {
  readonly default: { readonly Client: new (options: object) => Client }
}

const library = 'pg'
const atOnce = 5000 // rows

interface Fetching {
  readonly scratch: Scratch
  readonly signal: AbortSignal | undefined
}

/** A table or view of a PostgreSQL database as lines of JSON on scratch, as it stands at one moment, in the order of its primary key. */
export async function tableOf(url: URL, wanted: string | undefined, { scratch, signal }: Fetching): Promise<string> {
  const [, database = '', named] = url.pathname.split('/').map(decodeURIComponent)
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  requireInput(database !== '', `${shown}: postgres://user@host/database/table is required, got no database`)
  const { default: pg } = await loaded(shown)
  const client = new pg.Client({
    connectionString: `${url.protocol}//${url.username ? `${url.username}@` : ''}${url.host}/${encodeURIComponent(database)}${url.search}`,
    types: { getTypeParser: () => (text: string) => text },
    connectionTimeoutMillis: 15_000,
    options: '-c TimeZone=UTC -c DateStyle=ISO -c extra_float_digits=1 -c bytea_output=hex',
  })
  try {
    await client.connect()
    const run = async (text: string) => client.query({ text, rowMode: 'array' })
    await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const table = await tableIn(shown, run, wanted ?? named)
    await run(`DECLARE pool NO SCROLL CURSOR FOR SELECT * FROM ${table.from}${table.order}`)
    const folder = await scratch.name()
    await mkdir(folder)
    const path = join(folder, `${table.name}.jsonl`)
    await pipeline(
      linesFrom(() => run(`FETCH ${atOnce} FROM pool`), signal),
      createWriteStream(path),
    )
    return path
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AlisError || !(error instanceof Error)) throw error
    const hint = 'Check user, host and database; PGPASSWORD has the password.'
    throw new AlisError('bad-input', `${shown}: must be a database that can be read, got "${error.message}"`, hint, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

async function loaded(shown: string): Promise<Library> {
  try {
    return (await import(library)) as Library
  } catch (cause) {
    throw new AlisError(
      'bad-input',
      `${shown}: the package ${library} is required, got none`,
      `Install it beside alis: npm install ${library}`,
      { cause },
    )
  }
}

type Run = (text: string) => Promise<{ rows: unknown[][]; fields: { name: string; dataTypeID: number }[] }>

/** The table that was named, perhaps with its schema, or the only one there is; and what puts its rows in order. */
async function tableIn(shown: string, run: Run, wanted: string | undefined) {
  const listed = `SELECT table_schema, table_name, table_type FROM information_schema.tables
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY table_schema <> 'public', 1, 2`
  const tables = (await run(listed)).rows as [schema: string, name: string, type: string][]
  const nameOf = ([schema, name]: readonly string[]) => (schema === 'public' ? name! : `${schema}.${name}`)
  const name = chosenTable(shown, tables.map(nameOf), wanted?.replace(/^public\./, ''))
  const found = tables.find((table) => nameOf(table) === name)!
  const from = `${sqlName(found[0])}.${sqlName(found[1])}`
  const keys = `SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indrelid = ${sqlString(from)}::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int[], a.attnum::int)`
  const columns = (await run(keys)).rows.map(([column]) => sqlName(String(column)))
  const order = columns.length > 0 ? ` ORDER BY ${columns}` : found[2] === 'BASE TABLE' ? ' ORDER BY ctid' : ''
  return { name: found[1], from, order }
}

async function* linesFrom(fetch: () => ReturnType<Run>, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for (;;) {
    signal?.throwIfAborted()
    const { rows, fields } = await fetch()
    if (rows.length === 0) return
    const keys = fields.map(({ name }) => JSON.stringify(name))
    yield rows
      .map((row) => `{${row.map((cell, k) => `${keys[k]}:${jsonOf(cell as string | null, fields[k]!.dataTypeID)}`)}}\n`)
      .join('')
  }
}

const numbers = [20, 21, 23, 26, 700, 701, 1700]
const lists = [1005, 1007, 1016, 1021, 1022, 1231]
const [boolean, bytes] = [16, 17]
const times = [1114, 1184]

/** A cell as the server writes it, as JSON: numbers to the last digit, lists of numbers as lists, bytes in base 64. */
function jsonOf(cell: string | null, type: number): string {
  if (cell === null) return 'null'
  if (numbers.includes(type) && /^-?\d/.test(cell)) return cell
  if (lists.includes(type) && /^\{[-\d.,e+]*\}$/.test(cell)) return cell.replace('{', '[').replace('}', ']')
  if (type === boolean) return cell === 't' ? 'true' : 'false'
  if (type === bytes) return JSON.stringify(Buffer.from(cell.slice(2), 'hex').toString('base64'))
  return JSON.stringify(times.includes(type) ? cell.replace(' ', 'T').replace(/\+00$/, 'Z') : cell)
}
