import { accessSync, constants, globSync, realpathSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import { splitReading } from '../../sources/file-reading.ts'
import { refuseTo } from './write-failures.ts'

export interface OutputRules {
  /** What the command reads: files, or patterns that they match. Never written over. */
  readonly inputs: readonly string[]
  /** Whether a pipe or a device will do. */
  readonly takesStreams?: boolean
}

/** Refuses a place where nothing can be written, or something would be lost, before any work is done. */
export function requireWritable(file: string | undefined, option: string, { inputs, takesStreams = false }: OutputRules): void {
  if (file === undefined) return
  const hint = `Choose another with ${option}.`
  const found = statOf(file)
  requireInput(!found?.isDirectory(), `${file}: must be a file to write, got a directory`, hint)
  const isStream = found !== undefined && !found.isFile()
  requireInput(takesStreams || !isStream, `${file}: must be a file to write, got a pipe or a device`, hint)
  requireInput(
    statOf(dirname(file))?.isDirectory() ?? false,
    `${file}: must be in a directory, got none called ${dirname(file)}`,
    hint,
  )
  requireInput(isWritable(file, found), `${file}: must be a file that you may write, got no permission`, hint)
  requireApart(file, inputs, option)
}

/** Refuses to write over what is read. */
export function requireApart(file: string, inputs: readonly string[], option: string): void {
  const found = statOf(file)
  const input = found?.isFile() ? inputs.flatMap(filesOf).find((path) => isSame(found, statOf(path))) : undefined
  requireInput(
    input === undefined,
    `${option}: another file than ${input}, which is read, is required, got ${file}`,
    `Choose another with ${option}.`,
  )
}

/** Written beside its place, and put there when it is whole and on disk; where a link leads, if it is one. A pipe or a device takes it as it comes. */
export async function writeWhole(out: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  const found = statOf(out)
  const isStream = found !== undefined && !found.isFile()
  const place = found ? realpathSync(out) : out
  const target = isStream ? out : `${place}.part`
  let handle: FileHandle | undefined
  try {
    handle = await open(target, 'w')
    await handle.writeFile(content)
    if (!isStream) await handle.sync()
    await handle.close()
    if (!isStream) await rename(target, place)
  } catch (error) {
    await handle?.close().catch(() => {}) // may be closed already
    if (!isStream) await rm(target, { force: true })
    refuseTo(out)(error)
  }
}

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // of a name that leads through a file
  }
}

const isSame = (one: Stats, other: Stats | undefined) => one.ino === other?.ino && one.dev === other.dev

function filesOf(path: string): string[] {
  const { file } = splitReading(path)
  return statOf(path) ? [path] : statOf(file) || !/[*?[]/.test(file) ? [file] : globSync(file)
}

function isWritable(file: string, found: Stats | undefined): boolean {
  try {
    accessSync(found ? file : dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}
