import * as zlib from 'node:zlib'
import { CompressionType, Endianness, type Field, setCompressionCodec, type Table, tableFromIPC } from '@uwdata/flechette'
import { AlisError, requireInput } from '../core/errors.ts'
import { type ArrowMessage, damaged, readMessages } from './arrow-messages.ts'
import { requireShape } from './arrow-shape.ts'
import { requireSound } from './arrow-sound.ts'
import { extraction } from './arrow-types.ts'
import { unpackLz4 } from './lz4.ts'

/** Some of the record batches of an Arrow file. */
export interface ArrowBatches {
  readonly table: Table
  readonly rows: number
  /** Where they end in the file, in bytes. */
  readonly end: number
}

const mostBytes = 2 ** 23

/**
 * An Arrow file a few megabytes at a time, in order; first a table without rows, for its columns. Small batches come together as
 * long as they share their dictionaries, which are unpacked anew for every table.
 */
export async function* readArrow(path: string): AsyncGenerator<ArrowBatches> {
  let schema: Uint8Array | undefined
  let fields: readonly Field[] = []
  let dictionaries: ArrowMessage[] = []
  let batches: Uint8Array[] = []
  let [size, rows, end] = [0, 0, 0]
  const take = (): ArrowBatches => {
    const given = { table: decode(path, [schema!, ...dictionaries.map(({ bytes }) => bytes), ...batches]), rows, end }
    batches = []
    ;[size, rows] = [0, 0]
    return given
  }

  for await (const message of readMessages(path)) {
    const { bytes } = message
    if (!schema !== (message.kind === 'schema')) throw damaged(path)
    if (message.kind === 'schema') {
      schema = bytes
      const columns = take()
      fields = columns.table.schema.fields
      yield columns
      continue
    }
    orDamaged(path, () => requireShape(fields, message))
    if (message.kind === 'dictionary') {
      if (batches.length > 0) yield take()
      dictionaries = [...dictionaries.filter(({ id }) => message.isDelta || id !== message.id), message]
    } else {
      if (batches.length > 0 && size + bytes.length > mostBytes) yield take()
      batches.push(bytes)
      size += bytes.length
      rows += message.rows
    }
    end = message.end
  }
  if (batches.length > 0) yield take()
}

function decode(path: string, messages: Uint8Array[]): Table {
  return orDamaged(path, () => {
    const table = tableFromIPC(messages, extraction)
    requireLayout(path, table)
    for (const column of table.children) for (const batch of column.data) requireSound(batch)
    return table
  })
}

/** Bad data makes the package stumble in many ways. */
function orDamaged<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof AlisError ? error : damaged(path, error)
  }
}

function requireLayout(path: string, { schema: { fields, endianness } }: Table): void {
  requireInput(fields.length > 0, `${path}: must have columns, got none`)
  const isLittle = endianness === undefined || endianness === Endianness.Little
  requireInput(isLittle, `${path}: must have low bytes first, got high bytes first`, 'Write it again on another machine.')
}

const encode = (): never => {
  throw new Error('Arrow files are read, not written')
}
setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4, encode })
setCompressionCodec(CompressionType.ZSTD, { decode: unpackZstd, encode })

function unpackZstd(bytes: Uint8Array, length: number): Uint8Array {
  const hint = 'Write the file with another compression, such as LZ4.'
  requireInput(!!zlib.zstdDecompressSync, 'zstd: Node.js 22.15 or newer is required, got an older one', hint)
  const contents = new Uint8Array(length) // of its own, so that numbers in it lie where typed arrays want them
  const unpacked = zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) })
  if (unpacked.length !== length) throw new RangeError(`expected ${length} bytes in a zstd frame, got ${unpacked.length}`)
  contents.set(unpacked)
  return contents
}
