import { type Belief, emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import { logSumExp } from '../../core/numbers.ts'
import { sumOf } from '../../core/sums.ts'
import { lossMoments, type Survey } from '../../core/survey.ts'
import type { Census, Ingredient, Mass } from '../../masses/mass.ts'
import { beyond, isNear, settledSums } from './settled-mass.ts'
import { resultsPerChunk } from './tasks.ts'

/**
 * What K scores say of a point, in six numbers, as src/engines/kernels/assembly/judge.ts writes them. Masses are made of these and of the margin's rank, by
 * src/engines/kernels/assembly/weigh.ts. An ingredient, a loss or a control is known by what it says of a few points: whoever says what we would say is computed from the six
 * numbers, everybody else is asked about every point, the way of the reference.
 */
const entropy = 0
const worst = 1
const wrong = 2
const margin = 3
const rootMeanSquare = 4
/** (1 − Σ Pₖ²)/K; what a label would remove of the variance, once there are quadratic forms. */
const variation = 5

/** In the order of the kernel. */
const formulas: readonly ((kept: Float64Array) => number)[] = [
  () => 1,
  (kept) => kept[entropy]!,
  (kept) => Math.sqrt(kept[wrong]!),
  (kept) => kept[rootMeanSquare]!,
  (kept) => Math.sqrt(kept[worst]!),
  (kept) => kept[worst]!,
  (kept) => 1 - kept[margin]!,
  (kept) => (1 - kept[margin]!) ** 4,
  (kept) => kept[variation]!,
]

/** How a mass is made: so much of each formula, and a number for the bin that the margin is in. */
export interface MassFormula {
  readonly coefficients: Float64Array
  readonly byBin: Float64Array
}

// How the kernel finds it all, in floats: coefficients, numbers by bin, and the edges of bins; then a byte for each slot.
export const firstBin = 12
export const firstEdge = firstBin + marginBins

/** Where the bins of margins between 1 and 2 begin, as a bin is the same in every octave: the first float of each; and the last edge at or before each 256th. */
export const marginEdges = Float32Array.from({ length: 17 }, (_, i) => {
  const [edge, nearest] = [2 ** (i / 16), Math.fround(2 ** (i / 16))]
  return nearest >= edge ? nearest : nearest + 2 ** -23
})
export const marginSlots = Uint8Array.from({ length: 256 }, (_, slot) =>
  marginEdges.findLastIndex((edge) => edge <= 1 + slot / 256),
)

export const recipeNumbers = firstEdge + marginEdges.length

/** A point to ask about: the scores that a loss reads, and what it takes for quadratic forms. */
interface Probe {
  readonly scores: Float64Array
  readonly belief: Belief
  readonly kept: Float64Array
}

/** A few, from sure to undecided. */
function probesFor(loss: Reader, classes: number, forms: number): Probe[] {
  const own = classes === 2 ? 1 : classes
  return Array.from({ length: 12 }, (_, i) => {
    const scores = Float64Array.from({ length: own }, (_, k) => (1 + i) * Math.sin(1 + 7 * i + 3 * k))
    const belief = emptyBelief(classes, forms)
    for (let f = 0; f < forms; f++) belief.forms[f] = 1 + ((3 * i + 5 * f) % 7)
    loss.read(scores, belief)
    return { scores, belief, kept: judged(inFull(scores), belief.forms) }
  })
}

/** A score for every class: of two, the first is 0. */
const inFull = (scores: Float64Array) => (scores.length === 1 ? Float64Array.of(0, scores[0]!) : scores)

/** The six numbers of K scores, in plain JavaScript. */
function judged(scores: Float64Array, [b, h]: Float64Array): Float64Array {
  const total = logSumExp(scores)
  const kept = new Float64Array(6)
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
  const v = (1 - sorted.reduce((sum, p) => sum + p * p, 0)) / scores.length
  kept[variation] = b === undefined || h === undefined ? v : ((v * b) / (1 + v * h)) ** 2
  return kept
}

/** A mass by the numbers of the formulas of its parts; −1 for a part that goes by rank. */
export interface KnownMass {
  readonly mass: Mass
  readonly formulas: readonly number[]
  readonly controls: number
  readonly probes: readonly Probe[]
}

/** The question in our own terms; undefined if somebody has terms of their own. */
export function knownMass(
  mass: Mass,
  loss: Reader,
  controls: readonly Reader[],
  classes: number,
  forms = 0,
): KnownMass | undefined {
  const probes = probesFor(loss, classes, forms)
  const isError = (control: Reader) =>
    probes.every(({ scores, kept }) => {
      const belief = emptyBelief(classes)
      control.read(scores, belief)
      const { mean, least, most } = lossMoments(belief)
      return isNear(mean, kept[wrong]!) && least === 0 && most === 1
    })
  if (!areSoftmax(probes) || !controls.every(isError)) return undefined
  const found: number[] = []
  for (const { of } of mass.parts) {
    const formula = formulaOf(of, probes)
    const isRank =
      of.rankPower !== undefined && probes.every(({ belief }) => valueFor(of, belief) === marginBin(marginOf(belief)))
    if (formula < 0 && !isRank) return undefined
    found.push(isRank ? -1 : formula)
  }
  return { mass, formulas: found, controls: controls.length, probes }
}

/** How a weight is made of what is judged, if it is one of our formulas. */
export function recipeOf(weight: Ingredient, loss: Reader, classes: number): MassFormula | undefined {
  const probes = probesFor(loss, classes, 0)
  const own = areSoftmax(probes) ? formulaOf(weight, probes) : -1
  if (own < 0) return undefined
  return { coefficients: Float64Array.from(formulas, (_, k) => (k === own ? 1 : 0)), byBin: new Float64Array(marginBins) }
}

function areSoftmax(probes: readonly Probe[]): boolean {
  return probes.every(({ scores, belief }) => {
    const all = inFull(scores)
    const total = logSumExp(all)
    return all.every((z, k) => isNear(belief.losses[k]!, total - z) && isNear(belief.probabilities[k]!, Math.exp(z - total)))
  })
}

/** Which formula an ingredient is; −1 if none. */
function formulaOf(of: Ingredient, probes: readonly Probe[]): number {
  return formulas.findIndex((each) => probes.every(({ belief, kept }) => isNear(valueFor(of, belief), each(kept))))
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
export function recipeFor({ mass, formulas: own, probes }: KnownMass, census: Census): MassFormula | undefined {
  const massOf = mass.settle(census)
  const recipes = settledSums(mass, census).map(({ scales, ranks }): MassFormula => {
    const coefficients = new Float64Array(formulas.length)
    const byBin = new Float64Array(marginBins)
    for (const [j, k] of own.entries())
      if (k >= 0) coefficients[k]! += scales[j]!
      else for (let bin = 0; bin < marginBins; bin++) byBin[bin]! += scales[j]! * ranks[j]![bin]!
    return { coefficients, byBin }
  })
  const made = ({ coefficients, byBin }: MassFormula, kept: Float64Array) =>
    formulas.reduce((sum, each, k) => sum + coefficients[k]! * each(kept), byBin[marginBin(kept[margin]!)]!)
  return recipes.find((recipe) => probes.every(({ belief, kept }) => isNear(made(recipe, kept), massOf(belief))))
}

/** The survey with a settled mass, from what the chunks came to. Largest and smallest values lie a little beyond those of points: floats have seven digits. */
export function surveyOfJudged(chunks: readonly Float64Array[], { points, margins }: Census, controls: number): Survey {
  const total = (k: number) => sumOf(numbersAt(k, chunks))
  const most = (k: number) => beyond * numbersAt(k, chunks).reduce((a, b) => Math.max(a, b), 0)
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
    smallestMass: points > 0 ? numbersAt(10, chunks).reduce((a, b) => Math.min(a, b)) / beyond : 0,
    pseudoLoss: total(1),
    rootPseudoLoss: total(2),
    largestPseudoLoss: most(7),
    pseudoLossPerMass: total(4),
    margins: Array.from(margins),
    controls: Array.from({ length: controls }, () => control),
  }
}
