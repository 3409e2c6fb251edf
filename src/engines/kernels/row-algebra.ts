import { type FeatureRows, INTERCEPT_COLUMN, type RowAlgebra } from '../../core/features.ts'
import { portableBuild } from './kernels.ts'
import { aligned, firstPlace, learnerWorkspace, makeRoom } from './learner-workspace.ts'
import { sparseAlgebra } from './sparse-algebra.ts'

const smallest = 2 ** 14 // numbers; with fewer, kernels take no less time
/** Products that one thread does before others hear of them. */
const tooFewToShare = 2 ** 17
const tooFewSquares = 2 ** 22
/** Work that is shared has always so many parts, so that sums come out the same whichever thread makes them. */
const sharedParts = 4

/** Rows of 32-bit floats with the intercept's column, filled up with zeros to what kernels want: four rows, and eight columns. */
interface PaddedRows {
  readonly values: Float32Array
  readonly rows: number
  readonly columns: number
  readonly height: number
  readonly width: number
  places: ReturnType<typeof placesFor>
}

/** The rows with ways to go through all of them at once, if there are many and they lie in memory row by row. */
export function withRowAlgebra(features: FeatureRows): FeatureRows {
  const { layout, rows, columns } = features
  if (!portableBuild || !(layout?.values instanceof Float32Array) || layout.values.length < smallest) return features
  const made = { select: (chosen: readonly number[]) => withRowAlgebra(features.select(chosen)), quicken: withRowAlgebra }
  if (layout.kind === 'sparse') return { ...features, ...made, algebra: sparseAlgebra(layout, columns) }
  const { values } = layout
  const [height, width] = [4 * Math.ceil(rows / 4), 8 * Math.ceil((columns + 1) / 8)]
  return {
    ...features,
    ...made,
    algebra: algebraOf({ values, rows, columns, height, width, places: placesFor(height, width, 1) }),
  }
}

function algebraOf(padded: PaddedRows): RowAlgebra {
  const { rows, height, width } = padded
  return {
    project(vectors, scores) {
      const { doubles, run, given, parts } = ready(padded, vectors.length)
      write(padded, vectors, doubles(given.vectors, given.count * width))
      run({ kernel: 'project', given: { ...given, out: given.scores }, parts })
      scores.set(doubles(given.scores, rows * given.count))
    },
    addInPlace(factors, vectors) {
      const { doubles, run, given, parts } = ready(padded, vectors.length)
      const sums = doubles(given.vectors, parts * given.count * width).fill(0)
      const own = doubles(given.scores, height * given.count)
      own.set(factors)
      own.fill(0, rows * given.count)
      run({ kernel: 'addRows', given: { ...given, factors: given.scores }, parts })
      addSums(padded, sums, vectors)
    },
    bend({ own, shares }) {
      const count = own.length / rows
      const curvatures = { own: inFours(padded, own, count), shares: inFours(padded, shares, count) }
      return (vectors, bent) => bend(padded, curvatures, vectors, bent)
    },
    solver(weights, l2) {
      const owner = {}
      return (vectors) => solve(padded, { weights, l2, owner }, vectors)
    },
  }
}

function bend(
  padded: PaddedRows,
  curvatures: { readonly own: Float32Array; readonly shares: Float32Array },
  vectors: readonly Float64Array[],
  bent: readonly Float64Array[],
): void {
  const { floats, run, given, parts } = ready(padded, vectors.length)
  const { height, width } = padded
  const { count, scores: own } = given
  const shares = own + 4 * height * count
  const out = given.vectors + 4 * count * width
  floats(own, height * count).set(curvatures.own)
  floats(shares, height * count).set(curvatures.shares)
  const scale = largestOf(vectors) || 1 // floats have no room for all that doubles can be
  write(padded, vectors, floats(given.vectors, count * width), 1 / scale)
  const sums = floats(out, parts * count * width).fill(0)
  run({ kernel: 'bend', given: { ...given, own, shares, out }, parts })
  for (const vector of bent) vector.fill(0)
  addSums(padded, sums, bent, scale)
}

/** Weights of the squares, what is added to their diagonal, and whose factors they make. */
interface SquaresQuestion {
  readonly weights: readonly Float64Array[]
  readonly l2: number
  readonly owner: object
}

function solve(padded: PaddedRows, { weights, l2, owner }: SquaresQuestion, vectors: readonly Float64Array[]): void {
  const { own, doubles, given } = ready(padded, weights.length)
  const { width, columns } = padded
  const factorOf = (k: number) => given.factors + 8 * width * width * k
  makeRoom(own.memory, factorOf(weights.length))
  if (own.factors !== owner) for (const [k, each] of weights.entries()) writeFactor(padded, each, l2, factorOf(k))
  own.factors = owner
  const solved = doubles(given.vectors, given.count * width)
  write(padded, vectors, solved)
  for (const [k, vector] of vectors.entries()) {
    own.kernels.solve({ factor: factorOf(k), width, vector: given.vectors + 8 * width * k })
    vector.set(solved.subarray(k * width, k * width + columns + 1))
  }
}

function writeFactor(padded: PaddedRows, weights: Float64Array, l2: number, out: number): void {
  const { own, floats, run, given } = ready(padded, 1)
  const { rows, height, width, places } = padded
  const { squares } = places
  const roots = floats(given.scores, height)
  for (let i = 0; i < rows; i++) roots[i] = Math.sqrt(weights[i]!)
  roots.fill(0, rows)
  floats(squares, width * width).fill(0)
  const isMuch = height * width ** 2 > tooFewSquares
  run({ kernel: 'squares', given: { ...given, roots: given.scores, out: squares }, parts: isMuch ? sharedParts : 1 })
  own.kernels.factor({ squares, width, l2, out })
}

/** The memory with these rows in it and room for so many vectors and columns of scores, and what kernels are called with. */
function ready(padded: PaddedRows, count: number) {
  const { values, height, width } = padded
  const own = learnerWorkspace()
  if (count > padded.places.count) {
    padded.places = placesFor(height, width, count)
    if (own.rows === values) own.factors = undefined // they move
  }
  makeRoom(own.memory, padded.places.squares)
  const floats = (at: number, length: number) => new Float32Array(own.memory.buffer, at, length)
  const doubles = (at: number, length: number) => new Float64Array(own.memory.buffer, at, length)
  if (own.rows !== values) {
    writeRows(padded, floats(padded.places.features, height * width))
    own.rows = values
    own.factors = undefined
  }
  const given = { ...padded.places, rows: height, width, count }
  return { own, run: own.run, floats, doubles, given, parts: height * width * count > tooFewToShare ? sharedParts : 1 }
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

/** Numbers of K classes a row as floats, those of four rows side by side; zeros, if there are none. */
function inFours({ rows, height }: PaddedRows, numbers: Float64Array | undefined, count: number): Float32Array {
  const fours = new Float32Array(height * count)
  if (!numbers) return fours
  for (let i = 0, at = 0; i < rows; i++)
    for (let k = 0; k < count; k++) fours[4 * ((i >> 2) * count + k) + (i & 3)] = numbers[at++]!
  return fours
}

/** The rows, `count` vectors, `count` columns of scores, and behind them matrices where some are needed. */
function placesFor(height: number, width: number, count: number) {
  const features = firstPlace
  const vectors = aligned(features + 4 * height * width)
  const scores = aligned(vectors + sharedParts * 8 * width * count)
  const work = aligned(scores + 8 * height * count)
  const squares = aligned(work + sharedParts * Math.max(4 * 32 * width, 16 * count))
  return { features, vectors, scores, work, squares, factors: aligned(squares + 4 * width * width), count }
}

function largestOf(vectors: readonly Float64Array[]): number {
  let most = 0
  for (const vector of vectors) for (const x of vector) most = Math.max(most, Math.abs(x))
  return most
}
