import { type Belief, emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, noRanks } from '../../core/margins.ts'
import { memoize } from '../../core/memoize.ts'
import type { Ingredient } from '../../masses/mass.ts'
import type { Cells } from './score-cells.ts'

/** Scores that stand for those of a cell, between −1 and 1: near its ends, where functions peak, and in the middle. */
export const nodesPerCell = 3

/** One more shows whether they do: where the third power of the place, which they leave out, is farthest off. */
export const places = Float64Array.of(-0.999, 0, 0.999, Math.sqrt(1 / 3))
export const placesPerCell = 4

/** What is believed at every place of every cell. It is the same round after round, so it is read once, of the cells that have points. */
export interface Beliefs {
  /** At a place of a cell that was asked about before, or for any score. One object, filled anew at every call. */
  at(place: number): Belief
  of(score: number): Belief
  /** The values of an ingredient that needs no ranks, by place. */
  values(ingredient: Ingredient, cells: Int32Array): Float64Array
  /** The margin bin, by cell; −1 where it has several. */
  bins(cells: Int32Array): Float64Array
}

const beliefsBy = memoize((reader: Reader) => memoize((cells: Cells) => beliefsOf(reader, cells)))

export const beliefsAt = (reader: Reader, cells: Cells): Beliefs => beliefsBy(reader)(cells)

function beliefsOf(reader: Reader, { count, edges, farthest }: Cells): Beliefs {
  const belief = emptyBelief(2)
  const { probabilities, losses } = belief
  const scores = new Float64Array(1)

  const of = (score: number) => {
    scores[0] = score
    reader.read(scores, belief)
    return belief
  }
  const read = tableOf(2 * count, 4 * placesPerCell, (index, into) => {
    const cell = index % count
    const [low, high] = [edges[cell]!, edges[cell + 1]!]
    const last = farthest[index]!
    for (let q = 0; q < placesPerCell; q++) {
      const size = (low + high) / 2 + ((high - low) / 2) * places[q]!
      of(size > Math.abs(last) ? last : Math.sign(last) * size) // or it may lie beyond an edge, between two floats
      into.set(probabilities, 4 * q)
      into.set(losses, 4 * q + 2)
    }
  })
  const at = (place: number) => {
    const { all } = read
    probabilities[0] = all[4 * place]!
    probabilities[1] = all[4 * place + 1]!
    losses[0] = all[4 * place + 2]!
    losses[1] = all[4 * place + 3]!
    return belief
  }
  const bins = tableOf(2 * count, 1, (index, into) => {
    const own = Array.from(places, (_, q) => marginBin(marginOf(at(index * placesPerCell + q))))
    into[0] = own.every((bin) => bin === own[0]) ? own[0]! : -1
  })
  const tableFor = memoize((ingredient: Ingredient) =>
    tableOf(2 * count, placesPerCell, (index, into) => {
      for (let q = 0; q < placesPerCell; q++) into[q] = ingredient.value(at(index * placesPerCell + q), noRanks)
    }),
  )
  const after = (table: Table, cells: Int32Array) => {
    read.know(cells)
    return table.know(cells)
  }
  return {
    at,
    of,
    bins: (cells) => after(bins, cells),
    values: (ingredient, cells) => after(tableFor(ingredient), cells),
  }
}

interface Table {
  readonly all: Float64Array
  /** Computes what is missing for these cells. */
  know(cells: Int32Array): Float64Array
}

/** So many numbers for each cell, computed when first asked for. */
function tableOf(cells: number, width: number, compute: (cell: number, into: Float64Array) => void): Table {
  const all = new Float64Array(cells * width)
  const isKnown = new Uint8Array(cells)
  let last: Int32Array | undefined
  return {
    all,
    know(wanted) {
      if (wanted === last) return all
      for (let c = 0; c < wanted.length; c++) {
        const cell = wanted[c]!
        if (isKnown[cell]) continue
        compute(cell, all.subarray(cell * width, (cell + 1) * width))
        isKnown[cell] = 1
      }
      last = wanted
      return all
    },
  }
}
