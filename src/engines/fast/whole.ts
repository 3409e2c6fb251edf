import type { FeatureRows, WholeRows } from '../../core/features.ts'
import { type Kernels, kernelsOn, portableBuild } from './kernels.ts'
import { Memory, type SharedMemory } from './webassembly.ts'

const page = 65536
const smallest = 2 ** 14 // numbers; fewer are gone through in no time

/** One memory for all learners of a process: they fit one model after the other. */
let desk: { readonly memory: SharedMemory; readonly kernels: Kernels; holds: Float32Array | undefined } | undefined

/** The rows with ways to go through all of them at once, if there are many and they lie in memory row by row. */
export function withWhole(features: FeatureRows): FeatureRows {
  const { layout, rows, columns } = features
  if (!portableBuild || layout?.kind !== 'dense' || !(layout.values instanceof Float32Array)) return features
  return layout.values.length < smallest ? features : { ...features, whole: wholeRows(layout.values, rows, columns) }
}

function wholeRows(values: Float32Array, rows: number, columns: number): WholeRows {
  const padded = Math.ceil(rows / 4) * 4 // the rows added are zeros
  const width = Math.ceil(columns / 4) * 4
  const places = { features: 1024, vector: 0, column: 0, matrix: 0 }
  places.vector = aligned(places.features + 4 * padded * columns + 64)
  places.column = aligned(places.vector + 8 * columns)

  /** The desk with these rows on it. */
  function ready(count = 1, hasMatrix = false) {
    places.matrix = aligned(places.column + 8 * padded * count)
    const end = places.matrix + (hasMatrix ? 4 * columns * width + 64 : 0)
    desk ??= newDesk()
    const { memory, kernels } = desk
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / page))
    if (desk.holds !== values) {
      const room = new Float32Array(memory.buffer, places.features, padded * columns)
      room.set(values)
      room.fill(0, values.length)
      desk.holds = values
    }
    const doubles = (at: number, length: number) => new Float64Array(memory.buffer, at, length)
    return { memory, kernels, vector: doubles(places.vector, columns), column: doubles(places.column, rows * count) }
  }

  return {
    project(vectors, scores) {
      const count = vectors.length
      const { kernels, vector, column } = ready(count)
      const none = 0 // bytes at the start of the memory, which are never written: an intercept of 0
      for (const [k, own] of vectors.entries()) {
        vector.set(own.subarray(0, columns))
        const { features, vector: from, column: to } = places
        kernels.scoreDense(features, rows, columns, from, none, 1, to)
        if (count === 1) scores.set(column)
        else for (let i = 0; i < rows; i++) scores[i * count + k] = column[i]!
      }
    },
    addInPlace(factors, vectors) {
      const count = vectors.length
      const { kernels, vector, column } = ready(count)
      column.set(factors)
      for (const [k, own] of vectors.entries()) {
        vector.set(own.subarray(0, columns))
        kernels.addRows(places.features, rows, columns, places.column + 8 * k, 8 * count, places.vector)
        own.set(vector)
      }
    },
    writeSquares(weights, matrix, size) {
      const { memory, kernels } = ready(1, true)
      const own = new Float32Array(memory.buffer, places.column, padded)
      own.set(weights)
      own.fill(0, rows)
      const sums = new Float32Array(memory.buffer, places.matrix, columns * width)
      sums.fill(0)
      kernels.squares(places.features, padded, columns, places.column, places.matrix, width)
      for (let j = 0; j < columns; j++) for (let k = 0; k <= j; k++) matrix[j * size + k] = sums[j * width + k]!
    },
  }
}

const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64

function newDesk() {
  const memory = new Memory({ initial: 1, maximum: 65536, shared: true })
  return { memory, kernels: kernelsOn(portableBuild!.module, memory), holds: undefined }
}
