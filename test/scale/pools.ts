import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { freshDirectory } from '../endings.ts'

export const folder = freshDirectory()

/** Numbers (some missing), a flag, a category with an impolite name and values, a list, words, and a label; from one number a row. */
const mixed = (rows: number) => `
  SELECT
    'it''s "' || i AS id,
    CASE WHEN i % 11 = 0 THEN NULL ELSE sin(i) * 40 + 3 END AS "a ""number""; DROP TABLE x",
    (i * 7919) % 101 AS whole,
    i % 3 = 0 AS flag,
    ['red', 'o''green', 'blue', NULL][(i * 31) % 4 + 1] AS "co""lour",
    CASE WHEN i % 13 = 0 THEN NULL ELSE list_transform(range(6), lambda j: cos(i * (j + 1.5))::FLOAT) END AS v,
    'some words about ' || i AS note,
    CASE WHEN sin(i) + cos(i * 1.5) + 0.3 * (hash(i) / 2.0 ** 63 - 1) > 0 THEN 'yes' ELSE 'no' END AS y
  FROM range(${rows}) AS t(i)`

/** Runs statements where files can be written by name. */
export async function write(...statements: readonly string[]): Promise<void> {
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  for (const sql of statements) await connection.run(sql)
  connection.closeSync()
  database.closeSync()
}

/** The same rows as two Parquet files and as a database. */
export async function writeMixed(rows = 3000): Promise<{ readonly parquet: string; readonly database: string }> {
  const [first, second, database] = ['mixed-1.parquet', 'mixed-2.parquet', 'mixed.duckdb'].map((name) => join(folder, name))
  await write(
    `CREATE TABLE mixed AS ${mixed(rows)}`,
    `COPY (FROM mixed LIMIT 1000) TO '${first}' (ROW_GROUP_SIZE 500)`,
    `COPY (FROM mixed OFFSET 1000) TO '${second}'`,
    `ATTACH '${database}' AS own`,
    'CREATE TABLE own.points AS FROM mixed',
    'DETACH own',
  )
  return { parquet: join(folder, 'mixed-*.parquet'), database: database! }
}

/** Predictions of three classes with confidences, and the truth. */
export async function writePredictions(rows = 4000): Promise<string> {
  const path = join(folder, 'predictions.parquet')
  const unit = (what: number) => `(hash(i, ${what}) / 2.0 ** 64)`
  await write(`COPY (
    SELECT *, CASE WHEN ${unit(3)} < p THEN label ELSE ['cat', 'dog', 'o''wl'][(${unit(4)} * 3)::INTEGER % 3 + 1] END AS y
    FROM (SELECT i, 'x' || i AS id, ['cat', 'dog', 'o''wl'][i % 3 + 1] AS label, (1 - 0.5 * ${unit(2)} ** 3)::FLOAT AS p,
      ['cat', 'dog'][(${unit(5)} * 2)::INTEGER % 2 + 1] AS old, p AS cat, 1 - p AS dog
      FROM range(${rows}) AS t(i))
  ) TO '${path}'`)
  return path
}
