import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AlisError } from '../core/errors.ts'

/** A place on disk for what is not to be kept, made when it is first needed. */
export interface Scratch {
  /** A path where nothing is yet. */
  name(): Promise<string>
  close(): void
}

/** By default in the temporary directory; gone with `close`, and also when the process ends without it. */
export function openScratch(directory = tmpdir(), refusal = noRoom): Scratch {
  let made: Promise<string> | undefined
  let folder = ''
  let names = 0
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const make = async () => {
    folder = await mkdtemp(join(directory, 'alis-')).catch((cause) => Promise.reject(refusal(cause)))
    process.once('exit', remove)
    return folder
  }
  return {
    async name() {
      made ??= make()
      return join(await made, `${names++}`)
    },
    close() {
      process.off('exit', remove)
      if (folder !== '') remove()
    },
  }
}

export function noRoom(cause: unknown): AlisError {
  const got = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
  const hint = 'Name a directory with more room in the environment variable TMPDIR.'
  return new AlisError('bad-input', `${tmpdir()}: must have room for temporary files, got "${got}"`, hint, { cause })
}
