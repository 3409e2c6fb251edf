import { requireInput } from './errors.ts'
import { identityOf } from './hash.ts'
import { frozenChoice, type LearnerChoice } from './learner-choice.ts'

/**
 * Trees that vote: each sends a row from its root to a leaf, which has a share for every class; the scores are read off the sums S of
 * these shares over all T trees:
 *
 *   zₖ = log (Sₖ + ½) − log (T/K + ½)        two classes: z = log (S₁ + ½) − log (S₀ + ½)
 *
 * so that their loss reads them as the shares of votes, half a vote added to each class; or halfway between these and the scores of a linear model
 * `beside` them. All trees lie in flat arrays, one node after
 * another, depth first. Frozen all the way down; `JSON.stringify` is its file format; `id` is the SHA-256 of everything else.
 */
export interface TreesModel {
  readonly kind: 'trees'
  readonly id: string
  /** The loss that reads its scores as probabilities. */
  readonly loss: string
  /** Two classes: negative first, positive second. */
  readonly classes: readonly string[]
  /** Features of a row. */
  readonly width: number
  /** The first node of every tree. */
  readonly roots: readonly number[]
  /** What each node looks at: a feature, or −1 for a leaf. */
  readonly features: readonly number[]
  /** A row whose feature is at most this goes on to the next node; 0 for a leaf. */
  readonly cuts: readonly number[]
  /** The node that all other rows go on to; for a leaf, which of `shares` it has. */
  readonly others: readonly number[]
  /** What leaves have: a share for each class. */
  readonly shares: readonly (readonly number[])[]
  /** What is as much of the scores as the trees are, where there is something. */
  readonly beside?: LinearScores
  /** How its learner was chosen, where one was; its scores are multiplied by the scale. */
  readonly choice?: LearnerChoice
}

/** A row of weights for each score, as of a linear model. */
export interface LinearScores {
  readonly weights: readonly (readonly number[])[]
  readonly intercepts: readonly number[]
}

export function treesModel(parts: Omit<TreesModel, 'kind' | 'id'>): TreesModel {
  requireTrees(parts)
  const { loss, classes, width, roots, features, cuts, others, shares, beside, choice } = parts
  const content = {
    kind: 'trees' as const,
    loss,
    classes: Object.freeze([...classes]),
    width,
    roots: Object.freeze([...roots]),
    features: Object.freeze([...features]),
    cuts: Object.freeze([...cuts]),
    others: Object.freeze([...others]),
    shares: Object.freeze(shares.map((row) => Object.freeze([...row]))),
    ...(beside && { beside: frozenScores(beside) }),
    ...(choice && { choice: frozenChoice(choice) }),
  }
  return Object.freeze({ ...content, id: identityOf(content) })
}

const frozenScores = ({ weights, intercepts }: LinearScores): LinearScores =>
  Object.freeze({
    weights: Object.freeze(weights.map((row) => Object.freeze([...row]))),
    intercepts: Object.freeze([...intercepts]),
  })

/** Every node leads to later ones only, so that every row comes to a leaf. */
function requireTrees({ classes, width, roots, features, cuts, others, shares, beside }: Omit<TreesModel, 'kind' | 'id'>): void {
  const nodes = features.length
  const isWithin = (value: number, from: number, below: number) => Number.isInteger(value) && value >= from && value < below
  requireInput(classes.length >= 2, `model: at least 2 classes are required, got ${classes.length}`)
  requireInput(cuts.length === nodes && others.length === nodes, `model: ${nodes} nodes need as many cuts and others`)
  requireInput(
    roots.every((root) => isWithin(root, 0, nodes)),
    `model: every tree must begin at one of ${nodes} nodes`,
  )
  requireInput(
    features.every((feature, node) =>
      feature === -1
        ? isWithin(others[node]!, 0, shares.length)
        : isWithin(feature, 0, width) && Number.isFinite(cuts[node]) && isWithin(others[node]!, node + 2, nodes),
    ),
    `model: every node must be a leaf or lead from one of ${width} features to later nodes`,
  )
  requireInput(
    shares.every((row) => row.length === classes.length && row.every((share) => share >= 0 && share <= 1)),
    `model: every leaf needs a share from 0 to 1 for each of ${classes.length} classes`,
  )
  const scores = classes.length === 2 ? 1 : classes.length
  requireInput(
    !beside ||
      (beside.weights.length === scores &&
        beside.intercepts.length === scores &&
        [...beside.weights, beside.intercepts].every(
          (row, k) => (k === scores || row.length === width) && row.every(Number.isFinite),
        )),
    `model: what is beside the trees needs ${scores} rows of ${width} finite weights`,
  )
}

/** Adds up what all trees say of a row. */
export function voteCounter({
  roots,
  features,
  cuts,
  others,
  shares,
}: TreesModel): (row: Float64Array, sums: Float64Array) => void {
  const feature = Int32Array.from(features)
  const cut = Float64Array.from(cuts)
  const other = Int32Array.from(others)
  const first = Int32Array.from(roots)
  const leaves = Float64Array.from(shares.flat())
  return (row, sums) => {
    sums.fill(0)
    for (let tree = 0; tree < first.length; tree++) {
      let node = first[tree]!
      for (let j = feature[node]!; j >= 0; j = feature[node]!) node = row[j]! <= cut[node]! ? node + 1 : other[node]!
      const leaf = other[node]! * sums.length
      for (let k = 0; k < sums.length; k++) sums[k]! += leaves[leaf + k]!
    }
  }
}

/** How many votes, of how many classes, and what scores are multiplied by. */
export interface VoteShape {
  readonly trees: number
  readonly classes: number
  readonly scale: number
}

export const voteShapeOf = ({ roots, classes, beside, choice }: TreesModel): VoteShape => ({
  trees: roots.length,
  classes: classes.length,
  scale: (choice?.scale ?? 1) * (beside ? 0.5 : 1),
})

/** The scores that sums of shares from some position on come to: one for two classes, K for K. They may be written where the sums are. */
export function scoreVotes(
  { trees, classes, scale }: VoteShape,
  sums: Float64Array,
  from: number,
  into: Float64Array,
  at: number,
): void {
  if (classes === 2) into[at] = scale * Math.log((sums[from + 1]! + 0.5) / (sums[from]! + 0.5))
  else for (let k = 0; k < classes; k++) into[at + k] = scale * Math.log((sums[from + k]! + 0.5) / (trees / classes + 0.5))
}
