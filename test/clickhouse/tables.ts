import { openClickHousePool } from '../../src/engines/clickhouse/pool.ts'
import type { ClickHouseSession } from '../../src/engines/clickhouse/session.ts'
import { doubleText, quotedName, quotedText } from '../../src/engines/clickhouse/sql-text.ts'
import type { ContractPool } from '../../src/engines/engine.contract.ts'
import type { Engine } from '../../src/engines/engine.ts'

export type Run = (sql: string) => Promise<unknown>

/** Makes a table on every server, and one over all of them on the first: `name`, over `name_local`. */
export async function distribute(shards: readonly { run: Run }[], name: string, columns: string): Promise<void> {
  const local = `${name}_local`
  for (const { run } of shards) await run(`CREATE TABLE ${quotedName(local)} (${columns}) ENGINE = MergeTree ORDER BY tuple()`)
  await shards[0]!.run(
    `CREATE TABLE ${quotedName(name)} (${columns}) ENGINE = Distributed(alis, default, ${quotedName(local)}, cityHash64(id))`,
  )
}

export const contractColumns = (width: number): string =>
  `id String, text String, v Array(Float32), ${Array.from({ length: width }, (_, j) => `v${j} Float32`).join(', ')}`

/** Fills a table with the pool of the contract: its features as a list and one by one. */
export async function fill(run: Run, table: string, { ids, values, columns, contents }: ContractPool): Promise<void> {
  const rows = ids.map((id, i) => {
    // As expressions: what old servers read as 32-bit numbers themselves can be off by the last bit.
    const numbers = Array.from(values.subarray(i * columns, (i + 1) * columns), (x) => `toFloat32(${doubleText(x)})`)
    return `(${[quotedText(id), quotedText(contents[i]!.fields.text!), `[${numbers}]`, ...numbers].join(', ')})`
  })
  await run(`INSERT INTO ${quotedName(table)} VALUES ${rows.join(', ')}`)
}

/** The pool of the contract as an engine, its features read from the list or from the columns. */
export async function contractEngine(session: ClickHouseSession, { columns }: ContractPool, asList: boolean): Promise<Engine> {
  const vector = { kind: 'vector' as const, sql: 'v', means: new Array<number>(columns).fill(0), scale: 1 }
  const names = Array.from({ length: columns }, (_, j) => `v${j}`)
  const numbers = names.map((name) => ({ kind: 'number' as const, sql: `toFloat64(${name})` }))
  const features = asList ? { blocks: [vector], hashed: ['v'] } : { blocks: numbers, hashed: names }
  return (await openClickHousePool({ session, id: 'id', ...features, fields: { text: 'text' } })).engine()
}

/** Writes rows of numbers into a table of their own, and says how to select from it. */
export function rowWriter(run: Run): (rows: readonly Readonly<Record<string, number>>[]) => Promise<string> {
  let tables = 0
  return async (rows) => {
    const table = `rows${tables++}`
    await run(`CREATE TABLE ${table} (${Object.keys(rows[0]!).map((name) => `${name} Float64`)}) ENGINE = Memory`)
    await run(`INSERT INTO ${table} VALUES ${rows.map((row) => `(${Object.values(row).map(doubleText)})`)}`)
    return `SELECT * FROM ${table}`
  }
}
