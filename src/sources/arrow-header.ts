export interface ArrowHeader {
  readonly kind: 'schema' | 'dictionary' | 'batch'
  /** Bytes that follow it. */
  readonly bodySize: number
  /** Of a record batch: how many rows it has. */
  readonly rows: number
  /** Of a record batch or a dictionary: how many columns, with those inside columns, how many buffers, and how many of these belong to views. */
  readonly nodes: number
  readonly buffers: number
  readonly viewBuffers: number
  /** Of a dictionary: which one it is, and whether it goes on or begins anew. */
  readonly id: bigint
  readonly isDelta: boolean
}

/**
 * Reads the metadata of a message, and throws a RangeError unless all lists in it are as long as they say: @uwdata/flechette would
 * make whatever they say of nothing, until memory is full. Slots are those of Message.fbs and Schema.fbs.
 * @see https://github.com/apache/arrow/tree/main/format
 */
export function arrowHeader(view: DataView): ArrowHeader {
  const message = flatbuffer(view)
  const [type, header, bodySize] = [message.byte(1), message.table(2), Number(message.long(3))]
  if (bodySize < 0) throw new RangeError(`a body of ${bodySize} bytes`)
  requirePairs(message, 4)
  const about = { bodySize, rows: 0, nodes: 0, buffers: 0, viewBuffers: 0, id: 0n, isDelta: false }
  if (type === 1) {
    header.tables(1).forEach(requireField)
    requirePairs(header, 2)
    return { ...about, kind: 'schema' }
  }
  if (type === 2) {
    requireLength(view, header.table(1))
    return { ...about, ...countsIn(view, header.table(1)), kind: 'dictionary', id: header.long(0), isDelta: header.byte(2) !== 0 }
  }
  if (type !== 3) throw new RangeError(`a message of kind ${type}`)
  return { ...about, ...countsIn(view, header), kind: 'batch', rows: Number(header.long(0)) }
}

/** Where the messages of a file begin, by the table at its end. */
export function messageStarts(footer: DataView): number[] {
  const table = flatbuffer(footer)
  const starts = [2, 3].flatMap((slot) => {
    const { start, count } = table.list(slot, 24) // each: where it begins, and the lengths of metadata and body
    return Array.from({ length: count }, (_, k) => Number(footer.getBigInt64(start + 24 * k, true)))
  })
  return [8, ...starts].sort((a, b) => a - b) // the schema comes first
}

function requireField(field: FlatTable): void {
  field.list(0, 1) // its name
  field.tables(5).forEach(requireField)
  requirePairs(field, 6)
  const type = field.byte(2)
  if (type === 10) field.table(3).list(1, 1) // a time zone
  if (type === 14) field.table(3).list(1, 4) // the types of a union
}

function requirePairs(table: FlatTable, slot: number): void {
  for (const pair of table.tables(slot)) for (const side of [0, 1]) pair.list(side, 1)
}

function countsIn(view: DataView, batch: FlatTable): Pick<ArrowHeader, 'nodes' | 'buffers' | 'viewBuffers'> {
  const views = batch.list(4, 8)
  const counts = Array.from({ length: views.count }, (_, k) => Number(view.getBigInt64(views.start + 8 * k, true)))
  if (counts.some((count) => count < 0)) throw new RangeError('less than no buffers')
  const viewBuffers = counts.reduce((sum, count) => sum + count, 0)
  return { nodes: batch.list(1, 16).count, buffers: batch.list(2, 16).count, viewBuffers }
}

/** The entries of a dictionary are made at once, so their number had better be right. It is there twice. */
function requireLength(view: DataView, dictionary: FlatTable): void {
  const { start, count } = dictionary.list(1, 16)
  const entries = count === 0 ? 0n : view.getBigInt64(start, true)
  if (entries !== dictionary.long(0)) throw new RangeError(`${entries} entries of ${dictionary.long(0)}`)
}

/** A table of a flatbuffer, its fields by slot. Whatever points outside the bytes throws a RangeError, as a DataView does. */
interface FlatTable {
  /** A number of one or eight bytes; 0 where it is not set. */
  byte(slot: number): number
  long(slot: number): bigint
  /** A table inside; empty where it is not set. */
  table(slot: number): FlatTable
  tables(slot: number): FlatTable[]
  /** Where a list begins and how many items it has, each of so many bytes. */
  list(slot: number, itemSize: number): { readonly start: number; readonly count: number }
}

const flatbuffer = (view: DataView): FlatTable => tableAt(view, view.getUint32(0, true))

/** Offsets only point forwards, so that going into tables ends. */
function tableAt(view: DataView, table: number): FlatTable {
  const slots = table - view.getInt32(table, true)
  const size = view.getUint16(slots, true)
  const place = (slot: number): number | undefined => {
    const offset = 4 + 2 * slot < size ? view.getUint16(slots + 4 + 2 * slot, true) : 0
    return offset === 0 ? undefined : table + offset
  }
  const list = (slot: number, itemSize: number) => {
    const at = place(slot)
    if (at === undefined) return { start: 0, count: 0 }
    const start = at + view.getUint32(at, true) + 4
    const count = view.getUint32(start - 4, true)
    if (start + count * itemSize > view.byteLength) throw new RangeError(`${count} items of ${itemSize} bytes at ${start}`)
    return { start, count }
  }
  const tableIn = (at: number) => tableAt(view, at + view.getUint32(at, true))
  return {
    list,
    byte: (slot) => (place(slot) === undefined ? 0 : view.getUint8(place(slot)!)),
    long: (slot) => (place(slot) === undefined ? 0n : view.getBigInt64(place(slot)!, true)),
    table: (slot) => (place(slot) === undefined ? nothing : tableIn(place(slot)!)),
    tables(slot) {
      const { start, count } = list(slot, 4)
      return Array.from({ length: count }, (_, k) => tableIn(start + 4 * k))
    },
  }
}

const nothing: FlatTable = {
  byte: () => 0,
  long: () => 0n,
  table: () => nothing,
  tables: () => [],
  list: () => ({ start: 0, count: 0 }),
}
