import { type Belief, emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import { sumOf } from '../../core/sums.ts'
import { lossMoments, type Survey } from '../../core/survey.ts'
import type { Census, Ingredient, Mass } from '../../masses/mass.ts'
import { isNear, settledSums } from './settle.ts'
import { resultsPerChunk } from './work.ts'

/**
 * More than two classes: what K scores say of a point, in five numbers, as src/kernels/judge.ts writes them one after another. Masses are made of these and of
 * the margin's rank, by src/kernels/weigh.ts. An ingredient, a loss or a control is known by what it says of a few points: whoever says
 * what we would say is computed from the five numbers, everybody else is asked about every point, the way of the reference.
 */
const entropy = 0
const worst = 1
const wrong = 2
const margin = 3
const rootMeanSquare = 4
export const numbersKept = 5

/** In the order of the kernel. */
const formulas: readonly ((kept: Float64Array) => number)[] = [
  () => 1,
  (kept) => kept[entropy]!,
  (kept) => Math.sqrt(kept[wrong]!),
  (kept) => kept[rootMeanSquare]!,
  (kept) => Math.sqrt(kept[worst]!),
  (kept) => kept[worst]!,
  (kept) => 1 - kept[margin]!,
]

/** How a mass is made: so much of each formula, and a number for the bin that the margin is in. */
export interface Recipe {
  readonly coefficients: Float64Array
  readonly byBin: Float64Array
}

// How the kernel finds it all, in doubles: coefficients, numbers by bin, and the edges of bins; then a byte for each slot.
export const firstBin = 8
export const firstEdge = firstBin + marginBins

/** Where the bins of margins between 1 and 2 begin, as a bin is the same in every octave; and the last edge at or before each 256th. */
export const marginEdges = Float64Array.from({ length: 17 }, (_, i) => 2 ** (i / 16))
export const marginSlots = Uint8Array.from({ length: 256 }, (_, slot) =>
  marginEdges.findLastIndex((edge) => edge <= 1 + slot / 256),
)

export const recipeNumbers = firstEdge + marginEdges.length

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

/** A mass by the numbers of the formulas of its parts; −1 for a part that goes by rank. */
export interface KnownMass {
  readonly mass: Mass
  readonly formulas: readonly number[]
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
  const found: number[] = []
  for (const { of } of mass.parts) {
    const formula = formulas.findIndex((each) => probes.every(({ belief, kept }) => isNear(valueFor(of, belief), each(kept))))
    const isRank =
      of.rankPower !== undefined && probes.every(({ belief }) => valueFor(of, belief) === marginBin(marginOf(belief)))
    if (formula < 0 && !isRank) return undefined
    found.push(isRank ? -1 : formula)
  }
  return { mass, formulas: found, controls: controls.length, probes }
}

const binNumbers = Float64Array.from({ length: marginBins }, (_, bin) => bin)
const valueFor = (of: Ingredient, belief: Belief) => of.value(belief, binNumbers)

/** What judged points come to: how many have a margin in each bin, and the totals of all formulas, chunk by chunk of each slab. */
export interface Judged {
  readonly margins: Float64Array
  readonly chunks: readonly Float64Array[]
}

/** The k-th number of every chunk. */
function numbersAt(k: number, chunks: readonly Float64Array[]): number[] {
  const numbers: number[] = []
  for (const results of chunks) for (let at = k; at < results.length; at += resultsPerChunk) numbers.push(results[at]!)
  return numbers
}

/** Counts and totals before a mass is settled. */
export function censusOfJudged({ margins, chunks }: Judged, { formulas: own }: KnownMass): Census {
  const totals = formulas.map((_, k) => sumOf(numbersAt(k, chunks)))
  return { points: totals[0]!, margins, totals: own.map((k) => totals[k] ?? 0) }
}

/** How the settled mass is made of what was judged; undefined if it is put together in another way than we know. */
export function recipeFor({ mass, formulas: own, probes }: KnownMass, census: Census): Recipe | undefined {
  const massOf = mass.settle(census)
  const recipes = settledSums(mass, census).map(({ scales, ranks }): Recipe => {
    const coefficients = new Float64Array(formulas.length)
    const byBin = new Float64Array(marginBins)
    for (const [j, k] of own.entries())
      if (k >= 0) coefficients[k]! += scales[j]!
      else for (let bin = 0; bin < marginBins; bin++) byBin[bin]! += scales[j]! * ranks[j]![bin]!
    return { coefficients, byBin }
  })
  const made = ({ coefficients, byBin }: Recipe, kept: Float64Array) =>
    formulas.reduce((sum, each, k) => sum + coefficients[k]! * each(kept), byBin[marginBin(kept[margin]!)]!)
  return recipes.find((recipe) => probes.every(({ belief, kept }) => isNear(made(recipe, kept), massOf(belief))))
}

/** The survey with a settled mass, from what the chunks came to. */
export function surveyOfJudged(chunks: readonly Float64Array[], { points, margins }: Census, controls: number): Survey {
  const total = (k: number) => sumOf(numbersAt(k, chunks))
  const most = (k: number) => numbersAt(k, chunks).reduce((a, b) => Math.max(a, b), 0)
  const control = {
    predictedLoss: total(3),
    predictedVariance: total(5),
    largestDown: most(8),
    largestUp: most(9),
  }
  return {
    points,
    mass: total(0),
    largestMass: most(6),
    smallestMass: points > 0 ? numbersAt(10, chunks).reduce((a, b) => Math.min(a, b)) : 0,
    pseudoLoss: total(1),
    rootPseudoLoss: total(2),
    largestPseudoLoss: most(7),
    pseudoLossPerMass: total(4),
    margins: Array.from(margins),
    controls: Array.from({ length: controls }, () => control),
  }
}
