import { dense, type FeatureRows, type Layout, sparse } from '../../core/features.ts'
import type { PointHashes } from '../../core/randomness.ts'
import { Memory, type SharedMemory } from './webassembly.ts'

/** Points from which on all this pays. */
export const smallestPool = 256

/** Rows that a thread takes at a time; slabs hold whole chunks, but for the last. */
export const chunkRows = 4096

/**
 * A part of the pool in a memory of its own that all threads share: features, and the hashes of the ids. A memory has at most 4 GiB, a
 * pool as many slabs as it needs. What lies behind the columns is lent out to engines.
 */
export interface Slab {
  readonly memory: SharedMemory
  readonly first: number
  readonly rows: number
  readonly form: Form
  /** Where the halves of the hashes of the ids begin: 32 bits each. */
  readonly hashes: { readonly low: number; readonly high: number }
}

/** How the features of a slab lie: where each of their columns begins, in bytes. */
export type Form =
  | { readonly kind: 'floats'; readonly columns: number; readonly features: number }
  | { readonly kind: 'bytes'; readonly columns: number; readonly features: number; readonly stride: number }
  | {
      readonly kind: 'sparse'
      readonly columns: number
      readonly starts: number
      readonly indices: number
      readonly values: number
    }

/** How bytes stand for numbers: x = centre + scale · byte, column by column. */
export interface ByteScales {
  readonly centres: Float64Array
  readonly scales: Float64Array
}

const page = 65536
/** What a memory can have, but for a sixth: room for the engines that work on it. */
const mostBytes = (5 / 6) * 65536 * page

/** A slab of some rows: `formAt` asks for room for their features, and `fill` writes them. */
function newSlab<Own extends Form>(
  { first, rows }: Pick<Slab, 'first' | 'rows'>,
  { low, high }: PointHashes,
  formAt: (place: (bytes: number) => number) => Own,
  fill: (memory: SharedMemory, form: Own) => void,
): Slab {
  let next = 1024
  const place = (bytes: number) => {
    const at = next
    next = Math.ceil((at + bytes + 16) / 64) * 64 // kernels may look a little past the end
    return at
  }
  const form = formAt(place)
  const slab = { first, rows, form, hashes: { low: place(4 * rows), high: place(4 * rows) } }
  const memory = new Memory({ initial: Math.ceil(next / page), maximum: 65536, shared: true })
  fill(memory, form)
  const own = hashesAt(memory, slab)
  own.low.set(low.subarray(first, first + rows))
  own.high.set(high.subarray(first, first + rows))
  return { memory, ...slab }
}

const known = new WeakMap<FeatureRows, readonly Slab[]>()

/**
 * Features in slabs of at most so many bytes, as 32-bit floats; those they lie in, if they do already. Undefined for features that are
 * not in memory as such.
 */
export function floatSlabs(features: FeatureRows, hashes: PointHashes, most = mostBytes): readonly Slab[] | undefined {
  const { layout, columns } = features
  const found = known.get(features)
  if (found || !(layout?.values instanceof Float32Array)) return found
  if (layout.kind === 'sparse') return sparseSlabs(layout, columns, hashes)
  const { values } = layout
  return denseSlabs(
    (into, first) => into.set(values.subarray(first * columns, first * columns + into.length)),
    columns,
    hashes,
    most,
  )
}

/** The same features in slabs, for engines to work on where they lie; the others can then be forgotten. */
export function inSlabs(features: FeatureRows, hashes: PointHashes, most = mostBytes): FeatureRows {
  if (features.rows < smallestPool) return features
  const slabs = floatSlabs(features, hashes, most)
  const rows = slabs && rowsOfSlabs(slabs)
  if (!rows) return features
  known.set(rows, slabs)
  return rows
}

/** Points that a slab may have, or the sums of src/engines/kernels/assembly/tally.ts might not fit. */
const mostRows = 2 ** 24

/** How many rows of so many bytes fit, in whole chunks. */
function rowsThatFit(bytesPerRow: number, most: number): number {
  return Math.min(mostRows, Math.max(1, Math.floor(most / bytesPerRow / chunkRows)) * chunkRows)
}

/** Writes the features of rows from `first` on, as many as there is room for. */
export type Fill = (into: Float32Array, first: number) => void

/** Dense features in slabs, written to where they will lie. */
export function filledSlabs(columns: number, hashes: PointHashes, fill: Fill, most = mostBytes): FeatureRows {
  const slabs = denseSlabs(fill, columns, hashes, most)
  const rows = rowsOfSlabs(slabs)!
  known.set(rows, slabs)
  return rows
}

function denseSlabs(fill: Fill, columns: number, hashes: PointHashes, most: number): readonly Slab[] {
  return cut(hashes.low.length, rowsThatFit(4 * columns + 8, most)).map(({ first, rows }) =>
    newSlab(
      { first, rows },
      hashes,
      (place) => ({ kind: 'floats', columns, features: place(4 * rows * columns) }),
      (memory, { features }) => fill(floatsAt(memory, features, rows * columns), first),
    ),
  )
}

/** The numbers of dense features one after another, in as many pieces as they lie in; undefined where they do not. */
export function floatsOf(features: FeatureRows): readonly Float32Array[] | undefined {
  const { layout } = features
  if (layout) return layout.kind === 'dense' && layout.values instanceof Float32Array ? [layout.values] : undefined
  return floatsIn(known.get(features) ?? [])
}

/** The numbers of slabs of floats, a piece for each. */
function floatsIn(slabs: readonly Slab[]): readonly Float32Array[] | undefined {
  const pieces = slabs.flatMap(({ memory, rows, form }) =>
    form.kind === 'floats' ? [floatsAt(memory, form.features, rows * form.columns)] : [],
  )
  return pieces.length > 0 && pieces.length === slabs.length ? pieces : undefined
}

function sparseSlabs(layout: Layout & { kind: 'sparse' }, columns: number, hashes: PointHashes): readonly Slab[] | undefined {
  const { starts, indices, values } = layout
  const rows = hashes.low.length
  const { length } = indices
  if (8 * length + 16 * rows > mostBytes || rows > mostRows) return undefined
  const slab = newSlab(
    { first: 0, rows },
    hashes,
    (place) => ({
      kind: 'sparse',
      columns,
      starts: place(4 * (rows + 1)),
      indices: place(4 * length),
      values: place(4 * length),
    }),
    (memory, form) => {
      new Uint32Array(memory.buffer, form.starts, rows + 1).set(starts)
      new Uint32Array(memory.buffer, form.indices, length).set(indices)
      floatsAt(memory, form.values, length).set(values)
    },
  )
  return [slab]
}

/** Dense features as bytes in slabs. */
export interface Bytes {
  readonly slabs: readonly Slab[]
  readonly scales: ByteScales
}

const knownBytes = new WeakMap<FeatureRows, Bytes>()

/** Dense features as bytes, a quarter of the size; those there are, if they were made before. The range of every column is cut into 255 steps. */
export function byteSlabs(features: FeatureRows, hashes: PointHashes): Bytes {
  const found = knownBytes.get(features)
  if (found) return found
  const { columns } = features
  const scales = rangesOf(features)
  const { centres } = scales
  const steps = scales.scales.map((scale) => (scale > 0 ? 1 / scale : 0))
  const stride = strideOf(columns)
  const row = new Float64Array(columns)
  return filledBytes(columns, hashes, scales, (bytes, first) => {
    for (let at = 0, i = first; at < bytes.length; at += stride, i++) {
      row.fill(0)
      features.addInPlace(i, 1, row)
      for (let j = 0; j < columns; j++) bytes[at + j] = Math.floor((row[j]! - centres[j]!) * steps[j]! + 0.5)
    }
  })
}

/** Bytes that a row of 8-bit features takes. */
export const strideOf = (columns: number) => Math.ceil(columns / 8) * 8

/** 8-bit features in slabs, written to where they will lie; `fill` writes the rows from `first` on, as many as there is room for. */
export function filledBytes(
  columns: number,
  hashes: PointHashes,
  scales: ByteScales,
  fill: (into: Int8Array, first: number) => void,
): Bytes {
  const stride = strideOf(columns)
  const slabs = cut(hashes.low.length, rowsThatFit(stride + 8, mostBytes)).map(({ first, rows }) =>
    newSlab(
      { first, rows },
      hashes,
      (place) => ({ kind: 'bytes', columns, features: place(rows * stride), stride }),
      ({ buffer }, { features }) => fill(new Int8Array(buffer, features, rows * stride), first),
    ),
  )
  return { slabs, scales }
}

/** From now on engines that want bytes of these features find these. */
export function haveBytes(features: FeatureRows, bytes: Bytes): void {
  knownBytes.set(features, bytes)
}

/** The bytes of all rows one after another, in as many pieces as they lie in. */
export function bytesOf({ slabs }: Bytes): readonly Int8Array[] {
  return slabs.flatMap(({ memory, rows, form }) =>
    form.kind === 'bytes' ? [new Int8Array(memory.buffer, form.features, rows * form.stride)] : [],
  )
}

function rangesOf(features: FeatureRows): ByteScales {
  const { rows, columns } = features
  const low = new Float64Array(columns).fill(Number.POSITIVE_INFINITY)
  const high = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY)
  const row = new Float64Array(columns)
  for (let i = 0; i < rows; i++) {
    row.fill(0)
    features.addInPlace(i, 1, row)
    for (let j = 0; j < columns; j++) {
      if (row[j]! < low[j]!) low[j] = row[j]!
      if (row[j]! > high[j]!) high[j] = row[j]!
    }
  }
  return { centres: low.map((least, j) => (least + high[j]!) / 2), scales: low.map((least, j) => (high[j]! - least) / 254) }
}

function cut(total: number, size: number): { first: number; rows: number }[] {
  return Array.from({ length: Math.ceil(total / size) }, (_, k) => ({
    first: k * size,
    rows: Math.min(size, total - k * size),
  }))
}

function hashesAt({ buffer }: SharedMemory, { hashes, rows }: Pick<Slab, 'rows' | 'hashes'>): PointHashes {
  return { low: new Int32Array(buffer, hashes.low, rows), high: new Int32Array(buffer, hashes.high, rows) }
}

/** The hashes of a pool where they lie, if it is in one slab: others need not be kept. */
export function hashesOfSlabs([slab, ...others]: readonly Slab[]): PointHashes | undefined {
  return slab && others.length === 0 ? hashesAt(slab.memory, slab) : undefined
}

/** The same for features that are in slabs, as floats or as bytes. */
export function hashesIn(features: FeatureRows): PointHashes | undefined {
  const slabs = known.get(features) ?? knownBytes.get(features)?.slabs
  return slabs && hashesOfSlabs(slabs)
}

const floatsAt = (memory: SharedMemory, at: number, count: number) => new Float32Array(memory.buffer, at, count)

/** The rows of slabs of floats, where they lie. */
export function rowsOfSlabs(slabs: readonly Slab[]): FeatureRows | undefined {
  const blocks = slabs.map(blockOf)
  const [block] = blocks
  if (!block) return undefined
  if (blocks.length === 1) return block
  const size = slabs[0]!.rows
  const at = (row: number) => blocks[Math.floor(row / size)]!
  return {
    rows: slabs.reduce((sum, { rows }) => sum + rows, 0),
    columns: block.columns,
    dot: (row, vector) => at(row)!.dot(row % size, vector),
    addInPlace: (row, factor, vector) => at(row)!.addInPlace(row % size, factor, vector),
    select(rows) {
      const columns = block.columns
      const chosen = new Float32Array(rows.length * columns)
      const one = new Float64Array(columns)
      for (const [k, row] of rows.entries()) {
        one.fill(0)
        at(row)!.addInPlace(row % size, 1, one)
        chosen.set(one, k * columns)
      }
      return dense(chosen, columns)
    },
  }
}

function blockOf({ memory, form, rows }: Slab): FeatureRows | undefined {
  if (form.kind === 'bytes') return undefined
  if (form.kind === 'floats') return dense(floatsAt(memory, form.features, rows * form.columns), form.columns)
  const starts = new Uint32Array(memory.buffer, form.starts, rows + 1)
  const entries = starts[rows]!
  const indices = new Uint32Array(memory.buffer, form.indices, entries)
  return sparse({ starts, indices, values: floatsAt(memory, form.values, entries) }, form.columns)
}

/** Adds room at the end of a slab and returns where it begins. A memory never shrinks: what is no longer needed is for others to use. */
export function addRoom({ memory }: Slab, bytes: number): number {
  return memory.grow(Math.ceil((bytes + 64) / page)) * page
}
