import { dense, type FeatureRows } from '../../core/features.ts'
import { readAll } from './whole-file.ts'

const ahead = 2 ** 20 // bytes that are read at once by those who go from row to row

/**
 * Dense features that stay in a file and are read when asked for: some rows here and there, or all of them in order. `start` is where the
 * numbers begin in the file.
 */
export function rowsOnFile(file: number, start: number, rows: number, columns: number): FeatureRows {
  const values = new Float32Array(Math.ceil(ahead / (4 * columns)) * columns)
  let first = 0 // rows first … next − 1 are at hand
  let next = 0

  /** Where a row begins in the values at hand. Rows in order are read ahead; others one by one. */
  function at(row: number): number {
    if (row < first || row >= next) {
      const length = row === next ? Math.min(values.length / columns, rows - row) : 1
      readAll(file, values.subarray(0, length * columns), start + 4 * row * columns)
      first = row
      next = row + length
    }
    return (row - first) * columns
  }

  return {
    rows,
    columns,
    dot(row, vector) {
      const from = at(row)
      let sum = 0
      for (let j = 0; j < columns; j++) sum += values[from + j]! * vector[j]!
      return sum
    },
    addInPlace(row, factor, vector) {
      const from = at(row)
      for (let j = 0; j < columns; j++) vector[j]! += factor * values[from + j]!
    },
    select(chosen) {
      const copy = new Float32Array(chosen.length * columns)
      for (const [k, row] of chosen.entries())
        readAll(file, copy.subarray(k * columns, (k + 1) * columns), start + 4 * row * columns)
      return dense(copy, columns)
    },
  }
}
