import { AlisError } from '../../core/errors.ts'

/** What systems say of a disk that is full, or broken. */
const full: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']
const makeRoom = 'Make room, and run the same command again.'

/** Says of a directory or file that it cannot be written, if that is what the error says. */
export function refuseTo(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    if ('code' in error && full.includes(`${error.code}`))
      throw new AlisError('store-failed', `${path}: room on the disk is required, got "${error.message}"`, makeRoom, {
        cause: error,
      })
    const message = `${path}: must be a place to write to, got "${error.message}"`
    throw new AlisError('bad-input', message, 'Choose another with --out.', { cause: error })
  }
}
