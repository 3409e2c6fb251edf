import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'

/** A file of numbers that can be made again: a header line of JSON, padded to a page, then the parts one after another. */
export const headerSize = 4096

type FileNumbers = Float32Array | Float64Array | Uint32Array | Int8Array | Buffer

/** Writes a file so that it is there whole or not at all. Where there is no room, or nothing may be written, it is not. */
export function writeWhole(path: string, header: object, parts: readonly FileNumbers[]): void {
  const unfinished = `${path}.new`
  try {
    const file = openSync(unfinished, 'w')
    try {
      for (const part of [Buffer.from(`${JSON.stringify(header)}\n`.padEnd(headerSize)), ...parts]) writeAll(file, inBytes(part))
      fsyncSync(file) // whole on disk before it has its name
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

/** What `read` makes of a file, which it may keep open by saying so; undefined if there is none, or if it is cut short or by another version. */
export function readWhole<T>(
  path: string,
  read: (file: number) => { readonly value: T; readonly keepsOpen?: boolean } | undefined,
) {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  let keepsOpen = false
  try {
    const found = read(file)
    keepsOpen = found?.keepsOpen ?? false
    return found?.value
  } catch {
    return undefined
  } finally {
    if (!keepsOpen) closeSync(file)
  }
}

export function readHeader<T>(file: number): T {
  const first = Buffer.alloc(headerSize)
  readAll(file, first, 0)
  return JSON.parse(first.toString())
}

const inBytes = ({ buffer, byteOffset, byteLength }: FileNumbers) => Buffer.from(buffer, byteOffset, byteLength)

const mostAtOnce = 2 ** 30 // bytes; the system takes a little less than 2 GiB

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, Math.min(mostAtOnce, bytes.length - done))
}

/** Fills numbers from a place in a file. */
export function readAll(file: number, into: FileNumbers, from: number): void {
  const bytes = inBytes(into)
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, Math.min(mostAtOnce, bytes.length - done), from + done)
    if (read === 0) throw new Error('features: cut short')
    done += read
  }
}
