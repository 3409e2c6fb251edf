import type { DuckDBListValue } from '@duckdb/node-api'
import type { Formula } from '../../core/formula.ts'
import { addOuterInPlace } from '../../core/matrices.ts'
import type { ScoredPoints } from '../sql/engine.ts'
import { blockColumns, widthOfAll } from '../sql/features.ts'
import { selectFormulas } from '../sql/select.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import { drawOnDisk } from './draw-queries.ts'
import { type PointsOnDisk, rowsLeft, scoredRows } from './points.ts'
import { listOf } from './score-tables.ts'
import { selectAggregates, stretchesFor } from './stretches.ts'

export function pointsOnDisk(points: PointsOnDisk): ScoredPoints {
  const { database, signal } = points
  return {
    async aggregates(aggregation) {
      const rows = rowsLeft(points, stretchesFor(aggregation.bins?.count))
      const answer = await database.rows(selectAggregates(rows, aggregation), { step: aggregation.step, signal })
      return answer.map(([bin, count, ...values]) => ({
        bin: Number(bin),
        points: Number(count),
        values: values.map(numberOrNull),
      }))
    },
    moment: (weight) => momentOf(points, weight),
    draw: (terms) => drawOnDisk(points, terms),
  }
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))

/** Row by row: DuckDB has no sums of lists. */
async function momentOf(points: PointsOnDisk, weight: Formula): Promise<Float64Array> {
  const { database, pool, taken, signal } = points
  const sum = new Float64Array((widthOfAll(pool.blocks) + 1) ** 2)
  const x = `(SELECT ${listOf(pool.blocks)} AS x FROM (SELECT ${blockColumns(pool.blocks)} FROM ${pool.from}))`
  const weighed = selectFormulas(scoredRows(points, 1), ['r'], { v: weight }, dialect)
  const sql = `SELECT v, x FROM (SELECT * FROM (${weighed}) POSITIONAL JOIN ${x}) WHERE r NOT IN (SELECT r FROM ${taken})`
  let total = 0
  for await (const chunk of database.chunks(sql)) {
    signal?.throwIfAborted()
    for (const [v, row] of chunk.getRows()) {
      addOuterInPlace(sum, Float64Array.from((row as DuckDBListValue).items, Number), Number(v))
      total += Number(v)
    }
  }
  return total > 0 ? sum.map((entry) => entry / total) : sum
}
