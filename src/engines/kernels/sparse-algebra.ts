import { INTERCEPT_COLUMN, type RowAlgebra, type SparseColumns } from '../../core/features.ts'
import { aligned, firstPlace, learnerWorkspace, makeRoom } from './learner-workspace.ts'

/** Vectors that kernels go through side by side, at most. */
const mostSideBySide = 8

/** Ways to go through all rows of which the zeros are left out. */
export function sparseAlgebra(layout: SparseColumns, columns: number): RowAlgebra {
  const rows = withIntercepts(layout, columns)
  return {
    project(vectors, scores) {
      for (const { some, first } of groupsOf(vectors)) {
        const { kernels, doubles, given, width } = ready(rows, some.length)
        interleave(some, doubles(given.vectors, rows.columns * width), width)
        kernels.projectSparse({ ...given, out: given.scores })
        const own = doubles(given.scores, rows.count * width)
        for (let i = 0; i < rows.count; i++)
          for (let k = 0; k < some.length; k++) scores[i * vectors.length + first + k] = own[i * width + k]!
      }
    },
    addInPlace(factors, vectors) {
      for (const { some, first } of groupsOf(vectors)) {
        const { kernels, doubles, given, width } = ready(rows, some.length)
        const sums = doubles(given.vectors, rows.columns * width).fill(0)
        const own = doubles(given.scores, rows.count * width)
        for (let i = 0; i < rows.count; i++)
          for (let k = 0; k < some.length; k++) own[i * width + k] = factors[i * vectors.length + first + k]!
        kernels.addRowsSparse({ ...given, factors: given.scores })
        for (let k = 0; k < some.length; k++) {
          const vector = some[k]!
          for (let j = 0, at = k; j < vector.length; j++, at += width) vector[j]! += sums[at]!
        }
      }
    },
  }
}

/** So few of the vectors that they fit side by side, and which is the first of them. */
function groupsOf(vectors: readonly Float64Array[]) {
  const groups = Math.ceil(vectors.length / mostSideBySide)
  return Array.from({ length: groups }, (_, g) => {
    const first = g * mostSideBySide
    return { some: vectors.slice(first, first + mostSideBySide), first }
  })
}

/** The vectors side by side, `width` numbers a column. */
function interleave(vectors: readonly Float64Array[], into: Float64Array, width: number): void {
  for (let k = 0; k < vectors.length; k++) {
    const vector = vectors[k]!
    for (let j = 0, at = k; j < vector.length; j++, at += width) into[at] = vector[j]!
  }
}

type RowsWithIntercepts = ReturnType<typeof withIntercepts>

/** The rows with the intercept's column behind the others, and where they lie for kernels. */
function withIntercepts({ starts, indices, values }: SparseColumns, columns: number) {
  const count = starts.length - 1
  const own = {
    starts: starts.map((start, i) => start + i),
    indices: new Uint32Array(indices.length + count),
    values: new Float32Array(indices.length + count),
  }
  for (let i = 0; i < count; i++) {
    const [from, to] = [starts[i]!, starts[i + 1]!]
    own.indices.set(indices.subarray(from, to), from + i)
    own.values.set(values.subarray(from, to), from + i)
    own.indices[to + i] = columns
    own.values[to + i] = INTERCEPT_COLUMN
  }
  const startsAt = firstPlace
  const indicesAt = aligned(startsAt + 4 * own.starts.length)
  const valuesAt = aligned(indicesAt + 4 * own.indices.length)
  const vectors = aligned(valuesAt + 4 * own.values.length)
  return { ...own, count, columns: columns + 1, places: { starts: startsAt, indices: indicesAt, values: valuesAt, vectors } }
}

/** The memory with these rows in it and room for so many vectors and columns of scores, and what kernels are called with. */
function ready(rows: RowsWithIntercepts, count: number) {
  const own = learnerWorkspace()
  const { memory, kernels } = own
  const pairs = Math.ceil(count / 2)
  const width = 2 * pairs
  const scores = aligned(rows.places.vectors + 8 * rows.columns * width)
  makeRoom(memory, scores + 8 * rows.count * width)
  if (own.rows !== rows) {
    new Uint32Array(memory.buffer, rows.places.starts, rows.starts.length).set(rows.starts)
    new Uint32Array(memory.buffer, rows.places.indices, rows.indices.length).set(rows.indices)
    new Float32Array(memory.buffer, rows.places.values, rows.values.length).set(rows.values)
    own.rows = rows
    own.factors = undefined
  }
  const doubles = (at: number, length: number) => new Float64Array(memory.buffer, at, length)
  return { kernels, doubles, width, given: { ...rows.places, rows: rows.count, stride: 8 * width, pairs, scores } }
}
