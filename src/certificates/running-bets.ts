import { clip } from '../core/numbers.ts'

/** One of the bets of the running certificate: a share of the stake, bet from so many answers on, for a half-width. */
export interface RunningBet {
  readonly weight: number
  /** Answers drawn before it begins. */
  readonly start: number
  /** Half-width it aims at. */
  readonly target: number
}

const weights = [0.2, 0.25, 0.25, 0.15, 0.1, 0.05]

/** Each begins with three times the answers of the one before, and aims at two thirds of its width. */
export const runningBets: readonly RunningBet[] = weights.map((weight, j) => ({
  weight,
  start: 40 * 3 ** j,
  target: 0.12 * 0.65 ** j,
}))

/** The first bet that still counts after so many draws: one is given up when the third after it has begun, and its wealth is 0 from then on. */
export function firstLiving(bets: readonly RunningBet[], draws: number): number {
  return bets.filter((_, j) => draws >= (bets[j + 3]?.start ?? Number.POSITIVE_INFINITY)).length
}

/**
 * The first round that a living bet rests on, given how many draws there were up to the end of each: of rounds before, nothing is needed any more.
 */
export function firstNeeded(ends: readonly number[], bets: readonly RunningBet[] = runningBets): number {
  const start = bets[firstLiving(bets, ends.at(-1) ?? 0)]!.start
  const first = ends.findIndex((end) => end > start)
  return first < 0 ? ends.length : first
}

/** Share of the largest bet that keeps every factor positive. */
const cap = 0.95

/** What the bets on one draw, or on one round of independent draws, may rest on: nothing of its answer, and nothing of any model asked about. */
export interface BetBasis {
  /** Draws before it, in all rounds. */
  readonly draws: number
  /** Whether the model had learned anything. */
  readonly isLearned: boolean
  /** min(rate · target, cap/reach), the rate of a draw being 1/variance. */
  readonly rate: number
  /** How far the reading can come above what is tested, and below. */
  readonly reach: Readonly<Record<Side, number>>
}

export type Side = 'upper' | 'lower'

/** The stake of every bet: 0 before it begins. */
export function stakesFor(bets: readonly RunningBet[], { draws, isLearned, rate, reach }: BetBasis, side: Side): Float64Array {
  const most = cap / reach[side]
  return Float64Array.from(bets, ({ start, target }) => (isLearned && draws >= start ? Math.min(rate * target, most) : 0))
}

/** How large surprises have been, in units of what was expected of them; older ones count less. */
export class Surprises {
  #seen = 0
  #due = 0

  /** `square`: of a surprise; `variance`: what the model expected it to be. */
  add(square: number, variance: number): void {
    this.#seen = 0.995 * this.#seen + square / variance
    this.#due = 0.995 * this.#due + 1
  }

  /** What the model expects, corrected by the past. */
  correct(variance: number): number {
    return variance * clip((50 + this.#seen) / (50 + this.#due), 1 / 4, 4)
  }
}
