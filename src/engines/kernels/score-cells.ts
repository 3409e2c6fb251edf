import { emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import { memoize } from '../../core/memoize.ts'
import { sigmoid } from '../../core/numbers.ts'

/**
 * The line of scores, cut so that everything read off a score is smooth within a cell. Cells of negative scores come first, then those
 * of positive ones. Scores are 32-bit floats: as bits, those of a sign are in order, and between two powers of 2 they are evenly spaced.
 */
export interface Cells {
  /** Cells of either sign. */
  readonly count: number
  /** Where each begins, without its sign; the last has no end. */
  readonly edges: Float64Array
  /** What a place in it stands for: `origins + units · place`, give or take half a unit. */
  readonly origins: Float64Array
  readonly units: Float64Array
  /** The score of each that is farthest from 0, with its sign. */
  readonly farthest: Float32Array
  /** By the leading 15 bits of a score (sign, exponent, 6 bits of the mantissa): what, with all its bits added, has the cell in front. */
  readonly table: Uint32Array
}

/** Cells of either sign, at most. */
export const mostCells = 2048

// As in src/engines/kernels/assembly/cells.ts and tally.ts.
const trailingBits = 17
const leftOutBits = 4

const bucket = 2 ** trailingBits // floats that share their leading bits
const block = 2 ** (16 + leftOutBits) // floats whose places differ, unless they differ in the bits left out only
const signBit = 2 ** 31
const nearest = 2 ** -34 // scores closer to 0 share a cell
const beyond = 2 ** 10 // no model has such scores; if one has, the cells do not speak for it

/** How wide a cell may be, and a bucket if that is wider: whatever is read off a score far out falls off with its exponential. */
const widest = (score: number) => (score < 2 ? 1 / 32 : 1 / 16)

/** Where readers bend: hinges at 1, and audits where they hold probabilities between 0.001 and 0.999. */
const bends = [1, Math.log(999)]

/** The cells for a way to read one score as the belief about two classes: no margin bin begins within a cell. */
export const cellsFor: (reader: Reader) => Cells = memoize(cutFor)

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
  const starts = startsFor(new Set([...marginEdges(reader), ...bends.map(bitsOf)]))
  const count = starts.length
  const edges = Float64Array.from(starts, scoreOf)
  const units = edges.map((edge) => (edge > 0 ? 2 ** (Math.floor(Math.log2(edge)) - 23 + leftOutBits) : 0))
  const origins = edges.map((edge, k) => {
    const first = edge > 0 ? scoreOf(Math.floor(starts[k]! / block) * block) : 0 // its place is 0
    return first + units[k]! * (0.5 - 0.5 ** (leftOutBits + 1)) // the bits left out are 7.5 on average
  })
  const farthest = starts.map((_, cell) => scoreOf((starts[cell + 1] ?? signBit) - 1))
  return {
    count,
    edges,
    origins,
    units,
    farthest: Float32Array.from([...farthest.map((score) => -score), ...farthest]),
    table: Uint32Array.from([...tableOf(starts, count), ...tableOf(starts, 0)], (entry, leading) => entry - leading * bucket),
  }
}

/** For scores of one sign, whose cells begin at `first`. */
function tableOf(starts: readonly number[], first: number): number[] {
  let cell = 0
  return Array.from({ length: signBit / bucket }, (_, leading) => {
    while (cell + 1 < starts.length && starts[cell + 1]! <= leading * bucket) cell++
    const next = (starts[cell + 1] ?? signBit) - leading * bucket
    return (first + cell) * bucket + (next < bucket ? bucket - next : 0)
  })
}

/** Where cells begin, as bits: at the edges given, one for each bucket at most, and else where a bucket begins. */
function startsFor(edges: ReadonlySet<number>): number[] {
  const [first, last] = [bitsOf(nearest), bitsOf(beyond)]
  const inner = new Map<number, number>() // were there two in a bucket, a cell would not be smooth, and that shows
  for (const edge of edges) inner.set(Math.floor(edge / bucket), edge)
  const starts = [0, first]
  for (let at = first; at < last; at += bucket) {
    const own = starts.at(-1)!
    const isTooWide = scoreOf(at + bucket) - scoreOf(own) > widest(scoreOf(at))
    if (at > first && (isTooWide || at % block === 0)) starts.push(at)
    const edge = inner.get(Math.floor(at / bucket))
    if (edge !== undefined && edge > starts.at(-1)!) starts.push(edge)
  }
  return [...starts, last]
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

/** Scores as chances, for cells to go by where no reader is given. */
export const chances: Reader = {
  name: 'chances',
  read(scores, { probabilities }) {
    probabilities[1] = sigmoid(scores[0]!)
    probabilities[0] = 1 - probabilities[1]
  },
}
