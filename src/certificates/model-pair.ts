import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import type { Wager } from './steady-wealth.ts'

/** Points that are alike before their answers: what every model predicts, and what is believed of the answer, by class. */
export interface RaceGroup {
  readonly predicted: readonly number[]
  readonly probabilities: ArrayLike<number>
  readonly count: number
}

/** Points that are alike, with the mass of each. */
export interface RaceStratum extends RaceGroup {
  readonly mass: number
}

/** A drawn point; its answer is a class, or null for "cannot tell". */
export interface RaceDraw extends Omit<RaceStratum, 'count'> {
  readonly answer: number | null
}

/** 1: how far the first model is ahead of the second; −1: the second of the first. */
export type Direction = 1 | -1

/**
 * Two models on one pool: Σ x over the points where they differ,  x = [y = p] − [y = p′],  from successive draws.
 *
 *   X = S + Σ_left h + (x_J − h_J) · A/a_J,    h = P(p) − P(p′),    E[X | past, a draw where they differ] = Σ x
 *
 * It is a question about a difference (docs/equations.md#question-interval) of which only two values are ever tested.
 *
 * @see docs/equations.md#best-model
 */
export class ModelPair {
  readonly first: number
  readonly second: number
  /** Points of the pool, and those of them where the models differ. */
  readonly #points: number
  readonly #differ: number
  /** Of the points where they differ: those without an answer, those whose answer says nothing, and S, the sum over the others. */
  #open: number
  #unknown = 0
  #seen = 0
  /** What is left of the round: its totals over the points where they differ, and all points that are left. */
  #round: Left = { mass: 0, expected: 0, variance: 0, down: 0, up: 0 }
  #left: number
  #isCovered = false
  /** Of counted draws: Σ X, and Σ X² over what was predicted. */
  #sum = 0
  #counted = 0
  #surprise = 0

  constructor(first: number, second: number, pool: readonly Pick<RaceGroup, 'predicted' | 'count'>[]) {
    this.first = first
    this.second = second
    this.#points = pool.reduce((sum, { count }) => sum + count, 0)
    this.#differ = pool.reduce((sum, group) => sum + (this.differsAt(group) ? group.count : 0), 0)
    this.#open = this.#differ
    this.#left = this.#points
  }

  differsAt({ predicted }: Pick<RaceGroup, 'predicted'>): boolean {
    return predicted[this.first] !== predicted[this.second]
  }

  /** Whether draws of this round count: every open point where the models differ could be drawn. */
  get isCovered(): boolean {
    return this.#isCovered
  }

  /** Begins a round, with all points that may be drawn in it. */
  round(strata: readonly RaceStratum[]): void {
    const round = { mass: 0, expected: 0, variance: 0, down: 0, up: 0 }
    let covered = 0
    for (const stratum of strata) {
      const { mass, count } = stratum
      if (!this.differsAt(stratum)) continue
      const { mean, variance } = this.#believed(stratum)
      round.expected += count * mean
      if (!(mass > 0)) continue
      covered += count
      round.mass += count * mass
      round.variance += (count * variance) / mass
      round.down = Math.max(round.down, (1 + mean) / mass)
      round.up = Math.max(round.up, (1 - mean) / mass)
    }
    requireInput(covered <= this.#open, `round: no more points than are open are required, got ${covered} of ${this.#open}`)
    this.#round = round
    this.#isCovered = covered === this.#open && covered > 0
  }

  /** The bet that Σ x > −margin in this direction, on a point where the models differ; an answer that says nothing counts at its worst. */
  wager(direction: Direction, margin: number, draw: RaceDraw): Wager {
    const { mass, expected, down, up } = this.#round
    const base = direction * (this.#seen + expected) - this.#unknown + margin
    const worth = draw.answer === null ? -1 : direction * this.#worth(draw.predicted, draw.answer)
    const move = (worth - direction * this.#believed(draw).mean) * (mass / draw.mass)
    const lowest = (direction === 1 ? down : up) * mass - base
    return {
      x: base + move,
      deviation: Math.sqrt(this.#variance() * this.#spread(margin)),
      reach: Math.max(lowest, 1e-6 * mass * (down + up), 1e-12), // the floor keeps rounding errors from being bet on
    }
  }

  /** Counts a drawn point, after the bets on it. */
  draw(draw: RaceDraw): void {
    if (!this.differsAt(draw)) {
      this.#left--
      return
    }
    requireInput(this.#open > 0, 'draw: a point that is open is required, got one more than there are')
    const { mean, variance } = this.#believed(draw)
    const round = this.#round
    const worth = draw.answer === null ? mean : this.#worth(draw.predicted, draw.answer)
    if (this.#isCovered) {
      const x = this.#seen + round.expected + (worth - mean) * (round.mass / draw.mass)
      const centre = clip(this.estimate, -this.#differ, this.#differ)
      this.#surprise += (x - centre) ** 2 / (this.#predicted() * this.#spread(centre))
      this.#sum += x
      this.#counted++
    }
    if (draw.answer === null) this.#unknown++
    else this.#seen += worth
    this.#open--
    this.#left--
    round.mass -= draw.mass
    round.expected -= mean
    round.variance -= variance / draw.mass
  }

  /** Counts points whose answer is known without a draw; null: it is known that it cannot be told. */
  give(predicted: readonly number[], answer: number | null, count: number): void {
    this.#left -= count
    this.#isCovered = false
    if (!this.differsAt({ predicted })) return
    requireInput(count <= this.#open, `give: no more points than are open are required, got ${count} of ${this.#open}`)
    this.#open -= count
    if (answer === null) this.#unknown += count
    else this.#seen += count * this.#worth(predicted, answer)
  }

  /** The least that Σ x can be in this direction, whatever the answers to the rest. */
  least(direction: Direction): number {
    return direction * this.#seen - this.#unknown - this.#open
  }

  /** Where Σ x is thought to be: the mean X, with ten draws' weight for what is believed and one for "no difference". */
  get estimate(): number {
    const mean = (10 * (this.#seen + this.#round.expected) + this.#sum) / (11 + this.#counted)
    return clip(mean, this.least(1), -this.least(-1))
  }

  /** The estimate in standard deviations of X: how fast a bet on this direction promises to win. */
  sharpness(direction: Direction): number {
    return (direction * this.estimate) / Math.sqrt(this.#variance() * this.#spread(0))
  }

  #believed({ predicted, probabilities }: Pick<RaceGroup, 'predicted' | 'probabilities'>): { mean: number; variance: number } {
    const [one, other] = [probabilities[predicted[this.first]!] ?? 0, probabilities[predicted[this.second]!] ?? 0]
    return { mean: one - other, variance: one + other - (one - other) ** 2 }
  }

  #worth(predicted: readonly number[], answer: number): number {
    return (predicted[this.first] === answer ? 1 : 0) - (predicted[this.second] === answer ? 1 : 0)
  }

  /** How the variance of X depends on Σ x. */
  #spread(sum: number): number {
    return Math.max(this.#differ ** 2 - sum ** 2, 4e-4 * this.#differ ** 2)
  }

  /** Variance of X for each unit of the spread, as the beliefs have it. */
  #predicted(): number {
    const { mass, variance, expected } = this.#round
    const believed = clip((this.#points * expected) / Math.max(this.#left, 1), -this.#differ, this.#differ)
    return Math.max(mass * variance, 4e-6 * this.#differ ** 2) / this.#spread(believed)
  }

  /** The same, put right by the draws so far. */
  #variance(): number {
    return this.#predicted() * clip((100 + this.#surprise) / (100 + this.#counted), 0.25, 4)
  }
}

/** Totals over the points of a round where two models differ: Σ a, Σ h, Σ variance/a, and the largest (h + 1)/a and (1 − h)/a. */
interface Left {
  mass: number
  expected: number
  variance: number
  readonly down: number
  readonly up: number
}
