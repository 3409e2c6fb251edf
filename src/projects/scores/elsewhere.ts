import { copyFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { closing, orClosed } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { ColumnModel } from '../../core/model.ts'
import { duckdbDialect as dialect } from '../../engines/duckdb/dialect.ts'
import { type OwnPool, poolOfModels, roundedBy } from '../../engines/own-pool.ts'
import type { ScoreSnapshot } from '../../engines/scored-pool.ts'
import { handedOn, rolesOf, shownColumns } from '../../features/roles.ts'
import { openDatabase, readRows } from '../../sources/duckdb.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import { openScratch } from '../../sources/scratch.ts'
import { sqlString } from '../../sources/table-file.ts'
import { columnsIn, type FileOnDisk, openOnDisk, requireSql } from '../pools/duckdb.ts'
import { labelsOf } from '../pools/label-column.ts'
import type { DataOptions, Loading, PoolData } from '../pools/pool-data.ts'
import { fieldsOf, findRow } from '../pools/queried-table.ts'
import { requireNoTest, scoresRecipe } from './columns.ts'
import { type ChancesSql, type CopiedScores, chancesIn, copyScores, snapshotOnDisk } from './duckdb.ts'
import { type ScoresPlace, snapshotInMemory } from './files.ts'
import { type ScoresFolder, scoresFolder } from './kept-files.ts'
import { type SaidScores, withSaid } from './said.ts'

type LoadedElsewhere = PoolData & Required<Pick<PoolData, 'elsewhere'>>

/** A pool in files whose models a program or service fits, from the files as they are. */
export function loadForElsewhere(
  path: string,
  options: DataOptions,
  loading: Loading,
  place: ScoresPlace,
): Promise<LoadedElsewhere> {
  const { added = [] } = options
  requireNoTest(options, 'by a model that is fitted elsewhere')
  requireInput(
    added.length === 0,
    `pool: one file or pattern is required for a model that is fitted elsewhere, got ${added.length} files that joined later`,
  )
  return openOnDisk(path, loading, place, 2, async (file) => {
    const { table, sql, pool: open, closes, close } = file
    const roles = rolesOf(table, { ...options, elsewhere: true })
    const id = roles.find(({ role }) => role === 'id')?.column.name
    const rows = columnsIn(sql, id)
    const shown = await open({ ...rows, blocks: [], fields: fieldsOf(rows, shownColumns(roles)) })
    const { size } = shown
    const labels = await labelsOf({ ...rows, ask: shown.ask }, shown.lookUp, scoresRecipe(size, []), options)
    const { classes } = labels
    requireInput(
      classes.length >= 2,
      `classes: at least two are required, got ${classes.length}`,
      'For example --classes ham,spam.',
    )
    const own = new Set(handedOn(roles))
    const hidden = roles.filter((role) => !own.has(role) && role.role !== 'id').map(({ column }) => column.name)
    const scratch = openScratch()
    closes(async () => scratch.close())
    let folder = loading.scores === undefined ? undefined : scoresFolder(loading.scores)
    const models = await modelsOf(file, {
      ...{ id, classes, engine: place.engine },
      pool: { from: rows.from, setup: rows.setup ?? [], id: rows.id },
      contents: shown.engine().contents,
      place: () => scratch.name(),
      folder: async () => {
        folder ??= scoresFolder(await scratch.name())
        return folder
      },
    })
    closes(() => models.close())
    const elsewhere = {
      ...models,
      pool: { path: resolve(path), id: id ?? null, hidden },
      place: () => scratch.name(),
      keepIn(where: string) {
        folder = scoresFolder(where)
      },
    }
    const recipe = scoresRecipe(size, classes)
    const files = { table: { hash: table.hash, batches: table.batches, close: table.close }, roles }
    return { file: files, recipe, size, engine: models.engine, elsewhere, close, ...labels }
  })
}

interface ModelsOf {
  readonly id: string | undefined
  readonly classes: readonly string[]
  readonly engine: ScoresPlace['engine']
  /** The pool itself, for its ids. */
  readonly pool: Omit<ChancesSql, 'chances'>
  readonly contents: Parameters<typeof snapshotInMemory>[1]
  place(): Promise<string>
  folder(): Promise<ScoresFolder>
}

function modelsOf(file: FileOnDisk, about: ModelsOf): Promise<OwnPool<SaidScores>> {
  const { classes, engine, pool, contents, place, folder } = about
  const { limits } = file
  const kept = classes.map((_, k) => `p${k}`)
  const scored = classes.length === 2 ? [1] : [...classes.keys()]
  let points = '' // what identifies them

  const snapshotOf = (copied: CopiedScores) => (engine === 'memory' ? snapshotInMemory : snapshotOnDisk)(copied, contents)
  const reopened = async (isWanted: Parameters<ScoresFolder['find']>[0]): Promise<ScoreSnapshot | undefined> => {
    const found = await (await folder()).find(isWanted)
    if (!found) return undefined
    const { path, model } = found
    const table = await openTable(path)
    const source = chancesIn(requireSql(path, table), 'id', kept)
    const copied = await copyScores(source, { columns: classes, classes, name: model.name, limits, scored }).finally(table.close)
    const snapshot = await snapshotOf(copied)
    if (snapshot.model.id !== model.id) {
      await snapshot.close()
      const got = `${snapshot.model.id.slice(0, 19)}…`
      throw new AlisError('store-failed', `${path}: the scores of the model ${model.id.slice(0, 19)}… are required, got ${got}`)
    }
    return snapshot
  }

  return poolOfModels<SaidScores>({
    classes,
    async blank() {
      const source = { ...pool, chances: classes.map(() => `(1::FLOAT / ${classes.length})::FLOAT`) }
      const snapshot = await snapshotOf(await copyScores(source, { columns: classes, classes, limits, scored }))
      points = snapshot.points
      return snapshot
    },
    known: (labels) => reopened((each) => each.labels === labels),
    kept: ({ id }) => reopened(({ model }) => model.id === id),
    async take(said, labels) {
      const scratch = await place()
      const ids = () => idsOf(file, about.id)
      return withSaid(said, { classes, scratch, ids }, async (source) => {
        const request = { columns: classes, classes, name: said.identity, limits, scored }
        const copied = await copyScores(source, request).catch(async (error) => {
          throw (await repeatedIn(source)) ?? error
        })
        const copy = `${scratch}-copy`
        await orClosed(copied.pool, async (given) => {
          await requireSums(copied)
          await given.ask(`COPY (SELECT id, ${kept} FROM ${copied.from}) TO ${sqlString(copy)} (FORMAT parquet)`)
        })
        const snapshot = await snapshotOf(copied)
        return orClosed(snapshot, async ({ model }) => {
          if (snapshot.points !== points) throw await strayIn(source, ids())
          await (await folder()).keep({ labels, model: model as ColumnModel }, (part) => copyFile(copy, part))
          await rm(copy)
          return snapshot
        })
      }).finally(() => removeHandedOver(said, scratch))
    },
  })
}

/** A file that a program wrote to where it was told to is read once. */
async function removeHandedOver(said: SaidScores, scratch: string): Promise<void> {
  if ('file' in said && dirname(resolve(said.file)) === dirname(scratch)) await rm(said.file, { force: true })
}

/** The ids of a pool in the order of its rows, batch by batch. */
async function* idsOf({ table }: FileOnDisk, id: string | undefined): AsyncGenerator<readonly string[]> {
  const step = 2 ** 16
  if (id !== undefined)
    for await (const { columns } of table.batches([{ name: id, as: 'text' }])) yield columns[0]!.values as readonly string[]
  else
    for (let start = 0; start < table.rows; start += step)
      yield Array.from({ length: Math.min(step, table.rows - start) }, (_, i) => `${start + i + 1}`)
}

async function requireSums({ pool, from, chances }: CopiedScores): Promise<void> {
  const sum = chances.map((chance) => `${chance}::DOUBLE`).join(' + ')
  const table = { dialect, from, id: 'id', ask: pool.ask, cell: () => ({ sql: sum, isMissing: 'false' }) }
  const found = await findRow(table, `(${sum})::VARCHAR`, `abs(${sum} - 1) > ${roundedBy}`)
  requireInput(
    found === undefined,
    `probabilities: those of a point must add up to 1, got ${found?.text} for ${found?.id}`,
    'One column for each class, of two classes too.',
  )
}

/** What is wrong with ids that were handed over twice or not at all; nothing where they are all there and differ. */
async function repeatedIn({ setup, from, id }: ChancesSql): Promise<AlisError | undefined> {
  const [row] = await asked(setup, `SELECT ${id}, count(*) FROM ${from} GROUP BY 1 HAVING count(*) > 1 OR ${id} IS NULL LIMIT 1`)
  if (!row) return undefined
  const got = row[0] === null ? `${row[1]} rows without an id` : `${row[1]} for ${JSON.stringify(row[0])}`
  return new AlisError('bad-input', `probabilities: every point is required once, got ${got}`)
}

/** Which point of a pool is missing, or which is none of it. */
async function strayIn({ setup, from, id }: ChancesSql, pool: AsyncIterable<readonly string[]>): Promise<AlisError> {
  const said = new Set((await asked(setup, `SELECT ${id} FROM ${from}`)).map(([one]) => String(one)))
  let missing: string | undefined
  for await (const ids of pool) for (const one of ids) if (!said.delete(one)) missing ??= one
  const [other] = said
  const got = missing === undefined ? `${JSON.stringify(other)}, which is none of them` : `none for ${JSON.stringify(missing)}`
  return new AlisError('bad-input', `probabilities: the points of the pool are required, got ${got}`)
}

const asked = (setup: readonly string[], sql: string): Promise<unknown[][]> =>
  closing(openDatabase(), async (database) => {
    for (const each of setup) await readRows(database, each)
    return readRows(database, sql)
  })
