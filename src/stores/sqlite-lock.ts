import { accessSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AlisError } from '../core/errors.ts'

/**
 * Makes this the one writer of a project until it is released. The lock is SQLite's own, on an empty database beside the
 * record, so the system lifts it when the process ends, however it ends: no lock is ever left behind.
 *
 * (Nothing may open `lock.sqlite` or `project.sqlite` by other means in this process: POSIX drops all locks of a process
 * on a file as soon as it closes that file once.)
 */
export function lockProject(directory: string): { release(): void } {
  const holder = join(directory, 'lock.json')
  const file = join(directory, 'lock.sqlite')
  const lock = new Database(file, { timeout: 200 })
  try {
    accessSync(file, constants.W_OK) // a file that it may only read, SQLite would open and not lock
    lock.exec('BEGIN EXCLUSIVE')
    rmSync(holder, { force: true }) // a link of that name goes, and what it leads to stays
    writeFileSync(holder, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`, { flag: 'wx' })
  } catch (error) {
    lock.close()
    throw error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY' ? busy(directory, holder, error) : error
  }
  return { release: () => void lock.close() }
}

function busy(directory: string, holder: string, cause: unknown): AlisError {
  return new AlisError(
    'store-failed',
    `${directory}: one process may write at a time, got ${writerIn(holder)} at work`,
    'Open it read-only, or stop the other.',
    { cause },
  )
}

/** The process that wrote its name last. Only read when the lock is held, so a name left behind by a dead process does no harm. */
function writerIn(holder: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(holder, 'utf8')) as { pid: number; host: string }
    return `process ${pid}${host === hostname() ? '' : ` on ${host}`}`
  } catch {
    return 'another process'
  }
}
