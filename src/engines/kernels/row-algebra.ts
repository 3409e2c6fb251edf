import { type FeatureRows, INTERCEPT_COLUMN, type RowAlgebra } from '../../core/features.ts'
import { type Kernels, kernelsOn, portableBuild } from './kernels.ts'
import { bytesOfQueue, type Task } from './task-queue.ts'
import { taskRunner } from './threads.ts'
import { Memory, type SharedMemory } from './webassembly.ts'

const page = 65536
const smallest = 2 ** 14 // numbers; with fewer, kernels take no less time
/** Products that one thread does before others hear of them. */
const tooFewToShare = 2 ** 17
const tooFewSquares = 2 ** 22
/** Work that is shared has always so many parts, so that sums come out the same whichever thread makes them. */
const parts = 4
const queue = 64 // bytes from the beginning of the memory

/** One memory for all learners of a process: they fit one model after the other. */
interface Workspace {
  readonly memory: SharedMemory
  readonly kernels: Kernels
  /** Does a task with the help of other threads. */
  readonly run: (task: Task) => void
  /** Whose rows lie there, and whose factors. */
  rows?: object
  factors?: object | undefined
}

let workspace: Workspace | undefined

/** Rows of 32-bit floats with the intercept's column, filled up with zeros to what kernels want: four rows, and eight columns. */
interface PaddedRows {
  readonly values: Float32Array
  readonly rows: number
  readonly columns: number
  readonly height: number
  readonly width: number
  /** Where everything lies. */
  places: Places
}

/** The rows with ways to go through all of them at once, if there are many and they lie in memory row by row. */
export function withRowAlgebra(features: FeatureRows): FeatureRows {
  const { layout, rows, columns } = features
  if (!portableBuild || layout?.kind !== 'dense' || !(layout.values instanceof Float32Array)) return features
  if (layout.values.length < smallest) return features
  const height = 4 * Math.ceil(rows / 4)
  const width = 8 * Math.ceil((columns + 1) / 8)
  return {
    ...features,
    algebra: algebraOf({ values: layout.values, rows, columns, height, width, places: placesFor(height, width, 1) }),
  }
}

function algebraOf(padded: PaddedRows): RowAlgebra {
  return {
    project: (vectors, scores) => project(padded, vectors, scores),
    addInPlace: (factors, vectors) => addInPlace(padded, factors, vectors),
    bend({ own, shares }) {
      const count = own.length / padded.rows
      const curvatures = { own: inFours(padded, own, count), shares: inFours(padded, shares, count) }
      return (vectors, bent) => bend(padded, curvatures, vectors, bent)
    },
    solver(weights, l2) {
      const factors = {}
      return (vectors) => solve(padded, { weights, l2, factors }, vectors)
    },
  }
}

function project(padded: PaddedRows, vectors: readonly Float64Array[], scores: Float64Array): void {
  const { memory, run } = ready(padded, vectors.length)
  const { height, width, places } = padded
  const count = vectors.length
  write(padded, vectors, new Float64Array(memory.buffer, places.vectors, count * width))
  const given = { features: places.features, rows: height, width, vectors: places.vectors, count, out: places.scores }
  run({ kernel: 'project', given, parts: partsFor(padded, count) })
  scores.set(new Float64Array(memory.buffer, places.scores, padded.rows * count))
}

function addInPlace(padded: PaddedRows, factors: Float64Array, vectors: readonly Float64Array[]): void {
  const { memory, run } = ready(padded, vectors.length)
  const { height, width, places } = padded
  const count = vectors.length
  const shared = partsFor(padded, count)
  const sums = new Float64Array(memory.buffer, places.vectors, shared * count * width).fill(0)
  const own = new Float64Array(memory.buffer, places.scores, height * count)
  own.set(factors)
  own.fill(0, padded.rows * count)
  const given = { features: places.features, rows: height, width, factors: places.scores, count, vectors: places.vectors }
  run({ kernel: 'addRows', given, parts: shared })
  addSums(padded, sums, vectors)
}

function bend(
  padded: PaddedRows,
  curvatures: { readonly own: Float32Array; readonly shares: Float32Array },
  vectors: readonly Float64Array[],
  bent: readonly Float64Array[],
): void {
  const { memory, run } = ready(padded, vectors.length)
  const { height, width, places } = padded
  const count = vectors.length
  const shared = partsFor(padded, count)
  const floats = (at: number, length: number) => new Float32Array(memory.buffer, at, length)
  const [own, shares] = [places.scores, places.scores + 4 * height * count]
  const out = places.vectors + 4 * count * width
  floats(own, height * count).set(curvatures.own)
  floats(shares, height * count).set(curvatures.shares)
  const scale = largestOf(vectors) || 1 // floats have no room for all that doubles can be
  write(padded, vectors, floats(places.vectors, count * width), 1 / scale)
  const sums = floats(out, shared * count * width).fill(0)
  const given = {
    features: places.features,
    rows: height,
    width,
    vectors: places.vectors,
    own,
    shares,
    count,
    work: places.work,
    out,
  }
  run({ kernel: 'bend', given, parts: shared })
  for (const vector of bent) vector.fill(0)
  addSums(padded, sums, bent, scale)
}

/** Weights of the squares, what is added to their diagonal, and what says whose factors lie in the memory. */
interface SquaresQuestion {
  readonly weights: readonly Float64Array[]
  readonly l2: number
  readonly factors: object
}

function solve(padded: PaddedRows, { weights, l2, factors }: SquaresQuestion, vectors: readonly Float64Array[]): void {
  const count = weights.length
  const own = ready(padded, count)
  const { width, places } = padded
  const placeOf = (k: number) => places.factors + 8 * width * width * k
  makeRoom(own.memory, placeOf(count))
  if (own.factors !== factors) for (let k = 0; k < count; k++) writeFactor(own, padded, weights[k]!, l2, placeOf(k))
  own.factors = factors
  const solved = new Float64Array(own.memory.buffer, places.vectors, count * width)
  write(padded, vectors, solved)
  for (let k = 0; k < count; k++) own.kernels.solve({ factor: placeOf(k), width, vector: places.vectors + 8 * width * k })
  for (const [k, vector] of vectors.entries()) vector.set(solved.subarray(k * width, k * width + padded.columns + 1))
}

function writeFactor(
  { memory, kernels, run }: Workspace,
  padded: PaddedRows,
  weights: Float64Array,
  l2: number,
  out: number,
): void {
  const { rows, height, width, places } = padded
  const { features, scores, work, squares } = places
  const roots = new Float32Array(memory.buffer, scores, height)
  for (let i = 0; i < rows; i++) roots[i] = Math.sqrt(weights[i]!)
  roots.fill(0, rows)
  new Float32Array(memory.buffer, squares, width * width).fill(0)
  const isMuch = height * width ** 2 > tooFewSquares
  const given = { features, rows: height, width, roots: scores, work, out: squares }
  run({ kernel: 'squares', given, parts: isMuch ? parts : 1 })
  kernels.factor({ squares, width, l2, out })
}

/** The memory with these rows in it, and room for so many vectors and columns of scores. */
function ready(padded: PaddedRows, count: number): Workspace {
  const { values, height, width } = padded
  workspace ??= newWorkspace()
  if (count > padded.places.count) {
    padded.places = placesFor(height, width, count)
    if (workspace.rows === values) workspace.factors = undefined // they move
  }
  makeRoom(workspace.memory, padded.places.squares)
  if (workspace.rows !== values) {
    writeRows(padded, new Float32Array(workspace.memory.buffer, padded.places.features, height * width))
    workspace.rows = values
    workspace.factors = undefined
  }
  return workspace
}

function writeRows({ values, rows, columns, width }: PaddedRows, into: Float32Array): void {
  into.fill(0)
  for (let i = 0; i < rows; i++) {
    into.set(values.subarray(i * columns, (i + 1) * columns), i * width)
    into[i * width + columns] = INTERCEPT_COLUMN
  }
}

/** The vectors one after the other, what is missing from their width 0. */
function write(
  { columns, width }: PaddedRows,
  vectors: readonly Float64Array[],
  into: Float64Array | Float32Array,
  factor = 1,
): void {
  into.fill(0)
  for (let k = 0; k < vectors.length; k++) {
    const vector = vectors[k]!
    for (let j = 0; j <= columns; j++) into[k * width + j] = factor * vector[j]!
  }
}

/** Adds what all parts have come to. */
function addSums(
  { columns, width }: PaddedRows,
  sums: Float64Array | Float32Array,
  vectors: readonly Float64Array[],
  factor = 1,
): void {
  for (let at = 0; at < sums.length; )
    for (const vector of vectors) {
      for (let j = 0; j <= columns; j++) vector[j]! += factor * sums[at + j]!
      at += width
    }
}

const partsFor = ({ height, width }: PaddedRows, count: number) => (height * width * count > tooFewToShare ? parts : 1)

/** Numbers of K classes a row as floats, those of four rows side by side; zeros, if there are none. */
function inFours({ rows, height }: PaddedRows, numbers: Float64Array | undefined, count: number): Float32Array {
  const fours = new Float32Array(height * count)
  if (!numbers) return fours
  for (let i = 0, at = 0; i < rows; i++)
    for (let k = 0; k < count; k++) fours[4 * ((i >> 2) * count + k) + (i & 3)] = numbers[at++]!
  return fours
}

type Places = ReturnType<typeof placesFor>

/** The rows, `count` vectors, `count` columns of scores, and behind them matrices where some are needed. */
function placesFor(height: number, width: number, count: number) {
  const features = aligned(queue + bytesOfQueue)
  const vectors = aligned(features + 4 * height * width)
  const scores = aligned(vectors + parts * 8 * width * count)
  const work = aligned(scores + 8 * height * count)
  const squares = aligned(work + parts * Math.max(4 * 32 * width, 16 * count))
  return { features, vectors, scores, work, squares, factors: aligned(squares + 4 * width * width), count }
}

const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64

function makeRoom(memory: SharedMemory, end: number): void {
  const missing = end - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
}

function largestOf(vectors: readonly Float64Array[]): number {
  let most = 0
  for (const vector of vectors) for (const x of vector) most = Math.max(most, Math.abs(x))
  return most
}

function newWorkspace(): Workspace {
  const memory = new Memory({ initial: 1, maximum: 65536, shared: true })
  const { module } = portableBuild!
  const kernels = kernelsOn(module, memory)
  return { memory, kernels, run: taskRunner(module, memory, kernels, queue) }
}
