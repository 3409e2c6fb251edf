import { factorInPlace, solveInPlace } from '../core/cholesky.ts'
import { type FeatureRows, INTERCEPT_COLUMN } from '../core/features.ts'
import type { LearnableLoss } from '../losses/loss.ts'
import { marginLoss } from '../losses/loss.ts'
import type { TrainingSet } from './learner.ts'

/** Σᵢ wᵢ max(0, 1 − yᵢ aᵢ·v) + (λ/2) ‖v‖²  is within this share of its smallest value. */
const gapTolerance = 1e-12
/** Rows on the margin up to which they are put there by a system of equations. */
const mostFree = 1024
/** How wide the kink is made, from one model to the next; a model that is only tried is as good as the third. */
const widths = [2, 0.3, 0.03, 3e-3, 3e-4, 3e-5, 3e-6, 3e-7]

/**
 * The parameters (β, b/10) of the support vector machine with the plain hinge. The loss has a kink, so a smooth one is minimised in its place, whose kink
 * is a parabola ever narrower. Once it is known which rows lie on the margin, they are put there exactly: their αᵢ in
 *
 *   v = Σ αᵢ yᵢ aᵢ / λ,  0 ≤ αᵢ ≤ wᵢ,
 *
 * solve a system of equations, and the gap between the problem and its dual, Σ αᵢ − (λ/2) ‖v‖², proves the solution.   @see docs/equations.md#training
 */
export function hingeMinimum(
  { features, labels, weights, isTrial = false }: TrainingSet,
  l2: number,
  minimum: (loss: LearnableLoss, start?: Float64Array) => Float64Array,
): Float64Array {
  const signs = labels.map((label) => 2 * label - 1)
  const rows = { features, signs, weights, l2 }
  let point: Float64Array | undefined
  for (const width of isTrial ? widths.slice(0, 3) : widths) {
    point = minimum(roundedHinge(width), point)
    const exact = width < 0.1 ? onTheMargin(rows, point, width) : undefined
    if (exact && gapAt(rows, exact.alphas, exact.point) <= gapTolerance) return exact.point
  }
  return point!
}

/** max(0, 1 − yz), but for a parabola in the last stretch before 1. */
const roundedHinge = (width: number): LearnableLoss =>
  marginLoss({
    name: 'rounded hinge',
    value(label, score) {
      const lack = 1 - label * score
      return lack <= 0 ? 0 : lack < width ? lack ** 2 / (2 * width) : lack - width / 2
    },
    slope: (label, score) => -label * Math.min(Math.max((1 - label * score) / width, 0), 1),
    pseudoLoss: (score: number) => 1 + Math.abs(score),
    probability: () => 0.5,
    curvature: {
      at: (label, score) => (1 - label * score > 0 && 1 - label * score < width ? 1 / width : 0),
      largest: 1 / width,
    },
  })

interface HingeRows {
  readonly features: FeatureRows
  readonly signs: readonly number[]
  readonly weights: readonly number[]
  readonly l2: number
}

const scoreOf = (features: FeatureRows, i: number, point: Float64Array) =>
  features.dot(i, point) + INTERCEPT_COLUMN * point[features.columns]!

/** v ← v + change · yᵢ aᵢ / λ */
function move({ features, signs, l2 }: HingeRows, i: number, change: number, point: Float64Array): void {
  if (change === 0) return
  const factor = (change * signs[i]!) / l2
  features.addInPlace(i, factor, point)
  point[features.columns]! += INTERCEPT_COLUMN * factor
}

/** How far the two problems are apart, as a share of the first. */
function gapAt({ features, signs, weights, l2 }: HingeRows, alphas: Float64Array, point: Float64Array): number {
  const penalty = (l2 / 2) * point.reduce((sum, entry) => sum + entry * entry, 0)
  let [loss, dual] = [0, 0]
  for (let i = 0; i < alphas.length; i++) {
    loss += weights[i]! * Math.max(0, 1 - signs[i]! * scoreOf(features, i, point))
    dual += alphas[i]!
  }
  return (loss + 2 * penalty - dual) / (loss + penalty + Number.MIN_VALUE)
}

/** The same rows in the stretch taken to lie on the margin, the others where they are. Undefined where these rows do not tell. */
function onTheMargin(rows: HingeRows, near: Float64Array, width: number): HingeSolution | undefined {
  const { features, signs, weights } = rows
  const lacks = signs.map((sign, i) => 1 - sign * scoreOf(features, i, near))
  const free = [...lacks.keys()].filter((i) => weights[i]! > 0 && lacks[i]! > 0 && lacks[i]! < width)
  if (free.length > mostFree) return undefined
  const alphas = Float64Array.from(lacks, (lack, i) => weights[i]! * Math.min(Math.max(lack / width, 0), 1))
  const told = independent(rows, free) // where these lie on the margin, the others do
  for (const i of told) alphas[i] = 0
  const solved = solvedAt(rows, told, pointOf(rows, alphas))
  for (const [a, i] of told.entries()) alphas[i] = solved[a]!
  if (free.some((i) => !(alphas[i]! >= 0 && alphas[i]! <= weights[i]!))) return undefined
  return { alphas, point: pointOf(rows, alphas) }
}

interface HingeSolution {
  readonly alphas: Float64Array
  readonly point: Float64Array
}

/** Σ αᵢ yᵢ aᵢ / λ */
function pointOf(rows: HingeRows, alphas: Float64Array): Float64Array {
  const point = new Float64Array(rows.features.columns + 1)
  for (let i = 0; i < alphas.length; i++) move(rows, i, alphas[i]!, point)
  return point
}

/** Those of some rows that are no combination of the ones before them. */
function independent(rows: HingeRows, free: readonly number[]): number[] {
  const matrix = productsOf(rows, free)
  factorInPlace(matrix, free.length)
  return free.filter((_, a) => matrix[a * free.length + a]! > 0)
}

/** The α of some rows that put them on the margin, given what all others come to. */
function solvedAt(rows: HingeRows, free: readonly number[], point: Float64Array): Float64Array {
  const { features, signs } = rows
  const matrix = productsOf(rows, free)
  const solved = Float64Array.from(free, (i) => 1 - signs[i]! * scoreOf(features, i, point))
  factorInPlace(matrix, free.length)
  solveInPlace(matrix, solved)
  return solved
}

/** yᵢyⱼ aᵢ·aⱼ / λ */
function productsOf({ features, signs, l2 }: HingeRows, free: readonly number[]): Float64Array {
  const size = free.length
  const matrix = new Float64Array(size * size)
  for (const [a, i] of free.entries()) {
    const own = new Float64Array(features.columns + 1)
    features.addInPlace(i, 1, own)
    own[features.columns] = INTERCEPT_COLUMN
    for (const [b, j] of free.entries()) matrix[b * size + a] = (signs[i]! * signs[j]! * scoreOf(features, j, own)) / l2
  }
  return matrix
}
