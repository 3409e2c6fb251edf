/** A table of a flatbuffer, its fields by slot. Whatever points outside the bytes throws a RangeError, as a DataView does. */
export interface FlatTable {
  /** A number of one or eight bytes; 0 where it is not set. */
  byte(slot: number): number
  long(slot: number): bigint
  /** A table inside; empty where it is not set. */
  table(slot: number): FlatTable
  tables(slot: number): FlatTable[]
  /** Where a list begins and how many items it has, each of so many bytes. */
  list(slot: number, itemSize: number): { readonly start: number; readonly count: number }
}

export const flatbuffer = (view: DataView): FlatTable => tableAt(view, view.getUint32(0, true))

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
