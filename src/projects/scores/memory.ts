import { canonicalOrder } from '../../core/canonical-order.ts'
import { chanceModel, chanceSums, identityOfPoints, scoresOfChances } from '../../core/chances.ts'
import { dense } from '../../core/features.ts'
import type { Engine } from '../../engines/engine.ts'
import { memoryEngine } from '../../engines/memory.ts'
import type { ScoreSnapshot } from '../../engines/scored-pool.ts'
import type { CopiedScores } from './duckdb.ts'

const pageRows = 2 ** 17

/** Scores that are taken into memory; the copy is closed. */
export async function snapshotInMemory(
  { pool, from, chances, classes }: CopiedScores,
  contents: Engine['contents'],
): Promise<ScoreSnapshot> {
  const ids = new Array<string>(pool.size)
  const columns = chances.map(() => new Float32Array(pool.size))
  for (let start = 0; start < pool.size; start += pageRows) {
    const within = `rowid >= ${start} AND rowid < ${start + pageRows}`
    const page = await pool.ask(`SELECT ${['id', ...chances]} FROM ${from} WHERE ${within} ORDER BY rowid`)
    for (const [i, [id, ...said]] of page.entries()) {
      ids[start + i] = String(id)
      for (const [k, column] of columns.entries()) column[start + i] = Number(said[k])
    }
  }
  await pool.close()

  const { order, hashes } = canonicalOrder(ids)
  const sorted = columns.map((column) => Float32Array.from(order, (row) => column[row]!))
  const scores = new Float64Array(columns.length * ids.length)
  for (let i = 0; i < ids.length; i++) scores.set(scoresOfChances(sorted.map((column) => column[i]!)), i * columns.length)
  const points = { ids: order.map((row) => ids[row]!), hashes, features: dense(scores, columns.length) }
  const sums = chanceSums(hashes, sorted)
  return {
    model: chanceModel(sums, classes),
    size: ids.length,
    points: identityOfPoints(sums),
    engine: (classes) => ({ ...memoryEngine({ ...points, ...(classes && { classes }) }), contents }), // rows are in canonical order
    async close() {},
  }
}
