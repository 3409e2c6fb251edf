import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { AlisError, requireInput } from '../core/errors.ts'
import { chainOn } from './sqlite-chain.ts'
import { damaged } from './sqlite-errors.ts'
import { recordIn } from './sqlite-files.ts'
import { applicationId, migrate, migrations, versionOf } from './sqlite-schema.ts'
import { requireOurShape, requirePlain } from './sqlite-shape.ts'

const smallestPage = 512 // bytes
const timeout = 5000 // ms to wait where another process has the file for a moment

/** A connection to write with, to a file that is new or was found whole. */
export function connectToWrite(file: string): Database.Database {
  return prepared(new Database(file, { timeout }), (sqlite) => {
    sqlite.pragma('journal_mode = WAL') // readers beside the writer
    sqlite.pragma('synchronous = FULL') // a commit is on disk when it returns
    sqlite.pragma('foreign_keys = ON')
    migrate(sqlite)
  })
}

/** A connection to read with, to a file that was found whole. It changes nothing, so what is damaged stays as it was. */
export function connectToRead(directory: string): Database.Database {
  const file = recordIn(directory)
  const found = statSync(file, { throwIfNoEntry: false })
  requireInput(
    found?.isFile() ?? false,
    `project: a project is required, got ${directory}`,
    'Check the name, or begin a project there.',
  )
  // SQLite takes a file without a page for a new one, and would throw away the log beside it.
  if (found!.size < smallestPage) throw damaged(directory, `a file of ${found!.size} bytes`)
  requirePlain(directory)
  const sqlite = isFrozen(file) ? inMemory(file) : new Database(file, { readonly: true, timeout })
  return prepared(sqlite, () => check(directory, sqlite))
}

export function requireWritable(directory: string): void {
  for (const path of [directory, recordIn(directory)]) accessSync(path, constants.W_OK)
}

/** True if no connection has a log open beside the file, and this process could not make one. */
function isFrozen(file: string): boolean {
  if (existsSync(`${file}-wal`)) return false
  try {
    accessSync(dirname(file), constants.W_OK)
    return false
  } catch {
    return true
  }
}

/** Even to read a file that is in WAL mode, SQLite makes files beside it. Where it cannot, it reads the bytes. */
function inMemory(file: string): Database.Database {
  return new Database(withoutLog(readFileSync(file)), { readonly: true })
}

/** The bytes of a whole file: its header says that there may be a log beside it, and there is none. */
const withoutLog = (bytes: Buffer) => bytes.fill(1, 18, 20)

/** The record of an older version as a copy in memory that is up to date: to read is to change no file. Others as they are. */
export function upToDate(sqlite: Database.Database): Database.Database {
  if (versionOf(sqlite) === migrations.length) return sqlite
  try {
    return prepared(new Database(withoutLog(sqlite.serialize())), migrate)
  } finally {
    sqlite.close()
  }
}

/** Who made the file is not known: nothing of it is run, and no table read, before its shape was found to be ours. */
function check(directory: string, sqlite: Database.Database): void {
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
  const isOurs = sqlite.pragma('application_id', { simple: true }) === applicationId
  requireInput(isOurs, `project: a project is required, got ${directory} with another database in it`)
  const version = versionOf(sqlite)
  if (version > migrations.length) throw newer(directory, version)
  requireOurShape(directory, sqlite)
  const finding = sqlite.pragma('integrity_check(1)', { simple: true }) as string // indices too: answers are found by them
  if (finding !== 'ok') throw damaged(directory, finding)
  const fault = version === migrations.length ? chainOn(sqlite).fault() : undefined // older ones have no chain yet
  if (fault) throw damaged(directory, fault)
}

function newer(directory: string, version: number): AlisError {
  return new AlisError(
    'bad-input',
    `${directory}: version ${migrations.length} or older is required, got version ${version}`,
    'The project was written by a newer alis. Update alis to open it.',
  )
}

function prepared(sqlite: Database.Database, prepare: (sqlite: Database.Database) => void): Database.Database {
  try {
    prepare(sqlite)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}
