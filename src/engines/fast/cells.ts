import { emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import { sigmoid } from '../../core/numbers.ts'

/**
 * The line of scores, cut so that everything read off a score is smooth within a cell. Scores are 32-bit floats, and those of a cell
 * share their leading 15 bits (sign, exponent, 6 bits of the mantissa). Cells of negative scores come first, then those of positive ones.
 */
export interface Cells {
  /** Cells of either sign. */
  readonly count: number
  /** Where each begins, without its sign; the last has no end. */
  readonly edges: Float64Array
  /** Where its places are counted from, and the distance between two of them. */
  readonly origins: Float64Array
  readonly units: Float64Array
  /** By the leading 15 bits of a score: the cell of the smallest that has them. */
  readonly table: Uint16Array
  /** By cell, the largest score in it, as bits. */
  readonly lastBits: Uint32Array
}

/** Cells of either sign, at most. */
export const mostCells = 4096

const placeBits = 17 // as in src/kernels/tally.ts
const signBit = 2 ** 31
const nearest = 2 ** -34 // scores closer to 0 share a cell
const beyond = 2 ** 10 // no model has such scores; if one has, the cells do not speak for it

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
  const [first, last] = [bitsOf(nearest) >> placeBits, bitsOf(beyond) >> placeBits]
  const inner = new Map<number, number>() // one among scores that share their leading bits; were there two, the cell would not be smooth, and that shows
  for (const edge of [...marginEdges(reader), ...bends.map(bitsOf)])
    if (edge % 2 ** placeBits > 0) inner.set(edge >> placeBits, edge)
  const starts: number[] = []
  const buckets = 2 ** (31 - placeBits) // of either sign
  const cellOf = Uint16Array.from({ length: buckets }, (_, bucket) => {
    const isInside = bucket >= first && bucket <= last
    if (bucket === 0 || isInside) starts.push(bucket << placeBits)
    const own = starts.length - 1
    const edge = inner.get(bucket)
    if (isInside && edge) starts.push(edge)
    return own
  })
  const count = starts.length
  const lastBits = starts.map((_, cell) => (starts[cell + 1] ?? signBit) - 1)
  const leading = Float64Array.from(starts, (start) => scoreOf((start >> placeBits) << placeBits))
  const units = leading.map((score) => (score > 0 ? 2 ** (Math.floor(Math.log2(score)) - 22) : 0)) // the last bit is left out
  return {
    count,
    edges: Float64Array.from(starts, scoreOf),
    origins: leading.map((score, cell) => score + units[cell]! / 4), // half of scores end in a 1
    units,
    table: Uint16Array.from([...cellOf.map((cell) => count + cell), ...cellOf]),
    lastBits: Uint32Array.from([...lastBits.map((own) => own + signBit), ...lastBits]),
  }
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
