import type { DuckDBListVector, DuckDBVector } from '@duckdb/node-api'

/**
 * The numbers of a vector that has no NULL, without a call for each: reading a file then takes little more than half the time. They
 * lie in DuckDB's memory: copy what is to stay. The types of @duckdb/node-api hide them, so this is checked.
 */
export function itemsOf(vector: DuckDBVector): Float32Array | Float64Array {
  const { items } = vector as unknown as { items?: unknown }
  if (items instanceof Float32Array || items instanceof Float64Array) return items
  throw new Error(`expected a vector of numbers, got ${vector.type}`)
}

/** Lists of the same length, one after another. */
export function listsOf(vector: DuckDBVector, width: number): Float32Array {
  if (!isOfLists(vector)) throw new Error(`expected a vector of lists, got ${vector.type}`)
  const items = itemsOf(vector.childVector)
  const values = new Float32Array(vector.itemCount * width)
  for (let i = 0; i < vector.itemCount; i++) {
    const start = vector.getEntryOffset(i)
    values.set(items.subarray(start, start + width), i * width)
  }
  return values
}

const isOfLists = (vector: DuckDBVector): vector is DuckDBListVector => 'childVector' in vector && 'getEntryOffset' in vector
