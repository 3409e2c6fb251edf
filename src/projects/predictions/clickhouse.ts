import { requireInput } from '../../core/errors.ts'
import { identityOf } from '../../core/hash.ts'
import { cellsOf } from '../../engines/clickhouse/cells.ts'
import { hashOf } from '../../engines/clickhouse/dialect.ts'
import { openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { textIn } from '../../engines/clickhouse/rows.ts'
import { cellsIn, describeServers, hashedIn, openOnClickHouse, requireId, tableOn } from '../pools/clickhouse-table.ts'
import { idColumn } from '../pools/points.ts'
import type { Progress } from '../pools/pool-data.ts'
import { answersBy, fieldsOf } from '../pools/queried-table.ts'
import { classesIn, predictionSql, requireSound, scoreBlocks } from './prediction-sql.ts'
import { columnsIn, columnsRead, type PredictionReading, type Predictions, scoresModel, shownIn } from './predictions.ts'

/**
 * Predictions in columns of a table on ClickHouse, which the owner of the model refreshes. The identity of the model is that of the
 * columns: a checksum of every id with what is said of it.
 */
export function predictionsOnClickHouse(
  address: string,
  reading: PredictionReading,
  working?: Progress,
): Promise<Predictions & { readonly says: readonly string[] }> {
  return openOnClickHouse(address, working, async (session) => {
    const id = reading.id ?? idColumn(session, reading.truth)
    requireId(session.where, id)
    for (const name of columnsRead(reading)) {
      const { kind } = cellsIn(session, name)
      requireInput(kind !== 'vector', `${session.where}: a column of texts or numbers is required, got lists in ${name}`)
    }
    const table = tableOn(session, id)
    const said = predictionSql(table, reading)
    const classes = reading.classes ?? (await classesIn(table, said, reading))
    await requireSound(table, reading)
    const blocks = scoreBlocks(said, classes, reading, table.dialect)
    const readable = session.columns.filter((column) => cellsOf(column))
    const fields = fieldsOf(table, shownIn(readable, reading))
    const { truth: _, confidence, ...others } = reading
    const judging = others.probabilities || confidence === undefined ? others : { ...others, confidence }
    const hashed = hashedIn(session, new Set(columnsRead(judging)))
    const pool = await openClickHousePool({ session, id, blocks, hashed, fields })
    const { points, checksum } = pool.fingerprint
    const columns = columnsIn(reading, id)
    const [ids] = await table.ask(`SELECT sum(${hashOf(table.id)}) FROM ${table.from}`)
    return {
      engine: { ...pool.engine(), close: async () => session.close() },
      model: scoresModel(identityOf({ points, checksum: `${checksum}`, columns }), blocks.length),
      classes,
      poolHash: identityOf({ points, ids: textIn(ids!, 0) }),
      columns,
      answers: said.truth === undefined ? undefined : answersBy(pool.lookUp, said.truth),
      hasConfidence: said.share !== undefined,
      says: [describeServers(session)],
    }
  })
}
