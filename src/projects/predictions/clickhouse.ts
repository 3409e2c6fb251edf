import { requireInput } from '../../core/errors.ts'
import { identityOf } from '../../core/hash.ts'
import { cellsOf } from '../../engines/clickhouse/cells.ts'
import { hashOf } from '../../engines/clickhouse/dialect.ts'
import { type OpenClickHousePool, openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { textIn } from '../../engines/clickhouse/rows.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { cellsIn, describeServers, hashedIn, openOnClickHouse, requireId, tableOn } from '../pools/clickhouse-table.ts'
import { idColumn } from '../pools/points.ts'
import type { Progress } from '../pools/pool-data.ts'
import { answersBy, fieldsOf } from '../pools/queried-table.ts'
import { requireSound } from './prediction-checks.ts'
import { frameIn, predictionSql, stratifiedSql } from './prediction-sql.ts'
import type { PredictionReading, Predictions } from './predictions.ts'
import { columnsIn, columnsOfModel, columnsRead, hasConfidence, requireReading, shownIn } from './reading.ts'

/**
 * Predictions in columns of a table on ClickHouse, which the owner of the model refreshes. The identity of the model is that of the
 * columns: a checksum of every id with what is said of it.
 */
export async function predictionsOnClickHouse(
  address: string,
  reading: PredictionReading,
  working?: Progress,
): Promise<Predictions & { readonly says: readonly string[] }> {
  requireReading(reading)
  return openOnClickHouse(address, working, async (session) => {
    const id = reading.id ?? idColumn(session, reading.truth)
    requireId(session.where, id)
    for (const name of [id, ...columnsRead(reading)]) {
      const { kind } = cellsIn(session, name)
      requireInput(kind !== 'vector', `${session.where}: a column of texts or numbers is required, got lists in ${name}`)
    }
    const table = tableOn(session, id)
    const said = predictionSql(table, reading)
    await requireSound(table, reading)
    const found = await frameIn(table, said, reading)
    const { blocks, stratify, model: modelOf } = stratifiedSql(said, found, reading, table)
    const readable = session.columns.filter((column) => cellsOf(column))
    const shown = shownIn(readable, reading)
    const fields = fieldsOf(table, shown)
    const { truth: _, ...judging } = reading
    const hashed = hashedIn(session, new Set(columnsRead(judging)))
    const pool = await openClickHousePool({ session, id, blocks, hashed, fields })
    const { model, points } = await identitiesOf(session, pool, { ...reading, id }, table.id)
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
      close: async () => session.close(),
      says: [describeServers(session)],
    }
  })
}

async function identitiesOf(session: ClickHouseSession, pool: OpenClickHousePool, reading: PredictionReading, id: string) {
  const { points } = pool.fingerprint
  const columns = columnsOfModel(reading)
  const hashed = hashedIn(session, columnsRead(columns))
  const sums = await pool.totals([`sum(cityHash64(${[pool.hash, ...hashed]}))`, `sum(${hashOf(id)})`])
  const [checksum, ids] = [textIn(sums, 0), textIn(sums, 1)]
  return { model: identityOf({ points, checksum, columns }), points: identityOf({ points, ids }) }
}
