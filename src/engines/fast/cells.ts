import { emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'

/**
 * The line of scores, cut so that everything read off a score is smooth within a cell. Cells are of |score|; those of negative scores
 * come first, then those of positive ones.
 */
export interface Cells {
  /** Cells of either sign. */
  readonly count: number
  /** Where each begins; the last has no end. */
  readonly edges: Float64Array
  /** Where to begin to look, by the leading bits of |score|. */
  readonly table: Uint16Array
}

// As in src/kernels/tally.ts.
const smallestExponent = 1023 - 40
const perOctave = 64
export const tableSize = 50 * perOctave

export const mostCells = 1024
const beyond = 2 ** 10 // no model has such scores; if one has, the cells do not speak for it

/** How wide a cell may be: whatever is read off a score near 0 changes with it at its own pace, far out with its logarithm. */
const widest = (score: number) => Math.max(0.2, score / 32)

/** Where readers bend: hinges at 1, and audits where they hold probabilities between 0.001 and 0.999. */
const bends = [1, Math.log(999)]

const known = new WeakMap<Reader, Cells>()

/** The cells for a way to read one score as the belief about two classes: no margin bin begins within a cell. */
export function cellsFor(reader: Reader): Cells {
  const found = known.get(reader) ?? cutFor(reader)
  known.set(reader, found)
  return found
}

function cutFor(reader: Reader): Cells {
  const given = [...new Set([0, ...marginEdges(reader), ...bends, beyond])].sort((a, b) => a - b)
  const edges: number[] = []
  for (const [k, edge] of given.entries()) {
    const next = given[k + 1] ?? edge
    for (let at = edge; at < next; ) {
      edges.push(at)
      const pieces = Math.ceil((next - at) / widest(at)) // if they were all alike
      at = pieces > 1 ? at + (next - at) / pieces : next
    }
  }
  edges.push(beyond)
  return { count: edges.length, edges: Float64Array.from(edges), table: tableOf(edges) }
}

/** The smallest positive score of each margin bin, found by halving. */
function marginEdges(reader: Reader): number[] {
  const belief = emptyBelief(2)
  const score = new Float64Array(1)
  const binAt = (z: number) => {
    score[0] = z
    reader.read(score, belief)
    return marginBin(marginOf(belief))
  }
  const edges: number[] = []
  const bits = new Float64Array(1)
  const whole = new BigInt64Array(bits.buffer)
  const between = (low: number, high: number) => {
    // Half-way by the bits: as many doubles lie on either side.
    bits[0] = low
    const a = whole[0]!
    bits[0] = high
    whole[0] = (a + whole[0]!) >> 1n
    return bits[0]!
  }
  const farthest = 64
  let start = 0
  for (let bin = binAt(0) + 1; bin < marginBins; bin++) {
    let low = start
    let high = farthest
    if (binAt(high) < bin) break
    for (let middle = between(low, high); middle > low && middle < high; middle = between(low, high))
      if (binAt(middle) < bin) low = middle
      else high = middle
    edges.push(high)
    start = low
  }
  return edges
}

function tableOf(edges: readonly number[]): Uint16Array {
  const bits = new BigUint64Array(1)
  const value = new Float64Array(bits.buffer)
  const table = new Uint16Array(tableSize)
  let cell = 0
  for (let bucket = 1; bucket < tableSize; bucket++) {
    bits[0] = BigInt(smallestExponent * perOctave + bucket) << 46n
    while (cell + 1 < edges.length && edges[cell + 1]! <= value[0]!) cell++
    table[bucket] = cell // of the smallest of them; the kernel goes on for two cells at most
  }
  return table
}
