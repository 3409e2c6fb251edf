import * as zlib from 'node:zlib'
import {
  CompressionType,
  type DataType,
  type DictionaryType,
  Endianness,
  type Field,
  setCompressionCodec,
  type Table,
  Type,
  tableFromIPC,
} from '@uwdata/flechette'
import { AlisError, requireInput } from '../core/errors.ts'
import type { ArrowHeader } from './arrow-header.ts'
import { type ArrowMessage, damaged, readMessages } from './arrow-messages.ts'
import { requireSound } from './arrow-sound.ts'
import { extraction } from './arrow-types.ts'
import { unpackLz4 } from './lz4.ts'

interface ArrowBatches {
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

/** Nodes and buffers in a record batch. Views have more buffers, which the batch counts itself. */
type Shape = Pick<ArrowHeader, 'nodes' | 'buffers'>

/** Throws a RangeError unless a message has the nodes and buffers that its types need: missing ones would be read as others. */
function requireShape(fields: readonly Field[], { kind, id, nodes, buffers, viewBuffers }: ArrowHeader): void {
  const types = kind === 'batch' ? fields.map(({ type }) => type) : [dictionaryOf(fields, id)]
  const needed = together(types)
  if (nodes !== needed.nodes || buffers !== needed.buffers + viewBuffers) {
    throw new RangeError(
      `${needed.nodes} nodes and ${needed.buffers} + ${viewBuffers} buffers are needed, ${nodes} and ${buffers} are there`,
    )
  }
}

function together(types: readonly DataType[]): Shape {
  const shapes = types.map(shapeOf)
  return {
    nodes: shapes.reduce((sum, { nodes }) => sum + nodes, 0),
    buffers: shapes.reduce((sum, { buffers }) => sum + buffers, 0),
  }
}

function shapeOf(type: DataType): Shape {
  const { nodes, buffers } = together(childrenOf(type).map((child) => child.type))
  return { nodes: nodes + 1, buffers: buffers + (buffersOf.get(type.typeId) ?? 2) }
}

const childrenOf = (type: DataType): readonly Field[] => ('children' in type ? type.children : [])

/** Buffers of a type that has not two of its own. */
const buffersOf = new Map<number, number>([
  ...[Type.Null, Type.RunEndEncoded].map((type) => [type, 0] as const),
  ...[Type.FixedSizeList, Type.Struct].map((type) => [type, 1] as const),
  ...[Type.Utf8, Type.LargeUtf8, Type.Binary, Type.LargeBinary, Type.ListView, Type.LargeListView].map(
    (type) => [type, 3] as const,
  ),
])

/** The type of the entries of a dictionary, which may be used anywhere inside the columns. */
function dictionaryOf(fields: readonly Field[], id: bigint): DataType {
  const found = dictionaries(fields).find((type) => BigInt(type.id) === id)
  if (!found) throw new RangeError(`no column has the dictionary ${id}`)
  return found.dictionary
}

function dictionaries(fields: readonly Field[]): DictionaryType[] {
  return fields.flatMap(({ type }) =>
    type.typeId === Type.Dictionary ? [type, ...dictionaries(childrenOf(type.dictionary))] : dictionaries(childrenOf(type)),
  )
}
