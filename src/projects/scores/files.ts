import { requireInput } from '../../core/errors.ts'
import type { Label } from '../../core/record.ts'
import { openDuckdbPool } from '../../engines/duckdb/pool.ts'
import { type ScoreSnapshot, scoredPool } from '../../engines/scored-pool.ts'
import { rolesOf } from '../../features/roles.ts'
import { openDatabase } from '../../sources/duckdb.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import { stampOfFiles } from '../../sources/files.ts'
import { answersIn, fieldsOf, forDuckdb, type OnDisk, requireSql, rowsOf } from '../pools/duckdb.ts'
import type { EngineName } from '../pools/engine-choice.ts'
import type { DataOptions, PoolData } from '../pools/memory.ts'
import type { Loading } from '../pools/open-file.ts'
import { chanceColumns, requireIdColumn, scoresRecipe } from './columns.ts'
import { copyScores, lookInMemory, lookOnDisk } from './copied-scores.ts'

/** Where the scores are while they are worked with. */
export interface ScoresPlace extends OnDisk {
  readonly engine: EngineName
}

/** A pool in files whose scores are in columns. They are copied once for every look, so that all passes see the same. */
export async function loadScoredFiles(
  path: string,
  options: DataOptions & { readonly scores: readonly string[] },
  loading: Loading,
  place: ScoresPlace,
): Promise<PoolData> {
  const { added = [], test, scores: named, ...rest } = options
  requireInput(test === undefined, `test: nothing is learned from scores in columns, got ${test} to test on`, 'Leave it out.')
  requireInput(
    added.length === 0,
    `pool: one file or pattern is required for scores that are refreshed, got ${added.length} files that joined later`,
    'Use a pattern that matches all of them, in a new project.',
  )
  const { progress, signal } = loading
  const half = (k: number) => (share: number, step: string) => progress?.((k + share) / 2, step)
  const table = await openTable(path, { ...(signal && { signal }), progress: half(0) })
  const closing = [() => table.close()]
  const close = async () => {
    for (const end of closing.toReversed()) await end()
  }
  try {
    const sql = requireSql(path, table)
    const roles = rolesOf(table, { ...rest, scores: named })
    const id = roles.find(({ role }) => role === 'id')?.column.name
    requireIdColumn(path, id)
    const rows = rowsOf(sql, id)
    let isReady = false
    const hearing = (share: number, step: string) => (isReady ? place.working : half(1))?.(share, step)
    const limits = { memoryLimit: forDuckdb(place), progress: hearing }
    const shown = await openDuckdbPool({ ...rows, blocks: [], fields: fieldsOf(sql, roles), setup: sql.setup }, limits)
    closing.push(() => shown.close())
    const said = await answersIn(shown, sql, scoresRecipe(shown.size, named), options)
    const columns = chanceColumns(named, said.classes)
    const contents = shown.engine().contents
    const database = await openDatabase()
    closing.push(async () => database.close())

    const stamps = new WeakMap<ScoreSnapshot, string>() // of the files at each look
    const pool = await scoredPool(async (latest) => {
      const now = await stampOfFiles(database, path)
      if (latest && stamps.get(latest) === now) return latest
      // Opened anew: a file that was written anew may begin elsewhere.
      const again = latest ? await openTable(path, signal ? { signal } : {}) : table
      const request = { id, columns, classes: said.classes, limits }
      const copied = await copyScores(requireSql(path, again), request).finally(() =>
        again === table ? undefined : again.close(),
      )
      const isSame = (await stampOfFiles(database, path)) === now
      if (!isSame) await copied.pool.close()
      requireInput(isSame, `${path}: must stay as it is while it is read, got a changed file`, 'Try again once it is written.')
      const look = await (place.engine === 'memory' ? lookInMemory : lookOnDisk)(copied, contents)
      stamps.set(look, now)
      return look
    })
    closing.push(() => pool.close())
    isReady = true
    return {
      file: { table: { hash: pool.hash, batches: table.batches, close: table.close }, roles },
      recipe: scoresRecipe(pool.size, columns),
      size: pool.size,
      engine: pool.engine,
      look: pool.look,
      async labelsIn(column) {
        const { text } = sql.column(column)
        const found = await shown.ask(`SELECT ${rows.id}, ${text} FROM ${rows.from} WHERE ${text} IS NOT NULL`)
        return new Map(found.map(([one, label]): [string, Label] => [String(one), String(label)]))
      },
      close,
      ...said,
    }
  } catch (error) {
    await close()
    throw error
  }
}
