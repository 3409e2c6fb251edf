import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { requireInput } from '../core/errors.ts'

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string
  readonly bytes: number
  readonly packed: number
  readonly method: number
  readonly crc: number
  /** Where it begins in the archive. */
  readonly at: number
}

export interface Zip {
  /** Files by name, folders left out. */
  readonly entries: ReadonlyMap<string, ZipEntry>
  /** The bytes of a file, unpacked and found whole. */
  read(entry: ZipEntry): Promise<Buffer>
  close(): Promise<void>
}

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const longestEnd = 22 + 0xffff
const most = 2 ** 29 // bytes of one file, unpacked: as long as a text can be

/** A ZIP archive, of which no more than its directory is read at first. Archives beyond 4 GB, or with a password, are refused. */
export async function openZip(path: string): Promise<Zip> {
  const file = await open(path)
  try {
    const entries = await readDirectory(file, path)
    return { entries, read: (entry) => readEntry(file, path, entry), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readDirectory(file: FileHandle, path: string): Promise<ReadonlyMap<string, ZipEntry>> {
  const { size } = await file.stat()
  const tail = await bytesAt(file, Math.max(0, size - longestEnd), Math.min(size, longestEnd))
  const end = lastSignature(tail)
  const isLocked = end < 0 && (await bytesAt(file, 0, 4)).toString('hex') === 'd0cf11e0' // what Office puts around what it encrypts
  requireInput(
    !isLocked,
    `${path}: a file without a password, newer than 2007, is required, got another`,
    'Save it as .xlsx, without a password.',
  )
  requireInput(end >= 0, `${path}: must be a ZIP archive, got something else`, 'Check that it was written completely.')
  const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  requireInput(
    start < 0xffffffff,
    `${path}: an archive below 4 GB is required, got a larger one`,
    'Unpack it, and name the folder.',
  )
  const isThere = start + length <= size
  requireInput(isThere, `${path}: must be a whole ZIP archive, got a part of one`, 'Check that it was written completely.')
  const directory = await bytesAt(file, start, length)
  const entries = new Map<string, ZipEntry>()
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === directoryEntry; ) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as [number, number, number]
    const isLocked = (directory.readUInt16LE(at + 8) & 1) === 1
    const text = directory.toString('utf8', at + 46, at + 46 + name)
    requireInput(!isLocked, `${path}: an archive without a password is required, got ${text} with one`)
    if (!text.endsWith('/'))
      entries.set(text, {
        name: text,
        method: directory.readUInt16LE(at + 10),
        crc: directory.readUInt32LE(at + 16),
        packed: directory.readUInt32LE(at + 20),
        bytes: directory.readUInt32LE(at + 24),
        at: directory.readUInt32LE(at + 42),
      })
    at += 46 + name + extra + comment
  }
  return entries
}

function lastSignature(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at--) if (tail.readUInt32LE(at) === endOfDirectory) return at
  return -1
}

const inflate = promisify(inflateRaw) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

async function readEntry(file: FileHandle, path: string, { name, bytes, packed, method, crc, at }: ZipEntry): Promise<Buffer> {
  requireInput(bytes < most, `${path}: files below 512 MB are required, got ${name} of ${bytes} bytes`)
  const header = await bytesAt(file, at, 30)
  const start = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const content = await bytesAt(file, start, packed)
  requireInput(method === 0 || method === 8, `${path}: files stored or deflated are required, got ${name} packed otherwise`)
  const whole = method === 0 ? content : await inflate(content, { maxOutputLength: bytes + 1 }).catch(() => Buffer.alloc(0))
  const isSound = whole.length === bytes && crc32(whole) === crc
  requireInput(isSound, `${path}: must hold ${name} undamaged, got another content`, 'Check that it was written completely.')
  return whole
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
