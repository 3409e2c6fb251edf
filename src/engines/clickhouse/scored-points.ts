import type { Formula } from '../../core/formula.ts'
import type { ScoredPoints } from '../sql/engine.ts'
import { requireNarrow, widthOfAll } from '../sql/features.ts'
import { computedRows, list, listOf, type PointsOnClickHouse, valueAt } from './computed-rows.ts'
import { drawOnClickHouse } from './draw-queries.ts'
import { pass } from './pass.ts'
import { listIn, numberIn } from './rows.ts'

export function pointsOnClickHouse(points: PointsOnClickHouse): ScoredPoints {
  return {
    aggregates: (aggregation) => pass(points, aggregation),
    moment: (weight) => momentOf(points, weight),
    draw: (terms) => drawOnClickHouse(points, terms),
  }
}

async function momentOf(points: PointsOnClickHouse, weight: Formula): Promise<Float64Array> {
  const { pool, left, dialect, signal } = points
  const columns = widthOfAll(pool.blocks)
  requireNarrow(columns)
  const sums = Array.from(
    { length: columns + 1 },
    (_, i) => `sumForEach(arrayMap(a -> a * ${valueAt(0)} * ${list}[${i + 1}], ${list}))`,
  )
  const from = `${computedRows(points, { v: weight }).from}, [${listOf(pool.blocks, dialect)}] AS ${list}`
  const [answer] = await left.counted([dialect.total(valueAt(0)), ...sums], { from, width: columns ** 2 }, '', signal)
  const total = numberIn(answer!, 0)
  const sum = Float64Array.from(sums.flatMap((_, i) => listIn(answer!, i + 1).map(Number)))
  return total > 0 ? sum.map((entry) => entry / total) : sum
}
