import { type Belief, emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import type { Uniforms } from '../../core/randomness.ts'
import { compensatedSum, type Sum } from '../../core/sums.ts'
import { lossMoments, type Survey } from '../../core/survey.ts'
import type { Census, Ingredient, Mass } from '../../masses/mass.ts'
import { isNear, settledSums } from './settle.ts'

/**
 * More than two classes: what K scores say of a point, in five numbers, as src/kernels/judge.ts writes them one after another. Masses are made of these and of
 * the margin's rank. An ingredient, a loss or a control is known by what it says of a few points: whoever says what we would say is
 * computed from the five numbers, everybody else is asked about every point, the way of the reference.
 */
const entropy = 0
const worst = 1
const wrong = 2
const margin = 3
const rootMeanSquare = 4
export const numbersKept = 5

type Formula = (kept: Float64Array, at: number) => number

const formulas: readonly Formula[] = [
  () => 1,
  (kept, at) => kept[at + entropy]!,
  (kept, at) => Math.sqrt(kept[at + wrong]!),
  (kept, at) => kept[at + rootMeanSquare]!,
  (kept, at) => Math.sqrt(kept[at + worst]!),
  (kept, at) => kept[at + worst]!,
  (kept, at) => 1 - kept[at + margin]!,
]

/** A few points to ask about, from sure to undecided. */
function probesFor(classes: number): Float64Array[] {
  return Array.from({ length: 12 }, (_, i) =>
    Float64Array.from({ length: classes }, (_, k) => (1 + i) * Math.sin(1 + 7 * i + 3 * k)),
  )
}

/** The five numbers of K scores, in plain JavaScript. */
function judged(scores: Float64Array): Float64Array {
  const most = scores.reduce((a, b) => Math.max(a, b))
  const total = most + Math.log(scores.reduce((sum, z) => sum + Math.exp(z - most), 0))
  const kept = new Float64Array(numbersKept)
  const sorted = Float64Array.from(scores, (z) => Math.exp(z - total)).sort()
  for (const z of scores) {
    const loss = total - z
    kept[entropy]! += Math.exp(-loss) * loss
    kept[rootMeanSquare]! += Math.exp(-loss) * loss * loss
    kept[worst] = Math.max(kept[worst]!, loss)
  }
  kept[rootMeanSquare] = Math.sqrt(kept[rootMeanSquare]!)
  kept[wrong] = sorted.subarray(0, -1).reduce((sum, p) => sum + p, 0)
  kept[margin] = sorted.at(-1)! - sorted.at(-2)!
  return kept
}

/** A mass by the formulas of its parts; no formula for a part that goes by rank. */
export interface KnownMass {
  readonly mass: Mass
  readonly formulas: readonly (Formula | undefined)[]
  readonly controls: number
  readonly probes: readonly { readonly belief: Belief; readonly kept: Float64Array }[]
}

/** The question in our own terms; undefined if somebody has terms of their own. */
export function knownMass(mass: Mass, loss: Reader, controls: readonly Reader[], classes: number): KnownMass | undefined {
  const probes = probesFor(classes).map((scores) => {
    const belief = emptyBelief(classes)
    loss.read(scores, belief)
    return { scores, belief, kept: judged(scores) }
  })
  const isSoftmax = probes.every(({ scores, belief }) => {
    const most = scores.reduce((a, b) => Math.max(a, b))
    const total = most + Math.log(scores.reduce((sum, z) => sum + Math.exp(z - most), 0))
    return scores.every((z, k) => isNear(belief.losses[k]!, total - z) && isNear(belief.probabilities[k]!, Math.exp(z - total)))
  })
  const isError = (control: Reader) =>
    probes.every(({ scores, kept }) => {
      const belief = emptyBelief(classes)
      control.read(scores, belief)
      const { mean, least, most } = lossMoments(belief)
      return isNear(mean, kept[wrong]!) && least === 0 && most === 1
    })
  if (!isSoftmax || !controls.every(isError)) return undefined
  const found: (Formula | undefined)[] = []
  for (const { of } of mass.parts) {
    const formula = formulas.find((each) => probes.every(({ belief, kept }) => isNear(valueFor(of, belief), each(kept, 0))))
    const isRank =
      of.rankPower !== undefined && probes.every(({ belief }) => valueFor(of, belief) === marginBin(marginOf(belief)))
    if (!formula && !isRank) return undefined
    found.push(isRank ? undefined : formula)
  }
  return { mass, formulas: found, controls: controls.length, probes }
}

const binNumbers = Float64Array.from({ length: marginBins }, (_, bin) => bin)
const valueFor = (of: Ingredient, belief: Belief) => of.value(belief, binNumbers)

/** Points with what was judged of each, and a bit for each that may no longer be drawn. */
export interface JudgedRows {
  readonly first: number
  readonly rows: number
  readonly kept: Float64Array
  readonly taken: Uint32Array
}

const isTaken = (taken: Uint32Array, row: number) => (taken[row >> 5]! & (1 << (row & 31))) !== 0

/** Counts and totals before a mass is settled. */
export function censusOfJudged(parts: readonly JudgedRows[], { formulas: own }: KnownMass): Census {
  const margins = new Float64Array(marginBins)
  const sums = own.map(() => compensatedSum())
  let points = 0
  for (const { kept, rows, taken } of parts)
    for (let row = 0; row < rows; row++) {
      if (isTaken(taken, row)) continue
      const at = row * numbersKept
      points++
      margins[marginBin(kept[at + margin]!)]! += 1
      for (let j = 0; j < own.length; j++) if (own[j]) sums[j]!.add(own[j]!(kept, at))
    }
  return { points, margins, totals: sums.map((sum) => sum.total()) }
}

/** The settled mass as a function of what was judged; undefined if it is put together in another way than we know. */
export function settledMass({ mass, formulas: own, probes }: KnownMass, census: Census): Formula | undefined {
  const massOf = mass.settle(census)
  const ways = settledSums(mass, census).map(({ scales, ranks }): Formula => {
    return (kept, at) => {
      let sum = 0
      for (let j = 0; j < scales.length; j++)
        sum += scales[j]! * (own[j]?.(kept, at) ?? ranks[j]![marginBin(kept[at + margin]!)]!)
      return sum
    }
  })
  return ways.find((way) => probes.every(({ belief, kept }) => isNear(way(kept, 0), massOf(belief))))
}

/** Rows of the points whose key −ln u / a can be at most `limit`. −ln u ≥ 1 − u: hardly any needs a logarithm to be left out. The margin is for rounding. */
export function candidatesAmong(parts: readonly JudgedRows[], massOf: Formula, limit: number, uniforms: Uniforms): number[] {
  const found: number[] = []
  for (const { first, kept, rows, taken } of parts)
    for (let row = 0; row < rows; row++) {
      if (isTaken(taken, row)) continue
      if (1 - uniforms(first + row) <= 1.000001 * limit * massOf(kept, row * numbersKept)) found.push(first + row)
    }
  return found
}

/** The survey with a settled mass. */
export function surveyOfJudged(parts: readonly JudgedRows[], massOf: Formula, census: Census, controls: number): Survey {
  const [mass, loss, root, perMass, predicted, variance] = [0, 1, 2, 3, 4, 5].map(() => compensatedSum()) as [
    Sum,
    Sum,
    Sum,
    Sum,
    Sum,
    Sum,
  ]
  const most = { mass: 0, least: Number.POSITIVE_INFINITY, loss: 0, down: 0, up: 0 }
  for (const { kept, rows, taken } of parts)
    for (let row = 0; row < rows; row++) {
      if (isTaken(taken, row)) continue
      const at = row * numbersKept
      const a = massOf(kept, at)
      const l = kept[at + worst]!
      const g = kept[at + wrong]!
      mass.add(a)
      loss.add(l)
      root.add(Math.sqrt(l))
      predicted.add(g)
      if (a > 0) {
        perMass.add(l / a)
        variance.add((g * (1 - g)) / a)
        if (g / a > most.down) most.down = g / a
        if ((1 - g) / a > most.up) most.up = (1 - g) / a
      }
      if (a > most.mass) most.mass = a
      if (a < most.least) most.least = a
      if (l > most.loss) most.loss = l
    }
  const control = {
    predictedLoss: predicted.total(),
    predictedVariance: variance.total(),
    largestDown: most.down,
    largestUp: most.up,
  }
  return {
    points: census.points,
    mass: mass.total(),
    largestMass: most.mass,
    smallestMass: census.points > 0 ? most.least : 0,
    pseudoLoss: loss.total(),
    rootPseudoLoss: root.total(),
    largestPseudoLoss: most.loss,
    pseudoLossPerMass: perMass.total(),
    margins: Array.from(census.margins),
    controls: Array.from({ length: controls }, () => control),
  }
}
