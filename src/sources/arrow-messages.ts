import { type FileHandle, open } from 'node:fs/promises'
import { AlisError, requireInput } from '../core/errors.ts'
import { type ArrowHeader, arrowHeader, messageStarts } from './arrow-header.ts'

export interface ArrowMessage extends ArrowHeader {
  /** The whole of it: length, metadata, body. */
  readonly bytes: Uint8Array
  /** Where it ends in the file. */
  readonly end: number
}

/**
 * The messages of an Arrow file one by one, so that memory never holds more than one. A file proper lists its messages at its end;
 * a stream ends with a mark, which is required: without it, rows may be missing.
 * @see https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
 */
export async function* readMessages(path: string): AsyncGenerator<ArrowMessage> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = await readText(file, 0, Math.min(size, 6))
    refuseOthers(path, head)
    yield* 'ARROW1'.startsWith(head) ? fileMessages(path, file, size) : streamMessages(path, file, size)
  } catch (error) {
    throw error instanceof RangeError ? damaged(path, error) : error // a position outside the bytes
  } finally {
    await file.close()
  }
}

export function damaged(path: string, cause?: unknown): AlisError {
  const hint = 'Write it again; it must be Arrow IPC, also called Feather version 2.'
  return new AlisError('bad-input', `${path}: must be an Arrow file, got damaged or other data`, hint, { cause })
}

const cut = (path: string): AlisError =>
  new AlisError('bad-input', `${path}: must be a whole Arrow file, got only a part`, 'Was its writer closed? Then copy it again.')

function refuseOthers(path: string, head: string): void {
  const other = head.startsWith('FEA1') ? 'Feather version 1' : head.startsWith('PAR1') ? 'Parquet' : undefined
  const hint = other === 'Parquet' ? 'Name it .parquet.' : 'Write it again with a newer version of what wrote it.'
  requireInput(other === undefined, `${path}: must be an Arrow file, got ${other}`, hint)
}

async function* fileMessages(path: string, file: FileHandle, size: number): AsyncGenerator<ArrowMessage> {
  if (size < 18 || (await readText(file, size - 6, 6)) !== 'ARROW1') throw cut(path)
  const footerEnd = size - 10
  const footerSize = (await readView(file, footerEnd, 4)).getInt32(0, true)
  if (footerSize <= 0 || footerSize > footerEnd - 8) throw damaged(path)
  const footer = await readView(file, footerEnd - footerSize, footerSize)
  for (const start of messageStarts(footer)) {
    const message = await readMessage(path, file, start, footerEnd - footerSize)
    if (!message) throw damaged(path)
    yield message
  }
}

async function* streamMessages(path: string, file: FileHandle, size: number): AsyncGenerator<ArrowMessage> {
  let at = 0
  for (;;) {
    const message = await readMessage(path, file, at, size)
    if (!message) break
    yield message
    at = message.end
  }
  const isMarked = (await readView(file, at, 4)).getInt32(0, true) === -1
  const end = at + (isMarked ? 8 : 4)
  const hint = 'Two streams in one file? Keep each in its own, and give a pattern for both.'
  requireInput(end === size, `${path}: must end where its stream ends, got ${size - end} bytes more`, hint)
}

/** The message at a place; `undefined` for the mark at the end of a stream. Before version 0.15, messages had no mark of their own. */
async function readMessage(path: string, file: FileHandle, at: number, limit: number): Promise<ArrowMessage | undefined> {
  if (at + 4 > limit) throw cut(path)
  const prefix = await readView(file, at, Math.min(8, limit - at))
  const isMarked = prefix.getInt32(0, true) === -1
  if (isMarked && prefix.byteLength < 8) throw cut(path)
  const size = prefix.getInt32(isMarked ? 4 : 0, true)
  if (size === 0) return undefined
  if (size < 0 || size > mostMetadata) throw damaged(path)
  const start = at + (isMarked ? 8 : 4)
  if (start + size > limit) throw at === 0 && !isMarked ? damaged(path) : cut(path)

  const header = arrowHeader(await readView(file, start, size))
  const end = start + size + header.bodySize
  if (end > limit) throw cut(path)
  return { ...header, bytes: await readBytes(file, at, end - at), end }
}

const mostMetadata = 2 ** 28

async function readBytes(file: FileHandle, at: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  for (let read = 0; read < size; ) {
    const { bytesRead } = await file.read(bytes, read, Math.min(size - read, 2 ** 30), at + read)
    if (bytesRead === 0) throw new RangeError('the file ends before')
    read += bytesRead
  }
  return bytes
}

const readView = async (file: FileHandle, at: number, size: number): Promise<DataView> =>
  new DataView((await readBytes(file, at, size)).buffer)

const readText = async (file: FileHandle, at: number, size: number): Promise<string> =>
  Buffer.from(await readBytes(file, at, size)).toString('latin1')
