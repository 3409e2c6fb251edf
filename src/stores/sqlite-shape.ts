import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { AlisError } from '../core/errors.ts'
import { migrate, migrations, versionOf } from './sqlite-schema.ts'

const mostEntries = 100_000 // files of a project; it has some hundreds

/**
 * Refuses a project in which anything is not a file or a directory. It may come from elsewhere: a link would have us write where they
 * choose, a pipe would have us wait. And a journal would have SQLite undo what is there, or remove a file that it names: our records have
 * none, as they keep a log, and the lock is on an empty database, whose journal SQLite does not read.
 */
export function requirePlain(directory: string): void {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  let seen = 0
  const waiting = [directory]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const name = relative(directory, join(folder, entry.name))
      if (entry.isDirectory()) waiting.push(join(folder, entry.name))
      else if (!entry.isFile()) throw foreign(directory, `${entry.isSymbolicLink() ? 'the link' : 'something else:'} ${name}`)
      if (name === 'project.sqlite-journal') throw foreign(directory, `the journal ${name}`)
      if (name === 'lock.sqlite' && statSync(join(folder, entry.name)).size > 0)
        throw foreign(directory, `a ${name} that is not empty`)
      if (++seen > mostEntries) throw foreign(directory, `more than ${mostEntries} files`)
    }
  }
}

interface Shape {
  readonly type: string
  readonly name: string
  readonly table: string
  readonly sql: string | null
}

/** Refuses tables, indices, triggers and views that a record of its version does not have: what they do is not for a file to say. */
export function requireOurShape(directory: string, sqlite: Database.Database): void {
  const found = shapeOf(sqlite)
  const ours = shapeOfVersion(versionOf(sqlite))
  const known = new Set(ours.map(textOf))
  const other = found.find((each) => !known.has(textOf(each)))
  if (other) throw foreign(directory, `the ${other.type} ${JSON.stringify(other.name)} in project.sqlite`)
  const there = new Set(found.map(textOf))
  const missing = ours.find((each) => !there.has(textOf(each)))
  if (missing) throw foreign(directory, `project.sqlite without the ${missing.type} ${JSON.stringify(missing.name)}`)
}

const shapeOf = (sqlite: Database.Database) =>
  sqlite.prepare<[], Shape>('SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema LIMIT 1000').all()

/** SQLite of another release may set other spaces where a column was added. */
const textOf = ({ type, name, table, sql }: Shape) => JSON.stringify([type, name, table, sql?.replace(/\s+/g, ' ') ?? null])

const shapes = new Map<number, readonly Shape[]>()

function shapeOfVersion(version: number): readonly Shape[] {
  const known = shapes.get(version)
  if (known) return known
  const empty = new Database(':memory:')
  migrate(empty, migrations.slice(0, version))
  const shape = shapeOf(empty)
  empty.close()
  shapes.set(version, shape)
  return shape
}

function foreign(directory: string, got: string): AlisError {
  return new AlisError(
    'bad-input',
    `${directory}: must hold what alis puts into a project and nothing else, got ${got}`,
    'If the project came from somebody else, ask them; if it is yours, take away what was added.',
  )
}
