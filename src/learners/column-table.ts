import { requireInput } from '../core/errors.ts'
import type { TrainingSet } from './learner.ts'

/** Labelled rows in an order of their own, whatever the order they came in: equal ones with the same label are one, with all of their weight. */
export interface ColumnTable {
  readonly rows: number
  readonly columns: number
  /** Column by column. */
  readonly values: Float64Array
  readonly labels: Int32Array
  readonly weights: Float64Array
}

/** Numbers that fit into memory without a thought. */
const mostNumbers = 2 ** 27

export function columnTable({ features, labels, weights }: TrainingSet): ColumnTable {
  const { rows, columns } = features
  requireInput(
    rows * columns <= mostNumbers,
    `trees: at most ${mostNumbers} numbers to learn from are possible, got ${rows} labels with ${columns} features each`,
    'Use --learner linear for texts.',
  )
  const wide = new Float64Array(rows * columns)
  for (let i = 0; i < rows; i++) features.addInPlace(i, 1, wide.subarray(i * columns, (i + 1) * columns))
  const compare = (a: number, b: number) => {
    for (let j = 0; j < columns; j++) {
      const difference = wide[a * columns + j]! - wide[b * columns + j]!
      if (difference !== 0) return difference
    }
    return labels[a]! - labels[b]!
  }
  const order = Array.from(labels.keys())
    .filter((i) => weights[i]! > 0)
    .sort((a, b) => compare(a, b) || weights[a]! - weights[b]!)
  const firsts = order.filter((row, k) => k === 0 || compare(order[k - 1]!, row) !== 0)
  const table = {
    rows: firsts.length,
    columns,
    values: new Float64Array(firsts.length * columns),
    labels: Int32Array.from(firsts, (row) => labels[row]!),
    weights: new Float64Array(firsts.length),
  }
  for (const [k, row] of firsts.entries())
    for (let j = 0; j < columns; j++) table.values[j * table.rows + k] = wide[row * columns + j]!
  let last = -1
  for (const row of order) {
    if (row === firsts[last + 1]) last++
    table.weights[last]! += weights[row]!
  }
  return table
}
