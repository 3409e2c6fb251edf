// Pools of any size, the same numbers for the same place.
import { DuckDBInstance } from '@duckdb/node-api'

const rowsPerFile = 10_000_000

/** Parquet files of hashes in [−1, 1), an id and a label; `isVector`: the numbers as one list. Returns the pattern that matches them. */
export async function writePool(folder: string, rows: number, features: number, isVector: boolean): Promise<string> {
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  const number = (j: number | string) => `(hash(row, ${j}) / 2.0 ** 63 - 1)::FLOAT`
  const numbers = isVector
    ? [`list_transform(range(${features}), lambda j: ${number('j')}) AS v`]
    : Array.from({ length: features }, (_, j) => `${number(j)} AS f${j}`)
  const label = `CASE WHEN ${number(0)} + ${number(1)} > 0 THEN 'yes' ELSE 'no' END AS label`
  for (let start = 0, file = 0; start < rows; start += rowsPerFile, file++) {
    const range = `range(${start}, ${Math.min(start + rowsPerFile, rows)}) AS pool(row)`
    const path = `${folder}/part${String(file).padStart(4, '0')}.parquet`
    await connection.run(
      `COPY (SELECT ${[`'p' || row AS id`, ...numbers, label]} FROM ${range}) TO '${path}' (ROW_GROUP_SIZE 61440)`,
    )
  }
  database.closeSync()
  return `${folder}/part*.parquet`
}
