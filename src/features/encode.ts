import { dense, type FeatureRows, sparse } from '../core/features.ts'
import { type NumberPart, type Recipe, type VectorPart, widthOf } from './recipe.ts'

/** Takes the features of a row; those not put are 0. */
export interface Sink {
  put(feature: number, value: number): void
  /** The first `size` of both lists. */
  putAll(features: Int32Array, values: Float64Array, size: number): void
}

export type Encoder = (row: number, sink: Sink) => void

/** Numbers laid out in rows: the first of row i is values[i · stride + at]. */
export interface Numbers {
  readonly values: Float32Array
  readonly stride: number
  readonly at: number
}

/** Where the features of each part begin. */
export function startsOf({ parts }: Recipe): number[] {
  let next = 0
  return parts.map((part) => {
    const start = next
    next += widthOf(part)
    return start
  })
}

/** A number is a vector of one. */
export function numericEncoder(part: NumberPart | VectorPart, start: number, { values, stride, at }: Numbers): Encoder {
  const { scale, indicator } = part
  const centre = Float64Array.from(part.kind === 'number' ? [part.mean] : part.means)
  const width = centre.length
  return (row, sink) => {
    const from = row * stride + at
    const isMissing = Number.isNaN(values[from])
    if (isMissing && indicator) sink.put(start + width, 1)
    if (!isMissing) for (let j = 0; j < width; j++) sink.put(start + j, (values[from + j]! - centre[j]!) * scale)
  }
}

/** The number of a row says which feature of the part is 1. */
export function categoryEncoder(start: number, { values, stride, at }: Numbers): Encoder {
  return (row, sink) => sink.put(start + values[row * stride + at]!, 1)
}

/**
 * Rows of features in `into`, one after another. It may be the array that the encoders read from, if a row of features takes no
 * more room than what they read: a row is read to its end before it is written.
 */
export function denseRows(encoders: readonly Encoder[], rows: number, width: number, into: Float32Array): FeatureRows {
  const features = new Float32Array(width)
  const sink: Sink = {
    put(feature, value) {
      features[feature] = value
    },
    putAll(chosen, values, size) {
      for (let k = 0; k < size; k++) features[chosen[k]!] = values[k]!
    },
  }
  for (let row = 0; row < rows; row++) {
    features.fill(0)
    for (const encode of encoders) encode(row, sink)
    into.set(features, row * width)
  }
  return dense(into.subarray(0, rows * width), width)
}

/** Rows of features with the zeros left out; best told beforehand how many entries to make room for. */
export function sparseRows(encoders: readonly Encoder[], rows: number, width: number, room: number): FeatureRows {
  const starts = new Uint32Array(rows + 1)
  let indices = new Uint32Array(room)
  let values = new Float32Array(room)
  let size = 0
  const makeRoom = (more: number) => {
    if (size + more <= values.length) return
    const [oldIndices, oldValues] = [indices, values]
    indices = new Uint32Array(2 * (size + more))
    values = new Float32Array(2 * (size + more))
    indices.set(oldIndices)
    values.set(oldValues)
  }
  const sink: Sink = {
    put(feature, value) {
      makeRoom(1)
      indices[size] = feature
      values[size] = value
      if (values[size] !== 0) size++ // a zero is written over by the next
    },
    putAll(chosen, given, count) {
      makeRoom(count)
      copyInPlace(chosen, given, count, indices, values, size)
      size += count
    },
  }
  for (let row = 0; row < rows; row++) {
    for (const encode of encoders) encode(row, sink)
    starts[row + 1] = size
  }
  return sparse({ starts, indices: indices.subarray(0, size), values: values.subarray(0, size) }, width)
}

function copyInPlace(
  features: Int32Array,
  from: Float64Array,
  count: number,
  indices: Uint32Array,
  values: Float32Array,
  at: number,
): void {
  for (let k = 0; k < count; k++) {
    indices[at + k] = features[k]!
    values[at + k] = from[k]!
  }
}
