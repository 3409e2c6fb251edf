import { canonicalOrder } from '../../core/canonical-order.ts'
import { requireInput } from '../../core/errors.ts'
import type { Engine } from '../../engines/engine.ts'
import { memorySnapshot } from '../../engines/own-pool.ts'
import { type ScoreSnapshot, scoredPool } from '../../engines/scored-pool.ts'
import { rolesOf, shownColumns } from '../../features/roles.ts'
import { openDatabase } from '../../sources/duckdb.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import { stampOfFiles } from '../../sources/files.ts'
import { columnsIn, type OnDisk, openOnDisk, requireSql } from '../pools/duckdb.ts'
import type { EngineName } from '../pools/engine-choice.ts'
import { labelsOf } from '../pools/label-column.ts'
import type { Loading, PoolData } from '../pools/pool-data.ts'
import { fieldsOf } from '../pools/queried-table.ts'
import { chanceColumns, requireIdColumn, requireNoTest, type ScoreOptions, scoresRecipe } from './columns.ts'
import { type CopiedScores, chancesIn, copyScores, snapshotOnDisk } from './duckdb.ts'

/** Where the scores are while they are worked with. */
export interface ScoresPlace extends OnDisk {
  readonly engine: EngineName
}

/** A pool in files whose scores are in columns. They are copied once for every snapshot, so that all passes see the same. */
export function loadScoredFiles(path: string, options: ScoreOptions, loading: Loading, place: ScoresPlace): Promise<PoolData> {
  const { added = [], scores: named } = options
  requireNoTest(options)
  requireInput(
    added.length === 0,
    `pool: one file or pattern is required for scores that are refreshed, got ${added.length} files that joined later`,
    'Use a pattern that matches all of them, in a new project.',
  )
  return openOnDisk(path, loading, place, 2, async ({ table, sql, limits, pool: open, closes, close }) => {
    const roles = rolesOf(table, options)
    const id = roles.find(({ role }) => role === 'id')?.column.name
    requireIdColumn(path, id)
    const rows = columnsIn(sql, id)
    const shown = await open({ ...rows, blocks: [], fields: fieldsOf(rows, shownColumns(roles)) })
    const labels = await labelsOf({ ...rows, ask: shown.ask }, shown.lookUp, scoresRecipe(shown.size, named), options)
    const columns = chanceColumns(named, labels.classes)
    const request = { columns, classes: labels.classes, limits }
    const { contents } = shown.engine()
    const database = await openDatabase()
    closes(async () => database.close())

    const stamps = new WeakMap<ScoreSnapshot, string>() // of the files at each snapshot
    const pool = await scoredPool(async (latest) => {
      const now = await stampOfFiles(database, path)
      if (latest && stamps.get(latest) === now) return latest
      // Opened anew: a file that was written anew may begin elsewhere.
      const again = latest ? await openTable(path, loading.signal ? { signal: loading.signal } : {}) : table
      const copied = await copyScores(chancesIn(requireSql(path, again), id, columns), request).finally(() =>
        again === table ? undefined : again.close(),
      )
      const isSame = (await stampOfFiles(database, path)) === now
      if (!isSame) await copied.pool.close()
      requireInput(isSame, `${path}: must stay as it is while it is read, got a changed file`, 'Try again once it is written.')
      const snapshot = await (place.engine === 'memory' ? snapshotInMemory : snapshotOnDisk)(copied, contents)
      stamps.set(snapshot, now)
      return snapshot
    })
    closes(() => pool.close())
    const { hash, size, engine, look } = pool
    const file = { table: { hash, batches: table.batches, close: table.close }, roles }
    return { file, recipe: scoresRecipe(size, columns), size, engine, look, close, ...labels }
  })
}

const pageRows = 2 ** 17

/** Scores that are taken into memory; the copy is closed. */
export async function snapshotInMemory(
  { pool, from, scoredChances: chances, classes, name }: CopiedScores,
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
  return memorySnapshot({ ids: order.map((row) => ids[row]!), hashes, chances: sorted, classes, name, contents })
}
