import { join } from 'node:path'
import type { PointHashes } from '../../core/randomness.ts'
import { readWhole, writeWhole } from './whole-file.ts'

// The order of a project's points, and the hashes of their ids in that order, in `pool/order.bin`: to hash a million ids and sort them takes a second.

const fileIn = (folder: string) => join(folder, 'order.bin')
const version = 1

/** Rows that are put in order in no time. */
const fewest = 2 ** 16

/** Rows in canonical order, with the hashes of their ids. */
interface KnownOrder {
  readonly order: readonly number[]
  readonly hashes: PointHashes
}

interface OrderHeader {
  readonly version: number
  /** Of what the order depends on: the file, and which column has the ids. */
  readonly key: string
  readonly rows: number
}

/** Writes it down, unless the rows are few. */
export function keepOrder(folder: string, key: string, { order, hashes }: KnownOrder, least = fewest): void {
  if (order.length < least) return
  const header: OrderHeader = { version, key, rows: order.length }
  writeWhole(fileIn(folder), header, [Uint32Array.from(order), bitsOf(hashes.low), bitsOf(hashes.high)])
}

const bitsOf = ({ buffer, byteOffset, length }: Int32Array) => new Uint32Array(buffer, byteOffset, length)

/** What was written down under this key, if it is there and whole. */
export function readOrder(folder: string, key: string): KnownOrder | undefined {
  return readWhole<KnownOrder, OrderHeader>(fileIn(folder), ({ header, size, read }) => {
    const { rows } = header
    if (header.version !== version || header.key !== key || size !== 12 * rows) return undefined
    const part = (k: number) => {
      const numbers = new Int32Array(rows)
      read(bitsOf(numbers), 4 * rows * k)
      return numbers
    }
    return { value: { order: Array.from(part(0)), hashes: { low: part(1), high: part(2) } } }
  })
}
