import type { OpenDuckdbPool } from '../../engines/duckdb/pool.ts'
import { columnsIn as columnsOf, type OnDisk, openOnDisk } from '../pools/duckdb.ts'
import { idColumn } from '../pools/points.ts'
import type { Loading } from '../pools/pool-data.ts'
import { answersBy, fieldsOf } from '../pools/queried-table.ts'
import { requireSound } from './prediction-checks.ts'
import { frameIn, type PredictionSql, predictionSql, stratifiedSql } from './prediction-sql.ts'
import { type PredictionReading, type Predictions, predictionHash } from './predictions.ts'
import { columnsIn, hasConfidence, requireReading, shownIn } from './reading.ts'

/** Predictions that stay where they lie. Nothing as long as the file is held in memory. */
export async function predictionsOnDisk(
  path: string,
  reading: PredictionReading,
  loading: Loading,
  onDisk: OnDisk,
): Promise<Predictions> {
  requireReading(reading)
  return openOnDisk(path, loading, onDisk, 2, async ({ table: file, sql, pool: open, close }) => {
    const id = reading.id ?? idColumn(file, reading.truth)
    const columns = columnsOf(sql, id)
    const said = predictionSql(columns, reading)
    // Strata need the classes, which are known once the rows have been asked for them.
    const rows = await open({ ...columns, blocks: [], fields: {} })
    const table = { ...columns, ask: rows.ask }
    await requireSound(table, reading)
    const found = await frameIn(table, said, reading)
    const { blocks, stratify, model: modelOf } = stratifiedSql(said, found, reading, columns)
    const shown = shownIn(file.columns, reading)
    const pool = rows.with({ blocks, fields: fieldsOf(columns, shown) })
    const { model, points } = await hashesOf(pool, columns.from, said, reading)
    const engine = pool.engine()
    return {
      pool: engine.stratified(modelOf(model), stratify),
      frame: found.frame,
      model,
      poolHash: points,
      columns: columnsIn(reading, id),
      answers: said.truth === undefined ? undefined : answersBy(pool.lookUp, said.truth),
      hasConfidence: hasConfidence(reading),
      shown,
      contents: engine.contents,
      async close() {
        await engine.close()
        await close()
      },
    }
  })
}

async function hashesOf(pool: OpenDuckdbPool, from: string, said: PredictionSql, { models }: PredictionReading) {
  const { labels, share = 'NULL::DOUBLE', grade } = said
  const hash = predictionHash()
  const cells = grade === undefined ? (models ? labels : [labels[0]!, share]) : [grade]
  const saidOf = (row: readonly unknown[]) => {
    if (grade !== undefined) return row.map(Number)
    if (models) return row
    const [label, own] = row
    return [label, own === null ? null : 1 - Number(own)]
  }
  for await (const rows of pool.inOrder(`SELECT ${cells.map((sql, k) => `${sql} AS said${k}`)} FROM ${from}`))
    hash.add(rows.map(([id, ...row]) => [id, ...saidOf(row)]))
  return hash.digests()
}
