import { nowhere } from './slab-contents.ts'

/**
 * Scores that are columns of the pool, in cells: points whose first scores lie close together, and whose other scores are the same, as
 * those that name a predicted class are. A cell stands for its points by two weighted first scores: with the nodes of Gauss, sums of all
 * polynomials of degree 3 are exact, and both lie between the scores of points.
 */
export interface ScoreTable {
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

/** How wide cells are. */
export const cellWidth = 1 / 32

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
  const cellOf = kinds && cellsOf(scores, kinds)
  return cellOf && tableOf(scores, cellOf)
}

/** Which rows share all scores but the first, by number; undefined if there are too many kinds. */
function kindsOf({ pieces, columns }: ScoreColumns): Int32Array | undefined {
  const kindOf = new Int32Array(pieces.reduce((sum, { length }) => sum + length, 0) / columns)
  const bits = pieces.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length))
  for (let k = 1; k < columns; k++) {
    const numbers = new Map<number, number>() // by the kind so far, and the bits of the score
    eachRow({ pieces: bits, columns }, (row, values, at) => {
      const key = kindOf[row]! * 2 ** 32 + values[at + k]!
      const known = numbers.get(key)
      kindOf[row] = known ?? numbers.size
      if (known === undefined && numbers.size <= mostCells) numbers.set(key, numbers.size)
    })
    if (numbers.size > mostCells) return undefined
  }
  return kindOf
}

/** The cell of each row; undefined if they are too many. */
function cellsOf(scores: ScoreColumns, kindOf: Int32Array): Uint16Array | undefined {
  let [low, high, kinds] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  eachRow(scores, (row, values, at) => {
    low = Math.min(low, values[at]!)
    high = Math.max(high, values[at]!)
    kinds = Math.max(kinds, kindOf[row]! + 1)
  })
  const slots = Math.floor((high - low) / cellWidth) + 1
  if (!(slots * kinds <= mostSlots)) return undefined // also where some score is no number
  const cellIn = new Int32Array(slots * kinds)
  const slotOf = kindOf.map((kind) => kind * slots)
  eachRow(scores, (row, values, at) => {
    slotOf[row]! += Math.floor((values[at]! - low) / cellWidth)
    cellIn[slotOf[row]!] = 1
  })
  let cells = 0
  for (let slot = 0; slot < cellIn.length; slot++) cells += cellIn[slot]!
  if (cells > Math.min(mostCells, kindOf.length / fewest)) return undefined
  for (let slot = cellIn.length - 1; slot >= 0; slot--) if (cellIn[slot] === 1) cellIn[slot] = --cells
  return Uint16Array.from(slotOf, (slot) => cellIn[slot]!)
}

function tableOf(scores: ScoreColumns, cellOf: Uint16Array): ScoreTable {
  const others = scores.columns - 1
  const cells = 1 + cellOf.reduce((most, cell) => Math.max(most, cell), 0)
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
