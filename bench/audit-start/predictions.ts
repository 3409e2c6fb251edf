import { DuckDBInstance } from '@duckdb/node-api'

/** Confidences above a half, mostly near 1, and errors about as often as they say: all hashes of the row. */
export async function writePredictions(path: string, rows: number): Promise<void> {
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  const unit = (name: string) => `hash(row, '${name}') / 2.0 ** 64`
  const classes = "['ham', 'spam', 'eggs']"
  await connection.run(`COPY (
    SELECT format('row-{:06d}', row) AS id, 'some text of row ' || row AS text, ${classes}[1 + own] AS p,
      round(1 - wrong, 6) AS c, ${classes}[1 + (own + (${unit('error')} < wrong)::INTEGER) % 3] AS t
    FROM (SELECT row, (hash(row, 'class') % 3)::INTEGER AS own, 0.5 * (${unit('confidence')}) ** 4 AS wrong FROM range(${rows}) AS pool(row))
    ORDER BY row
  ) TO '${path}' (HEADER)`)
  database.closeSync()
}
