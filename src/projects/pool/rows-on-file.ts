import { dense, type FeatureRows } from '../../core/features.ts'
import { readAll } from './whole-file.ts'

const ahead = 2 ** 20 // bytes that are read at once by those who go from row to row

/**
 * Dense features that stay in a file and are read when asked for: some rows here and there, or all of them in order. `start` is where the
 * numbers begin in the file.
 */
export function rowsOnFile(file: number, start: number, rows: number, columns: number): FeatureRows {
  const room = Math.max(1, Math.floor(ahead / (4 * columns)))
  let first = 0
  let block = dense(new Float32Array(0), columns)

  /** Rows in order come from a block that is read ahead; others one by one. */
  function at(row: number): [FeatureRows, number] {
    if (row >= first && row < first + block.rows) return [block, row - first]
    const length = row === first + block.rows ? Math.min(room, rows - row) : 1
    const values = new Float32Array(length * columns)
    readAll(file, values, start + 4 * row * columns)
    first = row
    block = dense(values, columns)
    return [block, 0]
  }

  return {
    rows,
    columns,
    dot(row, vector) {
      const [own, k] = at(row)
      return own.dot(k, vector)
    },
    addInPlace(row, factor, vector) {
      const [own, k] = at(row)
      own.addInPlace(k, factor, vector)
    },
    select(chosen) {
      const values = new Float32Array(chosen.length * columns)
      for (const [k, row] of chosen.entries())
        readAll(file, values.subarray(k * columns, (k + 1) * columns), start + 4 * row * columns)
      return dense(values, columns)
    },
  }
}
