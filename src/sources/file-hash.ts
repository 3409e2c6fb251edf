import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline as connectStreams, type Duplex, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { AlisError } from '../core/errors.ts'
import { fileError } from './duckdb-errors.ts'
import type { Compression, DataFile } from './files.ts'
import { picturesIn } from './pictures.ts'

/** SHA-256 of a file; of several files, that of the lines `sha256sum` prints for them, with their base names. Worth nothing once aborted. `tell` hears bytes. */
export async function hashFiles(
  files: readonly DataFile[],
  signal: AbortSignal,
  tell?: (bytes: number) => void,
): Promise<string> {
  const digests: string[] = []
  let done = 0
  const count = (bytes: number) => {
    done += bytes
    tell?.(done)
  }
  for (const file of files) digests.push(await hashFile(file, signal, count))
  const lines = files.map(({ path }, k) => `${digests[k]}  ${basename(path)}\n`).join('')
  return `sha256:${files.length === 1 ? digests[0] : createHash('sha256').update(lines).digest('hex')}`
}

/** Unpacks a compressed file on the way, for the checksum inside: DuckDB takes the first half of such a file for a whole one. */
async function hashFile(file: DataFile, signal: AbortSignal, count: (bytes: number) => void): Promise<string> {
  const { path, compression, isFolder, beside } = file
  if (isFolder) return hashFolder(path, signal, count)
  const hash = createHash('sha256')
  const unpack = decompressor(compression)
  const take = (bytes: Buffer) => {
    hash.update(bytes)
    count(bytes.length)
  }
  try {
    if (unpack) await pipeline(readBytes(path, take, signal), copied, unpack, drain)
    else await drain(readBytes(path, take, signal))
    if (beside !== undefined) await drain(readBytes(beside, take, signal))
  } catch (error) {
    throw fileError(path, error)
  }
  return hash.digest('hex')
}

/** Of the lines that `sha256sum` prints for the pictures of a folder. */
async function hashFolder(path: string, signal: AbortSignal, count: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256')
  for (const { name } of await picturesIn(path, true)) {
    const own = createHash('sha256')
    const take = (bytes: Buffer) => {
      own.update(bytes)
      count(bytes.length)
    }
    await drain(readBytes(join(path, name), take, signal))
    hash.update(`${own.digest('hex')}  ${name}\n`)
  }
  return hash.digest('hex')
}

/** The bytes of a file, always in the same piece of memory: a stream would leave a trail of buffers to be collected. */
async function* readBytes(path: string, take: (bytes: Buffer) => void, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(2 ** 17)
  const file = await open(path)
  try {
    while (!signal.aborted) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return
      const bytes = buffer.subarray(0, bytesRead)
      take(bytes)
      yield bytes
    }
  } finally {
    await file.close()
  }
}

/** For a receiver that may not be done with one piece when it takes the next. */
async function* copied(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

/** The beginning of a text file, unpacked: as much of it as `isEnough` requires. */
export async function readHead(file: DataFile, isEnough: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }) // which means: keep it
  let text = ''
  try {
    for await (const chunk of unpacked(file)) {
      if (text === '') refuseUtf16(file.path, chunk as Uint8Array)
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (isEnough(text)) break
    }
  } catch (error) {
    throw fileError(file.path, error)
  }
  return text
}

/** The first bytes of a file, unpacked. */
export async function readBeginning(file: DataFile): Promise<Uint8Array> {
  try {
    for await (const chunk of unpacked(file)) return chunk as Uint8Array
  } catch (error) {
    throw fileError(file.path, error)
  }
  return new Uint8Array()
}

export function unpacked({ path, compression }: DataFile): Readable {
  const bytes = createReadStream(path)
  const unpack = decompressor(compression)
  return unpack ? connectStreams(bytes, unpack, () => {}) : bytes // errors end the last stream
}

function refuseUtf16(path: string, [first, second]: Uint8Array): void {
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0
  if (isUtf16) throw new AlisError('bad-input', `${path}: must be UTF-8 text, got UTF-16`, 'Save the file again as UTF-8.')
}

function decompressor(compression: Compression): Duplex | undefined {
  if (compression === 'none') return undefined
  if (compression === 'gzip') return zlib.createGunzip()
  if (zlib.createZstdDecompress) return zlib.createZstdDecompress()
  throw new AlisError('bad-input', 'zstd: Node.js 22.15 or newer is required, got an older one', 'Unpack the file with zstd -d.')
}
