import { isUtf8 } from 'node:buffer'
import { type Batch, type Column, type DataType, Type } from '@uwdata/flechette'

/** What some kinds of batch have besides; the types of @uwdata/flechette keep it to themselves. */
interface Inside {
  readonly data?: readonly Uint8Array[]
  readonly dictionary?: Column<unknown>
}

/**
 * Throws a RangeError unless all that a batch points at is there. Arrow has no checksums, and reading past the end of an array gives
 * `undefined` in JavaScript: a damaged file would become a table with holes.
 */
export function requireSound(batch: Batch<unknown>): void {
  const { length, nullCount, validity, values, offsets, sizes, type } = batch
  const children = batch.children ?? []
  if (nullCount > 0 && validity) requireRoom(8 * validity.length, length)

  if (type.typeId === Type.RunEndEncoded) requireRuns(children[0]!, children[1]!, length)
  else if (sizes) requireSpans(offsets!, sizes, length, children[0]!.length)
  else if (offsets && type.typeId !== Type.Union) requireOffsets(offsets, length, values?.length ?? children[0]!.length)
  else if (values) requireRoom(values.length, valuesIn(type, length))
  else for (const child of children) requireRoom(child.length, length * (type.typeId === Type.FixedSizeList ? type.stride : 1))

  const { data, dictionary } = batch as Inside
  if (data) requireViews(batch, values as Uint8Array, data)
  if (dictionary) requireKeys(batch, dictionary.length)
  const isText = type.typeId === Type.Utf8 || type.typeId === Type.LargeUtf8
  if (isText && !isUtf8(values as Uint8Array)) throw new RangeError('not UTF-8')
  for (const child of [...children, ...(dictionary?.data ?? [])]) requireSound(child)
}

function requireRoom(there: number, needed: number): void {
  if (there < needed) throw new RangeError(`${needed} values are needed, ${there} are there`)
}

/** How many elements of its array a type needs for so many values. */
function valuesIn(type: DataType, length: number): number {
  switch (type.typeId) {
    case Type.Bool:
      return Math.ceil(length / 8)
    case Type.FixedSizeBinary:
      return length * type.stride
    case Type.Utf8View:
    case Type.BinaryView:
      return 16 * length
    case Type.Decimal:
      return length * Math.max(1, type.bitWidth / 64)
    default:
      return length
  }
}

/** Offsets must not go back, and end within what they point at. Nothing needs none. */
function requireOffsets(offsets: Int32Array | BigInt64Array, length: number, end: number): void {
  if (length === 0) return
  requireRoom(offsets.length, length + 1)
  let last = 0
  for (let i = 0; i <= length; i++) {
    const offset = Number(offsets[i])
    if (offset < last || offset > end) throw new RangeError(`offset ${offset} after ${last} of ${end}`)
    last = offset
  }
}

function requireSpans(offsets: Int32Array | BigInt64Array, sizes: Int32Array | BigInt64Array, length: number, end: number): void {
  requireRoom(Math.min(offsets.length, sizes.length), length)
  for (let i = 0; i < length; i++) {
    const [offset, size] = [Number(offsets[i]), Number(sizes[i])]
    if (offset < 0 || size < 0 || offset + size > end) throw new RangeError(`${size} values from ${offset} of ${end}`)
  }
}

const isNull = ({ nullCount, validity }: Batch<unknown>, i: number): boolean =>
  nullCount > 0 && !!validity && (validity[i >> 3]! & (1 << (i & 7))) === 0

/** A view is a length (4 bytes) and up to 12 bytes, or else 4 of them, a buffer (4) and a place in it (4). */
function requireViews(batch: Batch<unknown>, views: Uint8Array, data: readonly Uint8Array[]): void {
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength)
  const isText = batch.type.typeId === Type.Utf8View
  for (let i = 0; i < batch.length; i++) {
    if (isNull(batch, i)) continue
    const size = view.getInt32(16 * i, true)
    const isInline = size <= 12
    const buffer = isInline ? views : data[view.getInt32(16 * i + 8, true)]
    const start = isInline ? 16 * i + 4 : view.getInt32(16 * i + 12, true)
    if (!buffer || size < 0 || start < 0 || start + size > buffer.length) throw new RangeError(`a view of ${size} from ${start}`)
    if (isText && !isUtf8(buffer.subarray(start, start + size))) throw new RangeError('not UTF-8')
  }
}

function requireKeys(batch: Batch<unknown>, entries: number): void {
  const { length, values } = batch
  for (let i = 0; i < length; i++) {
    if (isNull(batch, i)) continue
    const key = Number(values[i])
    if (!(key >= 0 && key < entries)) throw new RangeError(`entry ${key} of ${entries}`)
  }
}

/** Runs end one after the other, the last at the end or later. */
function requireRuns(ends: Batch<unknown>, values: Batch<unknown>, length: number): void {
  let last = 0
  for (let k = 0; k < ends.length; k++) {
    const end = Number(ends.values[k])
    if (!(end > last)) throw new RangeError(`a run ends at ${end} after ${last}`)
    last = end
  }
  requireRoom(last, length)
  requireRoom(values.length, ends.length)
}
