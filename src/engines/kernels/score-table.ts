import { nowhere } from './slab-contents.ts'

/**
 * Scores that are columns of the pool, in cells: points whose first scores lie close together, and whose other scores are the same, as
 * those that name a predicted class are. A cell stands for its points by two weighted first scores: with the nodes of Gauss, sums of all
 * polynomials of degree 3 are exact, and both lie between the scores of points.
 */
export interface ScoreTable {
  /** How wide cells are. */
  readonly width: number
  /** The cell of each point; `nowhere` for one that may not be drawn. */
  readonly cellOf: Uint16Array
  /** How many points each cell has, what its two nodes count, and the first scores that it is looked at: see `placesPerCell`. */
  readonly counts: Int32Array
  readonly weights: Float64Array
  readonly places: Float64Array
  /** The first scores of the points of a cell, in order. */
  scoresOf(cell: number): Float32Array
  /** Writes all scores of a point of a cell whose first is given. */
  writeScores(cell: number, first: number, into: Float64Array): void
  /** A point may no longer be drawn. */
  take(row: number): void
}

/** The smallest first score of a cell, a node, the mean, the other node, and the largest. */
export const placesPerCell = 5

/** Points to a cell, on average at least: with fewer, cells take no less time than points. */
const fewest = 16
const mostCells = 2 ** 15
const mostSlots = 2 ** 22

/** Columns of a pool, row by row, in one piece or several. */
export interface ScoreColumns {
  readonly pieces: readonly Float32Array[]
  readonly columns: number
}

/** Undefined where too few points share a cell. */
export function scoreTable(scores: ScoreColumns): ScoreTable | undefined {
  const kinds = kindsOf(scores)
  const cut = kinds && [1 / 64, 1 / 32, 1 / 16].map((width) => cellsOf(scores, kinds, width)).find((cells) => cells !== undefined)
  return cut && tableOf(scores, cut)
}

/** Which rows share all scores but the first, by number; undefined if there are too many kinds. */
function kindsOf({ pieces, columns }: ScoreColumns) {
  const rows = pieces.reduce((sum, { length }) => sum + length, 0) / columns
  const kindOf = new Int32Array(rows)
  let count = 1
  for (let k = 1; k < columns; k++) {
    const numbers = new Map<number, number>() // by the kind so far, and the bits of the score
    const bits = pieces.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length))
    eachRow({ pieces: bits, columns }, (row, values, at) => {
      const key = kindOf[row]! * 2 ** 32 + values[at + k]!
      const known = numbers.get(key)
      kindOf[row] = known ?? numbers.size
      if (known === undefined && numbers.size <= mostCells) numbers.set(key, numbers.size)
    })
    count = numbers.size
    if (count > mostCells) return undefined
  }
  return { kindOf, count }
}

interface CellNumbers {
  readonly width: number
  readonly cellOf: Uint16Array
  readonly cells: number
}

/** Cells of this width; undefined if they are too many. */
function cellsOf(scores: ScoreColumns, kinds: { kindOf: Int32Array; count: number }, width: number): CellNumbers | undefined {
  const { kindOf, count } = kinds
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  eachRow(scores, (_, values, at) => {
    low = Math.min(low, values[at]!)
    high = Math.max(high, values[at]!)
  })
  const slots = Math.floor((high - low) / width) + 1
  if (!(slots * count <= mostSlots)) return undefined // also where some score is no number
  const slotOf = (row: number, score: number) => kindOf[row]! * slots + Math.floor((score - low) / width)
  const cellIn = new Int32Array(slots * count).fill(-1)
  eachRow(scores, (row, values, at) => {
    cellIn[slotOf(row, values[at]!)] = 0
  })
  let cells = 0
  for (let slot = 0; slot < cellIn.length; slot++) if (cellIn[slot] === 0) cellIn[slot] = cells++
  if (cells > Math.min(mostCells, kindOf.length / fewest)) return undefined
  const cellOf = new Uint16Array(kindOf.length)
  eachRow(scores, (row, values, at) => {
    cellOf[row] = cellIn[slotOf(row, values[at]!)]!
  })
  return { width, cellOf, cells }
}

function tableOf(scores: ScoreColumns, { width, cellOf, cells }: CellNumbers): ScoreTable {
  const others = scores.columns - 1
  const othersOf = new Float64Array(cells * others)
  const counts = new Int32Array(cells)
  const starts = new Int32Array(cells)
  const weights = new Float64Array(2 * cells)
  const places = new Float64Array(placesPerCell * cells)
  for (const cell of cellOf) counts[cell]! += 1
  for (let cell = 1; cell < cells; cell++) starts[cell] = starts[cell - 1]! + counts[cell - 1]!
  const sorted = new Float32Array(cellOf.length)
  const next = starts.slice()
  eachRow(scores, (row, values, at) => {
    const cell = cellOf[row]!
    sorted[next[cell]!] = values[at]!
    next[cell]! += 1
    for (let k = 0; k < others; k++) othersOf[cell * others + k] = values[at + 1 + k]!
  })

  const scoresOf = (cell: number) => sorted.subarray(starts[cell]!, starts[cell]! + counts[cell]!)
  const describe = (cell: number) => {
    const own = scoresOf(cell)
    const { low, mean, high, weight } = nodesOf(own)
    places.set([own[0] ?? 0, low, mean, high, own.at(-1) ?? 0], placesPerCell * cell)
    weights[2 * cell] = weight * own.length
    weights[2 * cell + 1] = (1 - weight) * own.length
  }
  for (let cell = 0; cell < cells; cell++) {
    scoresOf(cell).sort()
    describe(cell)
  }

  return {
    width,
    cellOf,
    counts,
    weights,
    places,
    scoresOf,
    writeScores(cell, first, into) {
      into[0] = first
      for (let k = 0; k < others; k++) into[k + 1] = othersOf[cell * others + k]!
    },
    take(row) {
      const cell = cellOf[row]!
      if (cell === nowhere) return
      cellOf[row] = nowhere
      const own = scoresOf(cell)
      const at = own.indexOf(firstScore(scores, row))
      own.copyWithin(at, at + 1)
      counts[cell]! -= 1
      describe(cell)
    },
  }
}

/** The mean, and the nodes from the first three moments: μ + σ(γ/2 ± √(1 + γ²/4)), γ the skewness. `weight`: the share of the lower. */
function nodesOf(scores: Float32Array) {
  const count = Math.max(1, scores.length)
  let mean = 0
  for (const score of scores) mean += score / count
  let squares = 0
  let cubes = 0
  for (const score of scores) {
    const off = score - mean
    squares += off * off
    cubes += off * off * off
  }
  const deviation = Math.sqrt(squares / count)
  const half = deviation > 0 ? cubes / count / deviation ** 3 / 2 : 0
  const root = Math.sqrt(1 + half * half)
  const inside = (score: number) => Math.min(scores.at(-1) ?? 0, Math.max(scores[0] ?? 0, score)) // but for rounding, they are
  return {
    low: inside(mean + deviation * (half - root)),
    mean,
    high: inside(mean + deviation * (half + root)),
    weight: (1 + half / root) / 2,
  }
}

/** All pieces but the last have as many rows as the first. */
function firstScore({ pieces, columns }: ScoreColumns, row: number): number {
  const rows = pieces[0]!.length / columns
  return pieces[Math.floor(row / rows)]![(row % rows) * columns]!
}

/** Calls for every row with the numbers it lies among, and where it begins. */
function eachRow<Numbers extends { readonly length: number }>(
  { pieces, columns }: { readonly pieces: readonly Numbers[]; readonly columns: number },
  call: (row: number, values: Numbers, at: number) => void,
): void {
  let row = 0
  for (const values of pieces) for (let at = 0; at < values.length; at += columns) call(row++, values, at)
}
