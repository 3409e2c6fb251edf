import Database from 'better-sqlite3'
import { AlisError } from '../core/errors.ts'

const kept = 'Everything acknowledged so far is safe.'

/** What SQLite or the file system says about a project, for the person who owns it. Anything else is a bug and passes through. */
export function projectError(path: string, error: unknown): unknown {
  if (error instanceof SyntaxError) return damaged(path, error.message, error) // JSON that is no longer what we wrote
  const code = codeOf(error)
  if (code === undefined) return error
  const failed = (message: string, hint: string) => new AlisError('store-failed', `${path}: ${message}`, hint, { cause: error })

  if (is(code, 'SQLITE_FULL', 'ENOSPC', 'EDQUOT')) {
    return failed('there must be room on the disk, got a full one', `${kept} Make room, then run again.`)
  }
  if (is(code, 'SQLITE_CORRUPT', 'SQLITE_NOTADB')) return damaged(path, (error as Error).message, error)
  if (is(code, 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_AUTH', 'EACCES', 'EPERM', 'EROFS')) {
    return failed(
      `you must be allowed to read and write here, got ${code}`,
      'Copy the project to where you may, or open it read-only.',
    )
  }
  if (is(code, 'SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return failed(
      'the file must be free within 5 seconds, got one in use',
      `${kept} Close other programs that use it, then run again.`,
    )
  }
  if (is(code, 'SQLITE_IOERR', 'EIO')) {
    return failed(`the disk must read and write, got ${code}`, `${kept} Check the disk, then run again.`)
  }
  return error
}

/** For a file that does not hold what was written to it. It is left as it is. */
export function damaged(path: string, finding: string, cause?: unknown): AlisError {
  return new AlisError(
    'store-failed',
    `${path}: project.sqlite must be whole, got "${finding.replace(/\s+/g, ' ')}"`,
    'The file was damaged by something else, and has been left as it is. Restore a backup, or ask for help before you change anything.',
    { cause },
  )
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof Database.SqliteError) return error.code
  if (error instanceof Error && 'syscall' in error && 'code' in error) return String(error.code)
  return undefined
}

const is = (code: string, ...kinds: string[]) => kinds.some((kind) => code === kind || code.startsWith(`${kind}_`))
