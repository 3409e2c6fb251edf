import { type RunningBet, type Side, type Surprises, stakesFor } from './running-bets.ts'

/** A round of random draws, scored by the model that its masses came from. */
export interface RunningRound {
  readonly design: 'successive' | 'multinomial' | 'bernoulli'
  /** False for the round before the first model: nothing is bet on it. */
  readonly isLearned: boolean
  /** n: points that could be drawn. */
  readonly points: number
  /** Σ a, and over these points: Σ g, Σ g(1 − g)/a, max (1 − g)/a, max g/a; for `bernoulli` the last two with π for a. */
  readonly mass: number
  readonly predictedLoss: number
  readonly predictedVariance: number
  readonly largestUp: number
  readonly largestDown: number
  /** Draws expected, where they are independent. */
  readonly expected?: number
  /** In draw order, as far as they are answered. */
  readonly draws: readonly ReadDraw[]
}

export interface ReadDraw {
  /** 1 if the round's model is wrong, by the answer that stands; null for "cannot tell". */
  readonly loss: Loss
  /** The same by the answer that was given first, which bets after it rest on; `loss` if left out. */
  readonly told?: Loss
  readonly mass: number
  /** As on record: for `bernoulli` π, otherwise the chance of this draw. */
  readonly probability: number
  /** g: what the model expected. */
  readonly predictedLoss: number
}

type Loss = 0 | 1 | null

/** What a limit needs of a round: readings and stakes by draw, or one line for a round of independent draws. */
export interface RoundReadings {
  readonly points: number
  /** Draws up to the end of the round, in all rounds. */
  readonly end: number
  readonly upper: SideReadings
  readonly lower: SideReadings
  /** (ℓ − g)/(n p) by draw, "cannot tell" as ½: what the estimate averages. Empty where it leaves the round out. */
  readonly surprises: Float64Array
}

export interface SideReadings {
  /** X by draw; empty for independent draws. */
  readonly values: Float64Array
  /** By bet, then by draw. */
  readonly stakes: readonly Float64Array[]
  /** By bet: log wealth = offset + slope · (n v), of independent draws. */
  readonly lines: readonly Line[]
}

interface Line {
  readonly offset: number
  readonly slope: number
}

/** What the rounds before leave to the next. */
export interface ReadingState {
  readonly bets: readonly RunningBet[]
  readonly surprises: Surprises
  /** Draws so far. */
  readonly draws: number
}

const worst = { upper: 1, lower: 0 } as const // "cannot tell" counts as wrong behind the upper limit, as right behind the lower
const leastVariance = 1e-6

/**
 * Readings of draws one after another:
 *
 *   X = (S + G)/n + (ℓ − g) A/(a n),   E X = mean loss of the round's model over its n points
 *
 * S: losses seen earlier in the round; G and A: Σ g and Σ a over what is left. With replacement S = 0, and G and A stay.   @see docs/equations.md#running
 */
export function readDraws(round: RunningRound, { bets, surprises, draws: before }: ReadingState): RoundReadings {
  const { points, draws } = round
  const upper = emptySide(bets.length, draws.length)
  const lower = emptySide(bets.length, draws.length)
  const own = new Float64Array(round.isLearned ? draws.length : 0)
  const seen = { upper: 0, lower: 0 }
  let [drawn, predicted, spread] = [0, round.predictedLoss, round.predictedVariance]
  for (const [k, draw] of draws.entries()) {
    const { loss, told = loss, mass, probability, predictedLoss } = draw
    const left = mass / probability // A
    const variance = Math.max((left * spread) / points ** 2, leastVariance)
    const reach = {
      upper: (drawn + predicted + left * round.largestUp) / points,
      lower: 1 - (predicted - left * round.largestDown) / points,
    }
    const basis = { draws: before + k, isLearned: round.isLearned, rate: 1 / surprises.correct(variance), reach }
    const ratio = 1 / (probability * points)
    for (const [side, into] of [['upper', upper] as const, ['lower', lower] as const]) {
      into.values[k] = (seen[side] + predicted) / points + ((loss ?? worst[side]) - predictedLoss) * ratio
      for (const [j, stake] of stakesFor(bets, basis, side).entries()) into.stakes[j]![k] = stake
    }
    if (round.isLearned) own[k] = ((loss ?? 0.5) - predictedLoss) * ratio
    if (told !== null) surprises.add(((told - predictedLoss) * ratio) ** 2, variance)
    if (round.design === 'multinomial') continue
    seen.upper += loss ?? worst.upper
    seen.lower += loss ?? worst.lower
    drawn++
    predicted -= predictedLoss
    spread -= (predictedLoss * (1 - predictedLoss)) / mass
  }
  return { points, end: before + draws.length, upper, lower, surprises: own }
}

function emptySide(bets: number, draws: number): SideReadings {
  const stakes = Array.from({ length: bets }, () => new Float64Array(draws))
  return { values: new Float64Array(draws), stakes, lines: [] }
}

/**
 * A round of independent draws is one factor, for the upper limit with r = ℓ − g
 *
 *   ∏_drawn (1 − c r/π) · exp(c (n v − Σ g)),   for the lower one with −c:
 *
 * of mean at most 1 if v is the mean loss.   @see docs/equations.md#running
 */
export function readIndependent(round: RunningRound, { bets, surprises, draws: before }: ReadingState): RoundReadings {
  const { points, draws, expected = draws.length, largestUp, largestDown, isLearned } = round
  const variance = Math.max((round.mass * round.predictedVariance) / points ** 2, leastVariance)
  const rate = ((1 / surprises.correct(variance)) * expected) / points
  const basis = { draws: before, isLearned, rate, reach: { upper: largestUp, lower: largestDown } }
  const lineOf = (side: Side, stake: number): Line => {
    const c = side === 'upper' ? -stake : stake
    const logs = draws.map(({ loss, predictedLoss: g, probability }) =>
      Math.log1p((c * ((loss ?? worst[side]) - g)) / probability),
    )
    return { offset: logs.reduce((sum, log) => sum + log, 0) + c * round.predictedLoss, slope: -c }
  }
  const sideOf = (side: Side): SideReadings => ({
    values: new Float64Array(0),
    stakes: [],
    lines: Array.from(stakesFor(bets, basis, side), (stake) => lineOf(side, stake)),
  })
  const readings = { upper: sideOf('upper'), lower: sideOf('lower') }
  for (const { loss, told = loss, predictedLoss, probability } of draws)
    if (told !== null) surprises.add((((told - predictedLoss) * expected) / (probability * points)) ** 2, variance)
  return { points, end: before + draws.length, ...readings, surprises: new Float64Array(0) }
}
