import { emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import { sigmoid } from '../../core/numbers.ts'

/**
 * The line of scores, cut so that everything read off a score is smooth within a cell. Cells of negative scores come first, then those
 * of positive ones.
 */
export interface Cells {
  /** Cells of either sign. */
  readonly count: number
  /** Where each begins, without its sign; the last has no end. */
  readonly edges: Float64Array
  /** The largest score of each, of either sign. */
  readonly lasts: Float64Array
  /** What points are counted in. */
  readonly bits: BitCells
}

/** The cells are made of finer ones, which a score tells by its leading 15 bits: sign, exponent and 6 bits of the mantissa. */
export interface BitCells {
  readonly count: number
  /** Where the places in each are counted from, and the distance between two of them. */
  readonly origins: Float64Array
  readonly units: Float64Array
  /** By the leading bits: the cell of the smallest score that has them. */
  readonly table: Uint16Array
  /** By cell, the largest score in it, as bits. */
  readonly lastBits: Uint32Array
  /** By cell, the one that it belongs to. */
  readonly within: Int32Array
}

/** Cells of bits of either sign, at most. */
export const mostCells = 4096

const placeBits = 17 // as in src/kernels/tally.ts
const signBit = 2 ** 31
const nearest = 2 ** -34 // scores closer to 0 share a cell
const beyond = 2 ** 10 // no model has such scores; if one has, the cells do not speak for it

/** How wide a cell may be: whatever is read off a score near 0 changes with it at its own pace, far out with its logarithm. */
const widest = (score: number) => Math.max(1, score) / 64

/** Where readers bend: hinges at 1, and audits where they hold probabilities between 0.001 and 0.999. */
const bends = [1, Math.log(999)]

const known = new WeakMap<Reader, Cells>()

/** The cells for a way to read one score as the belief about two classes: no margin bin begins within a cell. */
export function cellsFor(reader: Reader): Cells {
  const found = known.get(reader) ?? cutFor(reader)
  known.set(reader, found)
  return found
}

const bits = new Uint32Array(1)
const float = new Float32Array(bits.buffer)
const bitsOf = (score: number) => {
  float[0] = score
  return bits[0]!
}
const scoreOf = (itsBits: number) => {
  bits[0] = itsBits
  return float[0]!
}

function cutFor(reader: Reader): Cells {
  const edges = new Set([...marginEdges(reader), ...bends.map(bitsOf)])
  const { starts, cellOf } = bitCells(edges)
  const lastBits = starts.map((_, cell) => (starts[cell + 1] ?? signBit) - 1)
  const begins = starts.map(scoreOf)
  const wide: number[] = [] // which of these begin a cell
  for (const [cell, begin] of begins.entries()) {
    const own = begins[wide.at(-1) ?? 0]!
    const isLast = cell === begins.length - 1
    if (cell === 0 || isLast || edges.has(starts[cell]!) || begins[cell + 1]! - own > widest(begin)) wide.push(cell)
  }
  let number = -1
  const within = starts.map((_, cell) => (wide[number + 1] === cell ? ++number : number))
  const lasts = wide.map((_, k) => scoreOf(lastBits[(wide[k + 1] ?? starts.length) - 1]!))
  const leading = Float64Array.from(starts, (start) => scoreOf((start >> placeBits) << placeBits))
  const units = leading.map((score) => (score > 0 ? 2 ** (Math.floor(Math.log2(score)) - 22) : 0)) // the last bit is left out
  return {
    count: wide.length,
    edges: Float64Array.from(wide, (cell) => begins[cell]!),
    lasts: Float64Array.from([...lasts.map((last) => -last), ...lasts]),
    bits: {
      count: starts.length,
      origins: leading.map((score, cell) => score + units[cell]! / 4), // half of scores end in a 1
      units,
      table: Uint16Array.from([...cellOf.map((cell) => starts.length + cell), ...cellOf]),
      lastBits: Uint32Array.from([...lastBits.map((own) => own + signBit), ...lastBits]),
      within: Int32Array.from([...within, ...within.map((cell) => wide.length + cell)]),
    },
  }
}

/** Where the cells of bits begin, as bits, and by the leading bits of a positive score the first that it may be in. */
function bitCells(edges: ReadonlySet<number>): { readonly starts: readonly number[]; readonly cellOf: Uint16Array } {
  const [first, last] = [bitsOf(nearest) >> placeBits, bitsOf(beyond) >> placeBits]
  const inner = new Map<number, number>() // one among scores that share their leading bits; were there two, the cell would not be smooth, and that shows
  for (const edge of edges) if (edge % 2 ** placeBits > 0) inner.set(edge >> placeBits, edge)
  const starts: number[] = []
  const cellOf = Uint16Array.from({ length: 2 ** (31 - placeBits) }, (_, bucket) => {
    const isInside = bucket >= first && bucket <= last
    if (bucket === 0 || isInside) starts.push(bucket << placeBits)
    const own = starts.length - 1
    const edge = inner.get(bucket)
    if (isInside && edge) starts.push(edge)
    return own
  })
  return { starts, cellOf }
}

/** The smallest positive score of each margin bin, as bits, found by halving: there are as many floats on either side. */
function marginEdges(reader: Reader): number[] {
  const belief = emptyBelief(2)
  const score = new Float64Array(1)
  const binAt = (itsBits: number) => {
    score[0] = scoreOf(itsBits)
    reader.read(score, belief)
    return marginBin(marginOf(belief))
  }
  const farthest = bitsOf(64)
  const edges: number[] = []
  let low = 0
  for (let bin = binAt(0) + 1; bin < marginBins && binAt(farthest) >= bin; bin++) {
    let high = farthest
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (binAt(middle) < bin) low = middle
      else high = middle
    }
    edges.push(high)
  }
  return edges
}

/** Scores as chances, for cells to go by where nobody says how scores are read. */
export const chances: Reader = {
  name: 'chances',
  read(scores, { probabilities }) {
    probabilities[1] = sigmoid(scores[0]!)
    probabilities[0] = 1 - probabilities[1]
  },
}
