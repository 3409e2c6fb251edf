// Files with the same numbers in every format.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { openTable } from '../../src/sources/duckdb-file.ts'

/** Hashes of row and column, in [−1, 1), and a label that depends on two of them. */
export async function writePool(path: string, rows: number, columns: number): Promise<void> {
  if (path.endsWith('.arrow')) return writeArrow(path, rows, columns)
  const unpacked = path.replace(/\.gz$/, '')
  const number = (j: number) => `(hash(row, ${j}) / 2.0 ** 63 - 1)::FLOAT`
  const numbers = Array.from({ length: columns }, (_, j) => `${number(j)} AS f${j}`)
  const label = `CASE WHEN ${number(0)} + ${number(1)} > 0 THEN 'yes' ELSE 'no' END AS label`
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  const kind = unpacked.replace(/^.*\./, '').replace('jsonl', 'json')
  await connection.run(`COPY (SELECT ${[...numbers, label]} FROM range(${rows}) AS pool(row)) TO '${unpacked}' (FORMAT ${kind})`)
  database.closeSync()
  if (path === unpacked) return
  await pipeline(createReadStream(unpacked), createGzip({ level: 1 }), createWriteStream(path))
  await rm(unpacked)
}

/** By way of Parquet: DuckDB does not write Arrow. */
async function writeArrow(path: string, rows: number, columns: number): Promise<void> {
  const parquet = `${path}.parquet`
  await writePool(parquet, rows, columns)
  const table = await openTable(parquet)
  const names = table.columns.map(({ name }) => name)
  const numbers = new Map(names.filter((name) => name !== 'label').map((name) => [name, new Float32Array(rows)]))
  const wanted = [...numbers.keys()].map((name) => ({ name, as: 'number' as const }))
  for await (const batch of table.batches(wanted)) {
    for (const [j, { name }] of wanted.entries()) numbers.get(name)!.set(batch.columns[j]!.values as Float32Array, batch.start)
  }
  const arrays = { ...Object.fromEntries(numbers), label: await table.strings('label') }
  await table.close()
  await writeFile(path, tableToIPC(tableFromArrays(arrays, { maxBatchRows: 2 ** 16 }), { format: 'file' })!)
  await rm(parquet)
}
