import type { Reader } from '../../core/belief.ts'
import { marginBins } from '../../core/margins.ts'
import type { Census, Mass } from '../../masses/mass.ts'
import { beliefsAt, nodesPerCell, places, placesPerCell } from './cell-beliefs.ts'
import type { Cells } from './score-cells.ts'

/**
 * The scores of a pool in quadrature. In every cell a few scores, its nodes, stand for all: with the right weights, a sum over them is the
 * sum over the points for every polynomial of degree 2, and what we add up is as good as one within a cell. The weights follow from the
 * sums of the scores and of their squares, so one pass over the pool is enough for every total.
 */
export interface ScoreQuadrature {
  readonly cells: Cells
  readonly points: number
  /** Cells that have points, those of negative scores first, and how many each has. */
  readonly occupied: Int32Array
  readonly counts: Float64Array
  /** Of each cell's nodes. */
  readonly weights: Float64Array
  /** Of each cell, the scores that no point is nearer to 0 than, and none farther. Where it has one point or two, these are theirs. */
  readonly ends: Float64Array
}

/** Numbers of a cell as src/engines/kernels/assembly/tally.ts gathers them: which, how many points, Σr, Σr². */
export const numbersPerCell = 4

const nodes = [...places.subarray(0, nodesPerCell)]

/** Coefficients of the polynomials that are 1 at one node and 0 at the others. */
const bases = nodes.map((own, q) => {
  let polynomial = [1]
  for (const [r, other] of nodes.entries()) {
    if (r === q) continue
    const next = new Array<number>(polynomial.length + 1).fill(0)
    for (const [k, coefficient] of polynomial.entries()) {
      next[k]! -= (coefficient * other) / (own - other)
      next[k + 1]! += coefficient / (own - other)
    }
    polynomial = next
  }
  return Float64Array.from(polynomial)
})

/** What each node contributes to the polynomial through all of them, at some place. */
export function sharesAt(place: number): readonly [number, number, number] {
  const [a, b, c] = bases.map((basis) => basis.reduceRight((sum, coefficient) => sum * place + coefficient, 0))
  return [a!, b!, c!]
}

/** From what was gathered of each slab. Undefined if a score lies beyond all cells, or is no number. */
export function quadratureOf(slabs: readonly Float64Array[], cells: Cells): ScoreQuadrature | undefined {
  const { count, edges, origins, units, farthest } = cells
  const gathered = slabs.length === 1 ? slabs[0]! : addUp(slabs, 2 * count)
  const occupied = new Int32Array(gathered.length / numbersPerCell)
  const counts = new Float64Array(occupied.length)
  const weights = new Float64Array(occupied.length * nodesPerCell)
  const ends = new Float64Array(occupied.length * 2)
  let points = 0
  for (let c = 0; c < occupied.length; c++) {
    const from = numbersPerCell * c
    const index = gathered[from]!
    const cell = index % count
    if (cell === count - 1) return undefined
    const number = gathered[from + 1]!
    const sum = gathered[from + 2]!
    const squares = gathered[from + 3]!
    occupied[c] = index
    counts[c] = number
    points += number
    // A place r lies at a + b·r, from −1 to 1 across the cell.
    const half = (edges[cell + 1]! - edges[cell]!) / 2
    const a = (origins[cell]! - edges[cell]!) / half - 1
    const b = units[cell]! / half
    const first = number * a + b * sum
    const second = number * a * a + 2 * a * b * sum + b * b * squares
    for (let q = 0; q < nodesPerCell; q++) {
      const basis = bases[q]!
      weights[c * nodesPerCell + q] = basis[0]! * number + basis[1]! * first + basis[2]! * second
    }
    // No number lies farther from the mean of n than √(n − 1) standard deviations: Samuelson.
    const mean = first / number
    const reach = Math.sqrt((number - 1) * Math.max(0, second / number - mean * mean)) + b / 2
    const middle = edges[cell]! + half
    const sign = index < count ? -1 : 1
    ends[2 * c] = sign * (middle + half * Math.max(-1, mean - reach))
    ends[2 * c + 1] = sign * Math.min(middle + half * (mean + reach), Math.abs(farthest[index]!))
  }
  return { cells, points, occupied, counts, weights, ends }
}

function addUp(slabs: readonly Float64Array[], cells: number): Float64Array {
  const total = new Float64Array(numbersPerCell * cells)
  for (const gathered of slabs)
    for (let from = 0; from < gathered.length; from += numbersPerCell) {
      const to = numbersPerCell * gathered[from]!
      total[to] = gathered[from]!
      for (let k = 1; k < numbersPerCell; k++) total[to + k]! += gathered[from + k]!
    }
  return total.filter((_, k) => total[k - (k % numbersPerCell) + 1]! > 0)
}

/** The sum over the pool of a function whose values at all places of all cells are known, as far as cells have points. */
function sumOver({ occupied, weights }: ScoreQuadrature, values: Float64Array): number {
  let sum = 0
  for (let c = 0; c < occupied.length; c++) {
    const from = placesPerCell * occupied[c]!
    const at = nodesPerCell * c
    sum += weights[at]! * values[from]! + weights[at + 1]! * values[from + 1]! + weights[at + 2]! * values[from + 2]!
  }
  return sum
}

/** The census of a mass; undefined where a cell has points of several margin bins. Whether parts are smooth shows in the mass they make. */
export function censusOf(quadrature: ScoreQuadrature, loss: Reader, { parts }: Mass): Census | undefined {
  const { occupied, counts, points, cells } = quadrature
  const beliefs = beliefsAt(loss, cells)
  const bins = beliefs.bins(occupied)
  const margins = new Float64Array(marginBins)
  for (let c = 0; c < occupied.length; c++) {
    const bin = bins[occupied[c]!]!
    if (bin < 0) return undefined
    margins[bin]! += counts[c]!
  }
  const totals = parts.map(({ of }) => (of.rankPower ? 0 : sumOver(quadrature, beliefs.values(of, occupied))))
  return { points, margins, totals }
}
