import { requireInput } from '../core/errors.ts'
import { sequenceOf } from '../core/randomness.ts'
import { type TreesModel, treesModel } from '../core/trees-model.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import { type ColumnTable, columnTable } from './column-table.ts'
import type { Learner } from './learner.ts'
import { requireTraining } from './training.ts'

export interface TreesOptions {
  /** Default 100. */
  readonly trees?: number
  /** Of all random choices. Default 0. */
  readonly seed?: number
}

/**
 * Extremely randomised trees (Geurts, Ernst and Wehenkel 2006): every tree is grown on all rows until its leaves are of one class. A node looks at
 * √d features at random that are not constant in it, draws one cut for each, uniform over its range there, and takes the one with the
 * purest halves:  max Σ (Σₖ wₖ²) / Σₖ wₖ  over both, wₖ the weight of class k. The model does not depend on the order of rows, and a row of
 * weight 2 is the row twice.   @see docs/equations.md#trees
 */
export function treesLearner(classes: number, { trees = 100, seed = 0 }: TreesOptions = {}): Learner<TreesModel> {
  requireInput(Number.isInteger(trees) && trees >= 1, `trees: there must be at least 1, got ${trees}`)
  const loss = classes === 2 ? logistic : crossEntropy
  return {
    name: 'trees',
    loss,
    fit(training, names) {
      requireInput(names.length === classes, `trees: there must be ${classes} classes, got ${names.length}`)
      requireTraining('trees', training, classes)
      const forest = emptyForest()
      const table = columnTable(training)
      if (table.rows > 0)
        for (let t = 0; t < (training.isTrial ? Math.min(trees, enoughForTrial) : trees); t++)
          growTree(forest, table, classes, sequenceOf({ seed, name: `trees/${t}` }))
      return treesModel({ loss: loss.name, classes: names, width: training.features.columns, ...forest.parts })
    },
  }
}

/** So many trees are nearly as good as any number of them. */
const enoughForTrial = 50

/** Trees so far, as their model has them. */
function emptyForest() {
  const parts = {
    roots: [] as number[],
    features: [] as number[],
    cuts: [] as number[],
    others: [] as number[],
    shares: [] as number[][],
  }
  const known = new Map<number | string, number>()
  return {
    parts,
    /** Which of the shares a leaf with these weights has. */
    leafOf(weights: Float64Array): number {
      const key = classOf(weights) ?? weights.join()
      const found = known.get(key)
      if (found !== undefined) return found
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      const leaf = parts.shares.push(Array.from(weights, (weight) => weight / total)) - 1
      known.set(key, leaf)
      return leaf
    },
  }
}

/** Rows of a node that is still to be made, and the node that leads to it, unless it is the one before. */
interface Pending {
  readonly from: number
  readonly to: number
  readonly parent: number | undefined
}

function growTree(
  { parts, leafOf }: ReturnType<typeof emptyForest>,
  table: ColumnTable,
  classes: number,
  random: () => number,
): void {
  const { roots, features, cuts, others } = parts
  const rows = Int32Array.from({ length: table.rows }, (_, i) => i)
  const split = splitter(table, classes, rows, random)
  const pending: Pending[] = [{ from: 0, to: rows.length, parent: undefined }]
  roots.push(features.length)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { from, to, parent } = next
    const node = features.length
    if (parent !== undefined) others[parent] = node
    const found = split.best(from, to)
    features.push(found ? found.feature : -1)
    cuts.push(found ? found.cut : 0)
    others.push(found ? 0 : leafOf(split.weights))
    if (!found) continue
    const middle = partition(rows, from, to, table.values.subarray(found.feature * table.rows), found.cut)
    pending.push({ from: middle, to, parent: node }, { from, to: middle, parent: undefined })
  }
}

/** Puts the rows that are at most the cut before the others; where these begin. */
function partition(rows: Int32Array, from: number, to: number, values: Float64Array, cut: number): number {
  let [low, high] = [from, to - 1]
  while (low <= high) {
    const row = rows[low]!
    if (values[row]! <= cut) low++
    else {
      rows[low] = rows[high]!
      rows[high--] = row
    }
  }
  return low
}

interface Split {
  readonly feature: number
  readonly cut: number
}

/** Finds splits of some rows. `weights` are those of the classes in the node that was looked at last. */
function splitter(table: ColumnTable, classes: number, rows: Int32Array, random: () => number) {
  const { columns } = table
  const most = Math.max(1, Math.floor(Math.sqrt(columns)))
  const order = Int32Array.from({ length: columns }, (_, j) => j)
  const weights = new Float64Array(classes)
  const below = new Float64Array(classes)
  const labels = new Int32Array(rows.length) // of the node, side by side, and one feature of its rows
  const counts = new Float64Array(rows.length)
  const values = new Float64Array(rows.length)

  function enter(from: number, to: number): void {
    weights.fill(0)
    for (let i = from; i < to; i++) {
      const row = rows[i]!
      labels[i - from] = table.labels[row]!
      counts[i - from] = table.weights[row]!
      weights[labels[i - from]!]! += counts[i - from]!
    }
  }

  /** A cut of a feature in the node; undefined where the feature is constant. */
  function cutOf(feature: number, from: number, to: number): number | undefined {
    const start = feature * table.rows
    let least = Number.POSITIVE_INFINITY
    let largest = Number.NEGATIVE_INFINITY
    for (let i = from; i < to; i++) {
      const value = table.values[start + rows[i]!]!
      values[i - from] = value
      if (value < least) least = value
      if (value > largest) largest = value
    }
    return least < largest ? shortCut(largest - random() * (largest - least), least, largest) : undefined
  }

  /** Σ (Σₖ wₖ²) / Σₖ wₖ  over both halves */
  function purity(cut: number, size: number): number {
    below.fill(0)
    for (let i = 0; i < size; i++) if (values[i]! <= cut) below[labels[i]!]! += counts[i]!
    let [low, high, lowSquares, highSquares] = [0, 0, 0, 0]
    for (let k = 0; k < classes; k++) {
      const [a, b] = [below[k]!, weights[k]! - below[k]!]
      low += a
      high += b
      lowSquares += a * a
      highSquares += b * b
    }
    return lowSquares / low + highSquares / high
  }

  function best(from: number, to: number): Split | undefined {
    enter(from, to)
    let found: Split | undefined
    if (classOf(weights) !== undefined) return found
    let purest = Number.NEGATIVE_INFINITY
    for (let tried = 0, seen = 0; tried < most && seen < columns; seen++) {
      const at = seen + Math.floor((1 - random()) * (columns - seen))
      const feature = order[at]!
      order[at] = order[seen]!
      order[seen] = feature
      const cut = cutOf(feature, from, to)
      if (cut === undefined) continue
      tried++
      const value = purity(cut, to - from)
      if (value > purest) {
        purest = value
        found = { feature, cut }
      }
    }
    return found
  }

  return { weights, best }
}

/** The only class that has any weight; undefined where there are more. */
function classOf(weights: Float64Array): number | undefined {
  let only: number | undefined
  for (let k = 0; k < weights.length; k++) {
    if (weights[k] === 0) continue
    if (only !== undefined) return undefined
    only = k
  }
  return only
}

/** To four places, where that is still from the least to below the largest: models are written down. */
function shortCut(cut: number, least: number, largest: number): number {
  const short = Math.round(cut * 1e4) / 1e4
  if (short >= least && short < largest) return short
  return cut >= least && cut < largest ? cut : least
}
