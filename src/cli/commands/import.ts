import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { canonicalOrder } from '../../core/canonical-order.ts'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { confirmServer } from '../../projects/confirmed-servers.ts'
import { loadData } from '../../projects/pools/memory.ts'
import { idColumn, readIds } from '../../projects/pools/points.ts'
import { absolute, dataOf, openToWrite, type Settings, settingsOf } from '../../projects/settings.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import { joinedHash } from '../../sources/joined-table.ts'
import type { Table } from '../../sources/table.ts'
import type { Project } from '../../stores/project.ts'
import { count } from '../../text/wording.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'
import { underReadingBar } from '../terminal/progress.ts'
import { addLabels, requireColumn } from './import-labels.ts'

interface Options extends OutputOptions {
  readonly project: string
  readonly add?: boolean
  readonly labels?: string
  readonly id?: string
}

export function importCommand(): Command {
  return new Command('import')
    .argument('<file>', 'CSV, TSV, JSON, JSONL, Parquet or Arrow file, or several as a quoted pattern')
    .requiredOption('--project <NAME.alis>', 'the project')
    .addOption(new Option('--add', 'add its rows to the pool').conflicts('labels'))
    .option('--labels <column>', 'take over the labels in this column; nobody drew them')
    .option('--id <column>', 'with --labels: names the points (default: as in the pool)')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Points that are added join those without a label. Every draw so far keeps its probability: it was drawn from the pool as it was.
Labels that nobody drew teach the model, and count as themselves; estimates and later certificates are about the other points;
an audit that has begun stays about its own, and counts them as known. So does one of predictions from elsewhere, which takes labels alone.

Examples:
  $ alis import more.csv --project mails.alis --add
  $ alis import last-year.csv --project mails.alis --labels is_spam
  $ alis import checked.csv --project audit.alis --labels truth`,
    )
    .action((path: string, options: Options) => run(path, options))
}

async function run(path: string, options: Options): Promise<void> {
  requireInput(
    options.add || options.labels !== undefined,
    'import: --add or --labels is required, got neither',
    '--add brings points, --labels <column> brings labels of points that are there.',
  )
  await closing(openToWrite(options.project), async (project) => {
    if (options.add) await addPoints(project, path, options)
    else await addLabels(project, path, { ...options, column: options.labels! })
  })
}

async function addPoints(project: Project, path: string, output: Options): Promise<void> {
  const settings = await settingsOf(project)
  const { pool, added, wishes, positive, test, seed, classes } = settings
  const before = await dataOf(project, settings)
  const { ids, roles } = before.file
  const hasIds = roles.some(({ role }) => role === 'id')
  await before.file.table.close()
  requireInput(
    hasIds,
    `${basename(pool.path)}: a column of ids is required to add points, got row numbers`,
    'Row 7 of a second file is no name for a point. Begin a project whose pool has --id.',
  )
  const file = await checked(path, { settings, known: new Set(ids), needed: neededOf(roles) })
  const next = [...added, file]
  const options = { ...wishes, positive, classes, test, added: next.map((each) => each.path) }
  const data = await underReadingBar({ isSilent: output.json }, (loading) => loadData(pool.path, options, seed, loading))
  const { table } = data.file
  await table.close()
  const isSame = joinedHash([pool, ...next]) === table.hash && data.classes.join() === classes.join()
  if (!isSame) throw new AlisError('bad-input', `${path}: must stay as it is while it is read, got a change`, 'Try again.')

  const poolSize = data.pool.ids.length
  const joined = [...added, { ...file, poolSize }]
  const points = poolSize - before.pool.ids.length
  confirmServer(project.path, path)
  // Asked for together they are one commit: a pool that has grown and does not know of what is never on disk.
  await Promise.all([
    project.remember('added', joined),
    project.grow(poolSize),
    project.event('import', { from: absolute(path), points }),
  ])
  const words = `${count(points)} points joined: the pool has ${count(poolSize)} now.
Draws so far keep their probabilities. What is labelled now is known for certain and counts as itself;
the next draws are from everything else, and stand for it.`
  sayResult(output, { project: project.path, points, pool: poolSize }, words)
}

/** Columns of the pool that points must have: what is learned from, shown, asked or named. */
function neededOf(roles: Awaited<ReturnType<typeof dataOf>>['file']['roles']): string[] {
  return roles.filter(({ role, isShown }) => role !== 'ignored' || isShown).map(({ column }) => column.name)
}

/** A file whose points are new and have all that is needed, with its hash. */
async function checked(
  path: string,
  { settings, known, needed }: { settings: Settings; known: ReadonlySet<string>; needed: readonly string[] },
): Promise<{ path: string; hash: string }> {
  return closing(openTable(path), async (table) => {
    const there = table.columns.map(({ name }) => name)
    for (const name of needed) requireColumn(path, name, there)
    const id = settings.wishes.id ?? idColumn(table, settings.wishes.label)
    const ids = await readIds(table, id)
    canonicalOrder(ids, id) // or a point that is there twice would be found among all rows of the pool
    const twice = ids.findIndex((each) => known.has(each))
    requireInput(
      twice < 0,
      `${basename(path)}: points must be new, got ${JSON.stringify(ids[twice])} in row ${twice + 1}, which is in the pool`,
      'Leave out the rows that are there already; for labels of points that are there, use --labels.',
    )
    await requireClasses(table, settings)
    return { path: absolute(path), hash: table.hash }
  })
}

/** Where a column answers, it must not bring classes that the project does not have. */
async function requireClasses(table: Table, { wishes: { label }, positive, classes }: Settings): Promise<void> {
  if (label === undefined || positive !== undefined) return
  const odd = (await table.strings(label)).findIndex((each) => each !== null && !classes.includes(each))
  requireInput(odd < 0, `${label}: one of ${classes.join(', ')} is required, got another label in row ${odd + 1}`)
}
