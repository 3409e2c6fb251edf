import { requireInput } from './errors.ts'

/** Rows of features, dense or sparse. Learners and engines need two operations only: project a row, and add it up. */
export interface FeatureRows {
  readonly rows: number
  readonly columns: number
  /** Σⱼ xᵢⱼ vⱼ */
  dot(row: number, vector: Float64Array): number
  /** v ← v + factor · xᵢ */
  addInPlace(row: number, factor: number, vector: Float64Array): void
  /** The given rows, in the given order, as rows of their own. */
  select(rows: readonly number[]): FeatureRows
  /** How they lie in memory, where they do: for kernels that work on whole columns. */
  readonly layout?: Layout
  /** All rows at once, where an engine is faster at that than row by row. */
  readonly algebra?: RowAlgebra
  /** Makes an engine as fast at other rows, made of these. */
  readonly quicken?: (made: FeatureRows) => FeatureRows
}

/**
 * The intercept is the weight of one more column that always holds 10: b = 10·v gives the penalty v² = b²/100, so an
 * ordinary ridge on all parameters (β, v) is exactly the penalty ‖β‖² + b²/100.
 */
export const INTERCEPT_COLUMN = 10

/** What learners do with all rows, each followed by the intercept's column: vectors have one entry more than there are columns. */
export interface RowAlgebra {
  /** scores[iK + k] ← xᵢ·vₖ  for K vectors */
  project(vectors: readonly Float64Array[], scores: Float64Array): void
  /** vₖ ← vₖ + Σᵢ factors[iK + k] · xᵢ */
  addInPlace(factors: Float64Array, vectors: readonly Float64Array[]): void
  /** The map  bent ← Aᵀ φ″ A · vectors  for A the rows; to the precision of 32-bit floats. Where that is faster than the two above. */
  bend?(curvatures: RowCurvatures): (vectors: readonly Float64Array[], bent: readonly Float64Array[]) => void
  /** The map  vₖ ← (Σᵢ weightsₖᵢ xᵢxᵢᵀ + λI)⁻¹ vₖ  for each k; the sums to the precision of 32-bit floats. Where rows are dense. */
  solver?(weights: readonly Float64Array[], l2: number): (vectors: readonly Float64Array[]) => void
}

/** How a loss of K scores a row bends: φ″d is, row by row,  ownₖ (dₖ − Σⱼ sharesⱼ dⱼ),  with the numbers of a row side by side. */
export interface RowCurvatures {
  readonly own: Float64Array
  /** All 0, if left out. */
  readonly shares?: Float64Array
}

type Floats = Float32Array | Float64Array

/** Row by row, or with the zeros left out. */
export type Layout = { readonly kind: 'dense'; readonly values: Floats } | ({ readonly kind: 'sparse' } & SparseColumns)

/** Features laid out row by row. */
export function dense(values: Floats, columns: number): FeatureRows {
  requireInput(
    columns > 0 && values.length % columns === 0,
    `dense: values must fill whole rows of ${columns} columns, got ${values.length}`,
  )
  return {
    rows: values.length / columns,
    columns,
    layout: { kind: 'dense', values },
    dot(row, vector) {
      const start = row * columns
      let sum = 0
      for (let j = 0; j < columns; j++) sum += values[start + j]! * vector[j]!
      return sum
    },
    addInPlace(row, factor, vector) {
      const start = row * columns
      for (let j = 0; j < columns; j++) vector[j]! += factor * values[start + j]!
    },
    select(rows) {
      const length = rows.length * columns
      const chosen = values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length)
      for (const [k, row] of rows.entries()) chosen.set(values.subarray(row * columns, (row + 1) * columns), k * columns)
      return dense(chosen, columns)
    },
  }
}

const sound = new WeakSet<object>()

/** Refuses features that nothing could be computed with, by the first row that has one. Rows that were looked at are not looked at again. */
export function requireFeatures(features: FeatureRows): void {
  const { layout, rows, columns } = features
  if (!layout || sound.has(layout.values)) return
  const { values } = layout
  let bad = 0
  while (bad < values.length && Number.isFinite(values[bad]!)) bad++
  if (bad < values.length) {
    const row = layout.kind === 'dense' ? Math.floor(bad / columns) : layout.starts.findIndex((start) => start > bad) - 1
    requireInput(false, `features: finite numbers are required, got ${values[bad]} in row ${row} of ${rows}`)
  }
  if (layout.kind === 'sparse') requireColumns(layout, columns)
  sound.add(values)
}

function requireColumns({ starts, indices }: SparseColumns, columns: number): void {
  const bad = indices.findIndex((column) => column >= columns)
  requireInput(bad < 0, `features: columns below ${columns} are required, got ${indices[bad]} in entry ${bad}`)
  const turned = starts.findIndex((start, row) => row > 0 && start < starts[row - 1]!)
  requireInput(turned < 0, `features: starts that do not fall are required, got ${starts[turned]} after ${starts[turned - 1]}`)
}

/** Compressed sparse rows: row i holds entries starts[i] … starts[i+1]−1. */
export interface SparseColumns {
  readonly starts: Uint32Array
  readonly indices: Uint32Array
  readonly values: Floats
}

export function sparse({ starts, indices, values }: SparseColumns, columns: number): FeatureRows {
  requireInput(
    starts.length > 0 && starts.at(-1) === indices.length && indices.length === values.length,
    `sparse: starts must end at the number of entries ${indices.length}, got ${starts.at(-1)} with ${values.length} values`,
  )
  return {
    rows: starts.length - 1,
    columns,
    layout: { kind: 'sparse', starts, indices, values },
    dot(row, vector) {
      let sum = 0
      for (let k = starts[row]!; k < starts[row + 1]!; k++) sum += values[k]! * vector[indices[k]!]!
      return sum
    },
    addInPlace(row, factor, vector) {
      for (let k = starts[row]!; k < starts[row + 1]!; k++) vector[indices[k]!]! += factor * values[k]!
    },
    select(rows) {
      const chosen = rows.map((row) => ({ indices, values, start: starts[row]!, end: starts[row + 1]! }))
      return packed(chosen, columns, values instanceof Float64Array ? Float64Array : Float32Array)
    },
  }
}

/** Some rows of others under a numbering of their own, without copying. */
export function selected(features: FeatureRows, rows: ArrayLike<number>): FeatureRows {
  return {
    rows: rows.length,
    columns: features.columns,
    dot: (row, vector) => features.dot(rows[row]!, vector),
    addInPlace: (row, factor, vector) => features.addInPlace(rows[row]!, factor, vector),
    select: (chosen) => features.select(chosen.map((row) => rows[row]!)),
  }
}

/** The first columns of every row, as rows of their own. */
export function leadingColumns(features: FeatureRows, columns: number): FeatureRows {
  if (columns === features.columns) return features
  const whole = new Float64Array(features.columns)
  const values = new Float32Array(features.rows * columns)
  for (let row = 0; row < features.rows; row++) {
    whole.fill(0)
    features.addInPlace(row, 1, whole)
    values.set(whole.subarray(0, columns), row * columns)
  }
  return quickened(dense(values, columns), features)
}

const quickened = (made: FeatureRows, { quicken }: FeatureRows) => quicken?.(made) ?? made

/** The columns in which sparse rows have entries, in order, and the rows in these alone. */
export function usedColumns(features: FeatureRows, layout: SparseColumns): { used: Uint32Array; features: FeatureRows } {
  const { starts, indices, values } = layout
  const places = new Int32Array(features.columns)
  for (let at = 0; at < indices.length; at++) places[indices[at]!] = 1
  const used = Uint32Array.from(places.keys()).filter((column) => places[column] === 1)
  for (let k = 0; k < used.length; k++) places[used[k]!] = k
  const own = { starts, indices: indices.map((column) => places[column]!), values }
  return { used, features: quickened(sparse(own, used.length), features) }
}

/** ‖xᵢ‖². `room`: zeros, as wide as a row; zeros again afterwards. */
export function squaredNorm(features: FeatureRows, row: number, room: Float64Array): number {
  features.addInPlace(row, 1, room)
  const norm = features.dot(row, room)
  features.addInPlace(row, -1, room) // back to 0, at the cost of the row's own entries
  return norm
}

/** ‖xᵢ‖² of every row. */
export function squaredNorms(features: FeatureRows): Float64Array {
  const room = new Float64Array(features.columns)
  return new Float64Array(features.rows).map((_, row) => squaredNorm(features, row, room))
}

/** Where a row is to be found: a block of rows, and the row in it. */
export interface RowAddress {
  readonly block: FeatureRows
  readonly row: number
}

/** Rows from several blocks of the same width, under one numbering. */
export function gathered(addresses: readonly RowAddress[], columns: number): FeatureRows {
  const at = (row: number) => addresses[row]!
  return {
    rows: addresses.length,
    columns,
    dot: (row, vector) => at(row).block.dot(at(row).row, vector),
    addInPlace: (row, factor, vector) => at(row).block.addInPlace(at(row).row, factor, vector),
    select: (rows) => gathered(rows.map(at), columns),
  }
}

/** The same as rows of their own, in one piece of 32-bit floats. The blocks lie in memory, all of them the same way. */
export function compact(addresses: readonly RowAddress[], columns: number): FeatureRows {
  const isSparse = addresses[0]?.block.layout?.kind === 'sparse'
  return isSparse ? compactSparse(addresses, columns) : compactDense(addresses, columns)
}

function compactDense(addresses: readonly RowAddress[], columns: number): FeatureRows {
  const values = new Float32Array(addresses.length * columns)
  for (const [k, { block, row }] of addresses.entries())
    values.set(block.layout!.values.subarray(row * columns, (row + 1) * columns), k * columns)
  return dense(values, columns)
}

function compactSparse(addresses: readonly RowAddress[], columns: number): FeatureRows {
  const rows = addresses.flatMap(({ block: { layout }, row }) =>
    layout?.kind === 'sparse' ? { ...layout, start: layout.starts[row]!, end: layout.starts[row + 1]! } : [],
  )
  return packed(rows, columns, Float32Array)
}

/** Sparse rows, wherever each lies, in one piece. */
function packed(
  rows: readonly (Omit<SparseColumns, 'starts'> & { readonly start: number; readonly end: number })[],
  columns: number,
  Values: Float32ArrayConstructor | Float64ArrayConstructor,
): FeatureRows {
  const starts = new Uint32Array(rows.length + 1)
  for (const [k, { start, end }] of rows.entries()) starts[k + 1] = starts[k]! + end - start
  const indices = new Uint32Array(starts.at(-1)!)
  const values = new Values(indices.length)
  for (const [k, { start, end, ...from }] of rows.entries()) {
    indices.set(from.indices.subarray(start, end), starts[k])
    values.set(from.values.subarray(start, end), starts[k])
  }
  return sparse({ starts, indices, values }, columns)
}
