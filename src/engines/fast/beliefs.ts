import { type Belief, emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin } from '../../core/margins.ts'
import { lossMoments } from '../../core/survey.ts'
import type { Ingredient } from '../../masses/mass.ts'
import type { Cells } from './cells.ts'

/** Scores that stand for those of a cell. */
export const nodesPerCell = 6

/** Where Chebyshev puts them, between −1 and 1. */
export const nodePlaces = Float64Array.from({ length: nodesPerCell }, (_, q) => Math.cos(((q + 0.5) * Math.PI) / nodesPerCell))

/** What is believed at every node of every cell: the same round after round, so it is read once. */
export interface Beliefs {
  /** At a node, or for any score. One object, filled anew at every call. */
  at(node: number): Belief
  of(score: number): Belief
  /** The values of an ingredient that needs no ranks, by node. */
  values(ingredient: Ingredient): Float64Array
  /** Mean, variance, least and most of the loss, by node. */
  moments(): Float64Array
  /** The margin bin of every cell; −1 where it has several. */
  readonly bins: Int16Array
}

const known = new WeakMap<Reader, WeakMap<Cells, Beliefs>>()

export function beliefsAt(reader: Reader, cells: Cells): Beliefs {
  const own = known.get(reader) ?? new WeakMap<Cells, Beliefs>()
  known.set(reader, own)
  const found = own.get(cells) ?? readAll(reader, cells)
  own.set(cells, found)
  return found
}

function readAll(reader: Reader, { count, edges }: Cells): Beliefs {
  const belief = emptyBelief(2)
  const { probabilities, losses } = belief
  const scores = new Float64Array(1)
  const nodes = 2 * count * nodesPerCell
  const all = new Float64Array(4 * nodes)
  const kept = new WeakMap<Ingredient, Float64Array>()

  const of = (score: number) => {
    scores[0] = score
    reader.read(scores, belief)
    return belief
  }
  const at = (node: number) => {
    probabilities[0] = all[4 * node]!
    probabilities[1] = all[4 * node + 1]!
    losses[0] = all[4 * node + 2]!
    losses[1] = all[4 * node + 3]!
    return belief
  }
  for (let index = 0; index < 2 * count; index++) {
    const cell = index % count
    if (cell === count - 1) continue
    const sign = index < count ? -1 : 1
    for (let q = 0; q < nodesPerCell; q++) {
      const [low, high] = [edges[cell]!, edges[cell + 1]!]
      of(sign * ((low + high) / 2 + ((high - low) / 2) * nodePlaces[q]!))
      const to = 4 * (index * nodesPerCell + q)
      all.set(probabilities, to)
      all.set(losses, to + 2)
    }
  }
  const bins = Int16Array.from({ length: 2 * count }, (_, index) => {
    const own = Array.from({ length: nodesPerCell }, (_, q) => marginBin(marginOf(at(index * nodesPerCell + q))))
    return own.every((bin) => bin === own[0]) ? own[0]! : -1
  })
  let moments: Float64Array | undefined
  return {
    at,
    of,
    bins,
    moments() {
      moments ??= Float64Array.from(
        Array.from({ length: nodes }, (_, node) => {
          const { mean, variance, least, most } = lossMoments(at(node))
          return [mean, variance, least, most]
        }).flat(),
      )
      return moments
    },
    values(ingredient) {
      const found = kept.get(ingredient) ?? Float64Array.from({ length: nodes }, (_, node) => ingredient.value(at(node), noRanks))
      kept.set(ingredient, found)
      return found
    },
  }
}

const noRanks = new Float64Array(0)
