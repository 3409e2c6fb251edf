import { requireInput } from './errors.ts'
import type { Formula } from './formula.ts'
import * as f from './formula.ts'
import { clip } from './numbers.ts'
import type { Stream } from './randomness.ts'
import type { Signal } from './signal.ts'

/**
 * Points that are alike in all that an audit knows of them before their answers form a stratum: what models predict, how sure the first one
 * is (rounded), and the slices they are in. Masses and beliefs are functions of the stratum, so how many points each holds is all that an
 * audit needs to know of a pool, and what it believes of a drawn point is to the last bit what it believed of it in its totals.
 *
 * @see docs/equations.md#strata
 */
export interface Stratum {
  /** The class that each model predicts, by its place. Beliefs are about the first. */
  readonly predicted: readonly number[]
  /** Logit of the chance that the first prediction is wrong, as its model has it, rounded. */
  readonly doubt: number
  /** The class that is likeliest after the one that is predicted, and its share of what that one leaves; −1: not known. */
  readonly runnerUp: number
  readonly runnerUpShare: number
  /** A grade that was given to the point, as a share of its range, rounded; 0 where there are none. */
  readonly grade: number
  /** The place of its value in each column that slices are made of. */
  readonly slices: readonly number[]
  /** 0: was in the pool from the start; k: came when points were added for the k-th time. */
  readonly arrival: number
}

/** What strata of a pool are told apart by. */
export interface Axes {
  /** Classes that can be predicted and answered. */
  readonly classes: number
  /** Models whose predictions are known. */
  readonly models: number
  /** How many values each column of slices has. */
  readonly slices: readonly number[]
  /** How many pools there were: one, and one more for each time that points were added. Default 1. */
  readonly pools?: number
}

const doubtSteps = 16 // to one in logits: chances are off by at most a thirtieth of themselves
const leastChance = 0.001
const mostDoubt = Math.round(doubtSteps * Math.log((1 - leastChance) / leastChance))
const shareSteps = 8
const gradeSteps = 64

/** Where nothing tells sure predictions from doubtful ones, each is taken to be wrong with this chance: where intervals start looking. */
export const unknownChance = 0.1

/** The place of a chance of being wrong on the axis of doubt. */
export function doubtPlace(chance: number): number {
  const inside = clip(chance, leastChance, 1 - leastChance)
  return Math.floor(doubtSteps * Math.log(inside / (1 - inside)) + 0.5) + mostDoubt
}

export function doubtPlaceFormula(chance: Formula): Formula {
  const inside = f.clip(chance, leastChance, 1 - leastChance)
  return f.sum(nearest(doubtSteps, f.log(f.quotient(inside, f.difference(1, inside)))), mostDoubt)
}

/** ⌊steps · x + ½⌋ */
const nearest = (steps: number, x: Formula): Formula => f.floor(f.sum(f.product(steps, x), 0.5))

/** The place of the share that the runner-up has of what the predicted class leaves. */
export function sharePlace(share: number): number {
  return Math.floor(shareSteps * clip(share, 0, 1) + 0.5)
}

export const sharePlaceFormula = (share: Formula): Formula => nearest(shareSteps, f.clip(share, 0, 1))

/** The place of a grade, given as a share of its range. */
export function gradePlace(grade: number): number {
  return Math.floor(gradeSteps * clip(grade, 0, 1) + 0.5)
}

export const gradePlaceFormula = (grade: Formula): Formula => nearest(gradeSteps, f.clip(grade, 0, 1))

/** Where a point stands on each axis, as whole numbers from 0. */
export interface Places {
  readonly predicted: readonly number[]
  readonly doubt: number
  readonly runnerUp: number
  readonly share: number
  readonly grade: number
  readonly slices: readonly number[]
  /** Default 0. */
  readonly arrival?: number
}

/** One whole number a stratum, so that engines need no more than one column: the places as digits, the first prediction first. */
export interface StratumCodes {
  /** How many places each digit has, the first one first; see `digitsOf`. */
  readonly radices: readonly number[]
  code(places: Places): number
  stratum(code: number): Stratum
}

export function stratumCodes({ classes, models, slices, pools = 1 }: Axes): StratumCodes {
  const radices = [
    ...new Array<number>(models).fill(classes),
    2 * mostDoubt + 1,
    classes + 1, // the last place: not known
    shareSteps + 1,
    gradeSteps + 1,
    ...slices,
    pools,
  ]
  requireInput(
    radices.reduce((product, radix) => product * radix, 1) < Number.MAX_SAFE_INTEGER,
    `strata: fewer combinations of classes, models and slices are required, got ${radices.join(' × ')}`,
    'Ask about fewer models or slices at once.',
  )
  return {
    radices,
    code: (places) => digitsOf(places).reduce((code, digit, k) => code * radices[k]! + digit, 0),
    stratum(code) {
      const digits = new Array<number>(radices.length)
      for (let k = radices.length - 1; k >= 0; k--) {
        digits[k] = code % radices[k]!
        code = Math.floor(code / radices[k]!)
      }
      const [doubt, runnerUp, share, grade] = digits.slice(models) as [number, number, number, number]
      return {
        predicted: digits.slice(0, models),
        doubt: (doubt - mostDoubt) / doubtSteps,
        runnerUp: runnerUp === classes ? -1 : runnerUp,
        runnerUpShare: share / shareSteps,
        grade: grade / gradeSteps,
        slices: digits.slice(models + 4, -1),
        arrival: digits.at(-1)!,
      }
    },
  }
}

/** The digits of a code, in their order. */
function digitsOf({ predicted, doubt, runnerUp, share, grade, slices, arrival = 0 }: Places): number[] {
  return [...predicted, doubt, runnerUp, share, grade, ...slices, arrival]
}

/** How many points have each code: codes in increasing order. */
export interface StrataCounts {
  readonly codes: Float64Array
  readonly counts: Float64Array
}

export interface StratumDraw {
  readonly id: string
  readonly code: number
  readonly order: number
  readonly probability: number
  readonly mass: number
  readonly remaining: number
}

export interface StrataDrawRequest {
  /** Strata that may be drawn from, codes increasing, and the mass of each of their points: above 0. All others have mass 0. */
  readonly codes: Float64Array
  readonly masses: Float64Array
  readonly size: number
  readonly stream: Stream
}

/** Reads the stratum of a point, as a code, off the scores of a model. */
export interface Stratify {
  readonly name: string
  code(scores: ArrayLike<number>): number
  /** The same as a formula, for engines that compute where the pool lies. */
  express?(scores: readonly Formula[]): Formula
}

/** A pool whose points are told apart by their strata alone: all that an audit is made from. */
export interface StratifiedPool {
  /** Points in it, drawn or not. */
  readonly size: number
  /** Points that may still be drawn, by stratum. */
  counts(signal?: Signal): Promise<StrataCounts>
  /** Successive draws among the points that may still be drawn. Takes nothing: the caller records first, then takes. */
  draw(request: StrataDrawRequest, signal?: Signal): Promise<readonly StratumDraw[]>
  /** The strata of points, drawn or not, in the order of the ids. Refuses ids that no point has. */
  codesOf(ids: readonly string[], signal?: Signal): Promise<Float64Array>
  /** These points may no longer be drawn. Told again it changes nothing. */
  take(ids: readonly string[]): Promise<void>
}
