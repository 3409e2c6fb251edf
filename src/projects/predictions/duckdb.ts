import type { OpenDuckdbPool } from '../../engines/duckdb/pool.ts'
import { columnsIn as columnsOf, type OnDisk, openOnDisk } from '../pools/duckdb.ts'
import { idColumn } from '../pools/points.ts'
import type { Loading } from '../pools/pool-data.ts'
import { answersBy, fieldsOf } from '../pools/queried-table.ts'
import { classesIn, type PredictionSql, predictionSql, requireSound, scoreBlocks } from './prediction-sql.ts'
import { columnsIn, type PredictionReading, type Predictions, predictionHash, scoresModel, shownIn } from './predictions.ts'

/** Predictions that stay where they lie. Nothing as long as the file is held in memory. */
export function predictionsOnDisk(
  path: string,
  reading: PredictionReading,
  loading: Loading,
  onDisk: OnDisk,
): Promise<Predictions> {
  return openOnDisk(path, loading, onDisk, 2, async ({ table: file, sql, pool: open, close }) => {
    const id = reading.id ?? idColumn(file, reading.truth)
    const columns = columnsOf(sql, id)
    const said = predictionSql(columns, reading)
    // Scores need the classes, which are known once the rows have been asked for them.
    const rows = await open({ ...columns, blocks: [], fields: {} })
    const table = { ...columns, ask: rows.ask }
    const classes = reading.classes ?? (await classesIn(table, said, reading))
    await requireSound(table, reading)
    const blocks = scoreBlocks(said, classes, reading, columns.dialect)
    const pool = rows.with({ blocks, fields: fieldsOf(columns, shownIn(file.columns, reading)) })
    const { model, points } = await hashesOf(pool, columns.from, said)
    const engine = pool.engine()
    return {
      engine: {
        ...engine,
        async close() {
          await engine.close()
          await close()
        },
      },
      model: scoresModel(model, blocks.length),
      classes,
      poolHash: points,
      columns: columnsIn(reading, id),
      answers: said.truth === undefined ? undefined : answersBy(pool.lookUp, said.truth),
      hasConfidence: said.share !== undefined,
    }
  })
}

async function hashesOf(pool: OpenDuckdbPool, from: string, { label, share = 'NULL::DOUBLE', other }: PredictionSql) {
  const hash = predictionHash()
  const cells = [`${label} AS label`, `${share} AS share`, ...(other === undefined ? [] : [`${other} AS other`])]
  for await (const rows of pool.inOrder(`SELECT ${cells} FROM ${from}`))
    hash.add(rows.map(([id, name, own, ...others]) => [id, name, own === null ? null : 1 - Number(own), ...others]))
  return hash.digests()
}
