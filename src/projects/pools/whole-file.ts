import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { AlisError } from '../../core/errors.ts'

/**
 * A file of numbers that can be made again: a header of JSON in a page of its own, the parts one after another, and a checksum of every
 * block of these. The header has the checksum of the checksums, and begins with its own: a bit that is another shows as soon as it is read.
 */
export interface WholeFile<Header> {
  readonly header: Header
  /** Bytes of the parts. */
  readonly size: number
  /** Fills numbers from a place among the parts. */
  read(into: FileNumbers, from: number): void
  close(): void
}

const headerSize = 4096
const blockSize = 2 ** 16

type FileNumbers = Float32Array | Float64Array | Uint32Array | Int8Array | Buffer

/** Writes a file so that it is there whole or not at all. Where there is no room, or nothing may be written, it is not. */
export function writeWhole(path: string, header: object, parts: readonly FileNumbers[]): void {
  const unfinished = `${path}.new`
  try {
    const file = openSync(unfinished, 'w')
    try {
      const bytes = parts.map(inBytes)
      const sums = inBytes(checksumsOf(bytes))
      for (const part of [headerPage(header, sums), ...bytes, sums]) writeAll(file, part)
      fsyncSync(file) // whole on disk before it has its name
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

function headerPage(header: object, sums: Buffer): Buffer {
  const text = JSON.stringify({ ...header, sums: crc32(sums) })
  const line = `${hexOf(crc32(text))} ${text}\n`
  if (Buffer.byteLength(line) > headerSize) throw new RangeError('header: too long')
  return Buffer.from(line.padEnd(headerSize))
}

const hexOf = (sum: number) => sum.toString(16).padStart(8, '0')

/** Of every block of the parts, wherever one ends and the next begins. */
function checksumsOf(parts: readonly Buffer[]): Uint32Array {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const sums = new Uint32Array(Math.ceil(size / blockSize))
  let at = 0
  for (const part of parts)
    for (let from = 0; from < part.length; ) {
      const block = Math.floor(at / blockSize)
      const to = Math.min(part.length, from + (block + 1) * blockSize - at)
      sums[block] = crc32(part.subarray(from, to), sums[block]!)
      at += to - from
      from = to
    }
  return sums
}

/** What `read` makes of a file, which it may keep open by saying so; undefined if there is none, or if it is not whole or by another version. */
export function readWhole<T, Header>(
  path: string,
  read: (file: WholeFile<Header>) => { readonly value: T; readonly keepsOpen?: boolean } | undefined,
): T | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  let keepsOpen = false
  try {
    const found = read(wholeFile<Header>(path, file))
    keepsOpen = found?.keepsOpen ?? false
    return found?.value
  } catch {
    return undefined
  } finally {
    if (!keepsOpen) closeSync(file)
  }
}

function wholeFile<Header>(path: string, file: number): WholeFile<Header> {
  const damaged = () => {
    const message = `${path}: the bytes that were written are required, got others`
    return new AlisError('store-failed', message, 'The disk or a program changed it. Remove it: what is in it is made again.')
  }
  const page = Buffer.alloc(headerSize)
  readAll(file, page, 0)
  const [, sum, text] = /^([0-9a-f]{8}) (.*)\n *$/.exec(page.toString()) ?? []
  if (text === undefined || sum !== hexOf(crc32(text))) throw damaged()
  const { sums: sumOfSums, ...header } = JSON.parse(text) as Header & { readonly sums: number }

  // The blocks, and four bytes for each of them.
  const rest = fstatSync(file).size - headerSize
  const blocks = Math.ceil(rest / (blockSize + 4))
  const size = rest - 4 * blocks
  const sums = new Uint32Array(blocks)
  readAll(file, sums, headerSize + size)
  if (crc32(inBytes(sums)) !== sumOfSums) throw damaged()

  const isSound = new Uint8Array(blocks)
  const block = Buffer.alloc(blockSize)
  function requireSound(at: number, bytes: Buffer): void {
    if (crc32(bytes) !== sums[at]) throw damaged()
    isSound[at] = 1
  }

  return {
    header: header as unknown as Header,
    size,
    read(into, from) {
      const bytes = inBytes(into)
      readAll(file, bytes, headerSize + from)
      const last = Math.ceil((from + bytes.length) / blockSize)
      for (let at = Math.floor(from / blockSize); at < last; at++) {
        if (isSound[at]) continue
        const start = at * blockSize
        const length = Math.min(blockSize, size - start)
        if (start >= from && start + length <= from + bytes.length) {
          requireSound(at, bytes.subarray(start - from, start - from + length))
          continue
        }
        const own = block.subarray(0, length)
        readAll(file, own, headerSize + start)
        requireSound(at, own)
      }
    },
    close: () => closeSync(file),
  }
}

const inBytes = ({ buffer, byteOffset, byteLength }: FileNumbers) => Buffer.from(buffer, byteOffset, byteLength)

const mostAtOnce = 2 ** 30 // bytes; the system takes a little less than 2 GiB

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, Math.min(mostAtOnce, bytes.length - done))
}

function readAll(file: number, into: FileNumbers, from: number): void {
  const bytes = inBytes(into)
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, Math.min(mostAtOnce, bytes.length - done), from + done)
    if (read === 0) throw new Error('features: cut short')
    done += read
  }
}
