import { type FeatureRows, INTERCEPT_COLUMN, type WholeRows } from '../../core/features.ts'
import { type Kernels, kernelsOn, portableBuild } from './kernels.ts'
import { bytesOfBoard, type Task } from './task-queue.ts'
import { helpedOn } from './threads.ts'
import { Memory, type SharedMemory } from './webassembly.ts'

const page = 65536
const smallest = 2 ** 14 // numbers; fewer are gone through in no time
/** Products that are done before others hear of them. */
const tooFewToShare = 2 ** 17
const tooFewSquares = 2 ** 22
/** Work that is shared has always so many parts, so that sums come out the same whoever makes them. */
const parts = 4
const board = 64 // bytes from the beginning of the memory

/** One memory for all learners of a process: they fit one model after the other. */
interface Desk {
  readonly memory: SharedMemory
  readonly kernels: Kernels
  /** Has other threads help. */
  readonly share: (task: Task) => void
  /** Whose rows lie on it, and whose factors. */
  rows?: object
  factors?: object | undefined
}

let desk: Desk | undefined

/** The rows with ways to go through all of them at once, if there are many and they lie in memory row by row. */
export function withWhole(features: FeatureRows): FeatureRows {
  const { layout, rows, columns } = features
  if (!portableBuild || layout?.kind !== 'dense' || !(layout.values instanceof Float32Array)) return features
  return layout.values.length < smallest ? features : { ...features, whole: wholeRows(layout.values, rows, columns) }
}

function wholeRows(values: Float32Array, rows: number, columns: number): WholeRows {
  const height = 4 * Math.ceil(rows / 4)
  const width = 8 * Math.ceil((columns + 1) / 8)
  let places = placesFor(height, width, 1)

  /** The desk with these rows on it, and room for so many vectors and columns of scores. */
  function ready(count: number): Desk {
    if (count > places.count) {
      places = placesFor(height, width, count)
      if (desk?.rows === values) desk.factors = undefined // they move
    }
    desk ??= newDesk()
    makeRoom(desk.memory, places.squares)
    if (desk.rows !== values) {
      writeRows(floatsOn(desk, places.features, height * width))
      desk.rows = values
      desk.factors = undefined
    }
    return desk
  }

  function writeRows(room: Float32Array): void {
    room.fill(0)
    for (let i = 0; i < rows; i++) {
      room.set(values.subarray(i * columns, (i + 1) * columns), i * width)
      room[i * width + columns] = INTERCEPT_COLUMN
    }
  }

  /** The vectors one after the other, what is missing from their width 0. */
  function write(vectors: readonly Float64Array[], into: Float64Array | Float32Array, factor = 1): void {
    into.fill(0)
    for (let k = 0; k < vectors.length; k++) {
      const vector = vectors[k]!
      for (let j = 0; j <= columns; j++) into[k * width + j] = factor * vector[j]!
    }
  }

  function read(from: Float64Array, vectors: readonly Float64Array[]): void {
    for (let k = 0; k < vectors.length; k++) {
      const vector = vectors[k]!
      for (let j = 0; j <= columns; j++) vector[j] = from[k * width + j]!
    }
  }

  /** Adds what all parts have come to. */
  function add(sums: Float64Array | Float32Array, vectors: readonly Float64Array[], factor = 1): void {
    for (let at = 0; at < sums.length; )
      for (const vector of vectors) {
        for (let j = 0; j <= columns; j++) vector[j]! += factor * sums[at + j]!
        at += width
      }
  }

  const partsFor = (count: number) => (height * width * count > tooFewToShare ? parts : 1)

  /** Numbers of K classes a row as floats, those of four rows side by side. */
  function inFours(numbers: Float64Array, count: number): Float32Array {
    const fours = new Float32Array(height * count)
    for (let i = 0, at = 0; i < rows; i++)
      for (let k = 0; k < count; k++) fours[4 * ((i >> 2) * count + k) + (i & 3)] = numbers[at++]!
    return fours
  }

  function writeFactor(desk: Desk, weights: Float64Array, l2: number, to: number): void {
    const { features, scores, work, squares } = places
    const roots = floatsOn(desk, scores, height)
    for (let i = 0; i < rows; i++) roots[i] = Math.sqrt(weights[i]!)
    roots.fill(0, rows)
    floatsOn(desk, squares, width * width).fill(0)
    const isMuch = height * width ** 2 > tooFewSquares
    desk.share({ kernel: 'squares', args: [features, height, width, scores, work, squares], parts: isMuch ? parts : 1 })
    desk.kernels.factor(squares, width, l2, to)
  }

  return {
    project(vectors, scores) {
      const count = vectors.length
      const desk = ready(count)
      write(vectors, doublesOn(desk, places.vectors, count * width))
      const { features, vectors: from, scores: to } = places
      desk.share({ kernel: 'project', args: [features, height, width, from, count, to], parts: partsFor(count) })
      scores.set(doublesOn(desk, places.scores, rows * count))
    },
    addInPlace(factors, vectors) {
      const count = vectors.length
      const desk = ready(count)
      const { features, vectors: to, scores: from } = places
      const sums = doublesOn(desk, to, partsFor(count) * count * width).fill(0)
      const own = doublesOn(desk, from, height * count)
      own.set(factors)
      own.fill(0, rows * count)
      desk.share({ kernel: 'addRows', args: [features, height, width, from, count, to], parts: partsFor(count) })
      add(sums, vectors)
    },
    bend({ own, shares }) {
      const count = own.length / rows
      const length = height * count
      const fours = inFours(own, count)
      const sharesInFours = shares ? inFours(shares, count) : new Float32Array(length)
      return (vectors, bent) => {
        const desk = ready(count)
        const { features, vectors: from, scores, work } = places
        const to = from + 4 * count * width
        const ends = scores + 4 * length
        floatsOn(desk, scores, length).set(fours)
        floatsOn(desk, ends, length).set(sharesInFours)
        const scale = largestOf(vectors) || 1 // floats have no room for all that doubles can be
        write(vectors, floatsOn(desk, from, count * width), 1 / scale)
        const sums = floatsOn(desk, to, partsFor(count) * count * width).fill(0)
        const args = [features, height, width, from, scores, ends, count, work, to]
        desk.share({ kernel: 'bend', args, parts: partsFor(count) })
        for (const vector of bent) vector.fill(0)
        add(sums, bent, scale)
      }
    },
    solver(weights, l2) {
      const count = weights.length
      const own = {}
      return (vectors) => {
        const desk = ready(count)
        const { vectors: at, factors } = places
        const place = (k: number) => factors + 8 * width * width * k
        makeRoom(desk.memory, place(count))
        if (desk.factors !== own) for (let k = 0; k < count; k++) writeFactor(desk, weights[k]!, l2, place(k))
        desk.factors = own
        const solved = doublesOn(desk, at, count * width)
        write(vectors, solved)
        for (let k = 0; k < count; k++) desk.kernels.solve(place(k), width, at + 8 * width * k)
        read(solved, vectors)
      }
    },
  }
}

/** Where everything lies: the rows, `count` vectors, `count` columns of scores, and behind them matrices where some are needed. */
function placesFor(height: number, width: number, count: number) {
  const features = aligned(board + bytesOfBoard)
  const vectors = aligned(features + 4 * height * width)
  const scores = aligned(vectors + parts * 8 * width * count)
  const work = aligned(scores + 8 * height * count)
  const squares = aligned(work + parts * Math.max(4 * 32 * width, 16 * count))
  return { features, vectors, scores, work, squares, factors: aligned(squares + 4 * width * width), count }
}

const doublesOn = ({ memory }: Desk, at: number, length: number) => new Float64Array(memory.buffer, at, length)
const floatsOn = ({ memory }: Desk, at: number, length: number) => new Float32Array(memory.buffer, at, length)

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

function newDesk(): Desk {
  const memory = new Memory({ initial: 1, maximum: 65536, shared: true })
  const kernels = kernelsOn(portableBuild!.module, memory)
  return { memory, kernels, share: helpedOn(portableBuild!, memory, kernels, board) }
}
