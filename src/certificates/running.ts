import { requireInput } from '../core/errors.ts'
import { clip, logSumExp } from '../core/numbers.ts'
import { firstLiving, type RunningBet, runningBets, type Side, Surprises } from './running-bets.ts'
import { type RoundReadings, type RunningRound, readDraws, readIndependent, type SideReadings } from './running-readings.ts'

export interface RunningOptions {
  /** Chance that every interval, at every look and for every model, is right. Default 0.95. */
  readonly level?: number
  readonly bets?: readonly RunningBet[]
}

/** Limits of a number of errors. */
export interface ErrorLimits {
  readonly low: number
  readonly high: number
}

/** A round as seen from the model that is asked about, V being the points without an answer. */
export interface RoundView {
  /** K: errors of the round's model on points of the round that have an answer by now, "cannot tell" as an error, and as none. */
  readonly mostErrors: number
  readonly leastErrors: number
  /** D: points of V, among those of the round, to which the two models give different classes; or anything larger. */
  readonly differing: number
  /** Points of V that could not be drawn in the round, and points of the round that went without an answer; or anything larger. */
  readonly added: number
  readonly gone: number
  /** What was known of the round's own model when the round was opened. */
  readonly opening?: ErrorLimits
}

/**
 * The running certificate: limits for the errors of any model among the points without an answer, from draws that earlier models were scored by.
 * For a number of errors M, with v = (M + K − D − added)/n in each round,
 *
 *   W(M) = Σⱼ wⱼ ∏ₖ max(0, 1 + bⱼₖ (vₜ − Xₖ))
 *
 * is at most a martingale from 1 if M is at most the number of errors, so the largest M with W(M) < 1/α is an upper limit: for all looks and models
 * at once, because neither readings X nor bets b know of the model asked about.   @see docs/equations.md#running
 */
export class RunningLimits {
  readonly level: number
  readonly #bets: readonly RunningBet[]
  readonly #rounds: RoundReadings[] = []
  readonly #surprises = new Surprises()

  constructor({ level = 0.95, bets = runningBets }: RunningOptions = {}) {
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    this.level = level
    this.#bets = bets
  }

  /** Adds the next round of random draws: all of it, or as far as it is answered if it is the last. */
  add(round: RunningRound): RoundReadings {
    const state = { bets: this.#bets, surprises: this.#surprises, draws: this.#drawsIn(this.#rounds.length) }
    const readings = round.design === 'bernoulli' ? readIndependent(round, state) : readDraws(round, state)
    this.#rounds.push(readings)
    return readings
  }

  /** Draws up to the end of each round. */
  get ends(): number[] {
    return this.#rounds.map(({ end }) => end)
  }

  /** Limits for the errors among `points`, from the first rounds, as many as there are views. */
  limits(points: number, views: readonly RoundView[]): ErrorLimits {
    const conclusive = -Math.log((1 - this.level) / 2)
    const carried = carriedLimits(views)
    // What is carried is near what comes out, so the search begins there.
    const above = firstPositive(points + 1, carried.high, (errors) => this.logWealth('upper', errors, views) - conclusive)
    const below = firstPositive(points + 1, carried.low, (errors) => conclusive - this.logWealth('lower', errors, views))
    return { low: Math.max(below, carried.low), high: Math.min(above - 1, carried.high) }
  }

  /** log W: what is owned against so many errors being at most the true number (`upper`), or at least (`lower`). */
  logWealth(side: Side, errors: number, views: readonly RoundView[]): number {
    const first = firstLiving(this.#bets, this.#drawsIn(views.length))
    const terms = this.#bets.map(({ weight, start }, bet) => {
      if (bet < first) return Number.NEGATIVE_INFINITY
      let sum = Math.log(weight)
      for (const [t, { mostErrors, leastErrors, differing, added, gone }] of views.entries()) {
        const round = this.#rounds[t]!
        if (round.end <= start) continue // the bet has not begun
        const own = side === 'upper' ? errors + mostErrors - differing - added : errors + leastErrors + differing + gone
        sum += logGain(round[side], bet, side === 'upper' ? 1 : -1, own, round.points)
      }
      return sum
    })
    return Math.max(...terms) === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : logSumExp(terms)
  }

  /**
   * The error to expect of a model, without a guarantee: what it expects of itself, and the mean surprise of the draws so far, each with its own
   * model. A draw counts half of one that is 100 draws younger; 50 draws without surprise are taken for granted.
   */
  estimate(expected: number): number {
    let [sum, weights, age] = [0, 50, 0]
    for (let t = this.#rounds.length - 1; t >= 0; t--) {
      const { surprises } = this.#rounds[t]!
      for (let k = surprises.length - 1; k >= 0; k--, age++) {
        const weight = 0.5 ** (age / 100)
        sum += weight * surprises[k]!
        weights += weight
      }
    }
    return clip(expected + sum / weights, 0, 1)
  }

  #drawsIn(rounds: number): number {
    return rounds === 0 ? 0 : this.#rounds[rounds - 1]!.end
  }
}

/** What limits at the opening of earlier rounds say: they move with the errors found since, and with the classes that have changed. */
export function carriedLimits(views: readonly RoundView[]): ErrorLimits {
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  for (const { opening, mostErrors, leastErrors, differing, added, gone } of views) {
    if (!opening) continue
    low = Math.max(low, opening.low - leastErrors - differing - gone)
    high = Math.min(high, opening.high - mostErrors + differing + added)
  }
  return { low, high }
}

/** log ∏ max(0, 1 ± b (v − X)), v = errors/points. A factor below 0 makes the product 0: two of them must not make a large one. */
function logGain({ values, stakes, lines }: SideReadings, bet: number, sign: 1 | -1, errors: number, points: number): number {
  const line = lines[bet]
  if (line) return line.offset + line.slope * errors
  const own = stakes[bet]!
  const v = errors / points
  let log = 0
  let product = 1
  for (let k = 0; k < values.length; k++) {
    product *= 1 + own[k]! * sign * (v - values[k]!)
    if (product > 1e-150 && product < 1e150) continue
    if (product <= 0) return Number.NEGATIVE_INFINITY
    log += Math.log(product)
    product = 1
  }
  return log + Math.log(product)
}

/**
 * The smallest whole number from 0 on where what does not fall is at least 0, `end` if there is none. A line through the nearest values on either side says
 * where to look, and a part of the way where there is none or it does not help; `near`: where to look first.
 */
function firstPositive(end: number, near: number, value: (n: number) => number): number {
  let [low, high] = [0, end]
  let [below, above] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] // at low − 1, and at high
  for (let next = Math.floor(Math.min(near, end)); low < high; ) {
    const width = high - low
    const at = clip(next, low, high - 1)
    const own = value(at)
    if (own >= 0) [high, above] = [at, own]
    else [low, below] = [at + 1, own]
    const isSlow = 2 * (high - low) > width && Number.isFinite(above - below)
    const part = isSlow ? 1 / 2 : partOfWay(below, above)
    next = Math.floor(low - 1 + part * (high - low + 1))
  }
  return low
}

/** How far it is from a value below 0 to 0, on the way to one above. Where one of them is not known, or endless, it is far from there. */
function partOfWay(below: number, above: number): number {
  if (Number.isFinite(above - below)) return -below / (above - below)
  if (Number.isFinite(above)) return 15 / 16
  return Number.isFinite(below) ? 1 / 16 : 1 / 2
}
