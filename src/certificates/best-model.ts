import { requireInput } from '../core/errors.ts'
import { type Direction, ModelPair, type RaceDraw, type RaceGroup, type RaceStratum } from './model-pair.ts'
import { favourite, largest, type RaceState, raceMasses, range } from './race-masses.ts'
import { SteadyWealth, steadySizes } from './steady-wealth.ts'

export interface ModelRaceOptions {
  /** How many models there are. */
  readonly models: number
  /** All points that accuracies are about, by what the models predict. Points where all agree may be one group. */
  readonly pool: readonly Pick<RaceGroup, 'predicted' | 'count'>[]
  /** A model may be named if no other is better by more than this. */
  readonly within: number
  /** Chance that a model is ever named that is not so good. Default 0.05. */
  readonly delta?: number
}

/** What a record says of the models. */
export interface RaceStanding {
  /** The model that loses least in its worst comparison, as far as is known. */
  readonly leader: number
  /** The model that is proven to be the best, or as good but for `within`; null while none is. */
  readonly best: number | null
  /** Models that are proven not to be the best. */
  readonly out: readonly boolean[]
  /** Models that are proven to be better than the leader by no more than `within`; itself among them. */
  readonly covered: readonly boolean[]
  /** Accuracy of every model less that of the leader: estimates, with no promise. */
  readonly differences: readonly number[]
  /** Draws of points at which models that were still in the race differed. */
  readonly answers: number
}

/**
 * Which of some models is the best on a pool, from successive draws, at every look. A model is out once what was bet on others being
 * better is worth 2/δ; (w, j) is covered once what was bet against "j is better than w by ε" is worth 2(K − 1)/δ; a model is named once
 * all others are out or covered.   @see docs/equations.md#best-model
 */
export class ModelRace {
  readonly #models: number
  readonly #margin: number
  readonly #points: number
  readonly #delta: number
  /** Every two models: (0, 1), (0, 2), (1, 2), (0, 3), … */
  readonly #pairs: readonly ModelPair[]
  readonly #elimination: readonly SteadyWealth[]
  /** By w · models + j. */
  readonly #cover: readonly SteadyWealth[]
  readonly #isCovered: boolean[]
  readonly #isOut: boolean[]
  #isOpen = false
  #hasBegun = false
  #named: number | null = null
  #answers = 0

  constructor({ models, pool, within, delta = 0.05 }: ModelRaceOptions) {
    requireInput(Number.isInteger(models) && models >= 2, `models: two or more are required, got ${models}`)
    requireInput(within >= 0 && within < 1, `within: must be in [0, 1), got ${within}`)
    requireInput(delta > 0 && delta < 1, `delta: must be in (0, 1), got ${delta}`)
    for (const { predicted, count } of pool) {
      requireInput(
        predicted.length === models,
        `pool: a class for each of ${models} models is required, got ${predicted.length} classes`,
      )
      requireInput(Number.isInteger(count) && count >= 0, `pool: whole numbers of points are required, got ${count}`)
    }
    this.#models = models
    this.#points = pool.reduce((sum, { count }) => sum + count, 0)
    this.#margin = within * this.#points
    this.#delta = delta
    this.#pairs = range(models).flatMap((second) => range(second).map((first) => new ModelPair(first, second, pool)))
    const sizes = steadySizes(this.#points)
    this.#elimination = range(models).map(() => new SteadyWealth(sizes))
    this.#cover = range(models ** 2).map(() => new SteadyWealth(sizes))
    this.#isCovered = range(models ** 2).map((k) => k % (models + 1) === 0)
    this.#isOut = range(models).map(() => false)
    this.#settle()
  }

  /** Where the race stands: what the masses of the next round follow from, with `raceMasses`. */
  state(groups: readonly RaceGroup[]): RaceState {
    const race = this.#race()
    const leader = this.#hasBegun ? this.#leader() : favourite(race, groups)
    return { race, leader, rivals: race.filter((j) => !this.#isCovered[leader * this.#models + j]) }
  }

  /** The mass of a point of each group, for the next round. */
  masses(groups: readonly RaceGroup[]): Float64Array {
    return raceMasses(groups, this.state(groups))
  }

  /** Begins a round, with all points that could be drawn in it; where some with a say about a pair could not, it says nothing of that pair. */
  round(strata: readonly RaceStratum[]): void {
    for (const pair of this.#pairs) pair.round(strata)
    this.#isOpen = true
    this.#hasBegun = true
  }

  /** Adds the next draw of the round. */
  draw(draw: RaceDraw): void {
    requireInput(this.#isOpen, 'draw: round() must come first, got a draw before it')
    requireInput(draw.mass > 0, `draw: a mass above 0 is required, got ${draw.mass}`)
    const race = this.#race()
    for (const [j, rival] of race.map((j) => [j, this.#rivalOf(j)] as const)) {
      const { pair, direction } = rival ?? {}
      if (pair?.differsAt(draw)) this.#elimination[j]!.step(pair.wager(direction!, 0, draw))
    }
    for (const pair of this.#pairs) {
      if (!pair.isCovered || !pair.differsAt(draw)) continue
      for (const direction of [1, -1] as const) {
        const at = this.#place(pair, direction)
        if (!this.#isCovered[at]) this.#cover[at]!.step(pair.wager(direction, this.#margin, draw))
      }
    }
    if (race.some((j) => draw.predicted[j] !== draw.predicted[race[0]!])) this.#answers++
    for (const pair of this.#pairs) pair.draw(draw)
    this.#settle()
  }

  /** Counts points whose answer is known without a draw. It ends the round: what is left to draw from is no longer what it was. */
  give({ predicted, answer, count = 1 }: { predicted: readonly number[]; answer: number | null; count?: number }): void {
    for (const pair of this.#pairs) pair.give(predicted, answer, count)
    this.#isOpen = false
    this.#settle()
  }

  standing(): RaceStanding {
    const leader = this.#leader()
    const models = range(this.#models)
    return {
      leader,
      best: this.#named,
      out: [...this.#isOut],
      covered: models.map((j) => this.#isCovered[leader * this.#models + j]!),
      differences: models.map((j) => this.#ahead(j, leader) / this.#points + 0), // no −0
      answers: this.#answers,
    }
  }

  /** What is owned against each model being the best, and against j being better than w by so much, by w and j: for tests. */
  get wealth(): { readonly elimination: readonly number[]; readonly cover: readonly (readonly number[])[] } {
    const models = range(this.#models)
    return {
      elimination: this.#elimination.map(({ total }) => total),
      cover: models.map((w) => models.map((j) => this.#cover[w * this.#models + j]!.total)),
    }
  }

  /** Models that are not out. */
  #race(): readonly number[] {
    return range(this.#models).filter((j) => !this.#isOut[j])
  }

  /** The pair of w and j, and the direction in which w is ahead. */
  #between(w: number, j: number): Comparison {
    const [first, second] = w < j ? [w, j] : [j, w]
    return { pair: this.#pairs[(second * (second - 1)) / 2 + first]!, direction: w < j ? 1 : -1 }
  }

  /** Where the cover of a pair is kept, for the model that is ahead in this direction. */
  #place({ first, second }: ModelPair, direction: Direction): number {
    return direction === 1 ? first * this.#models + second : second * this.#models + first
  }

  /** By how many points w is thought to be ahead of j. */
  #ahead(w: number, j: number): number {
    if (w === j) return 0
    const { pair, direction } = this.#between(w, j)
    return direction * pair.estimate
  }

  /** Who is bet on against j at the next draw: the model in the race for which that promises most. */
  #rivalOf(j: number): Comparison | undefined {
    let rival: Comparison | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const w of this.#race()) {
      if (w === j) continue
      const { pair, direction } = this.#between(w, j)
      if (!pair.isCovered) continue
      const sharpness = pair.sharpness(direction)
      if (sharpness > most) [rival, most] = [{ pair, direction }, sharpness]
    }
    return rival
  }

  /** The model with the largest smallest lead in the race. */
  #leader(among = this.#race()): number {
    const race = this.#race()
    return largest(among, (w) => Math.min(...race.map((j) => this.#ahead(w, j))))
  }

  /** Covers and eliminates what has been proven, or has become certain, and names a model if one is left. */
  #settle(): void {
    for (const pair of this.#pairs)
      for (const direction of [1, -1] as const) {
        const at = this.#place(pair, direction)
        const isProven = this.#cover[at]!.total >= (2 * (this.#models - 1)) / this.#delta
        if (isProven || pair.least(direction) >= -this.#margin) this.#isCovered[at] = true
      }
    this.#eliminate()
    const race = this.#race()
    const isBest = (w: number) => race.every((j) => this.#isCovered[w * this.#models + j])
    const candidates = race.filter(isBest)
    if (candidates.length > 0) this.#named = this.#leader(candidates)
  }

  /** The clearest cases first, and never the last model. */
  #eliminate(): void {
    const isWorse = (j: number) =>
      range(this.#models).some((w) => {
        if (w === j) return false
        const { pair, direction } = this.#between(w, j)
        return pair.least(direction) > 0
      })
    const owned = this.#elimination.map(({ total }) => total)
    const losers = this.#race().filter((j) => owned[j]! >= 2 / this.#delta || isWorse(j))
    for (const j of losers.toSorted((a, b) => owned[b]! - owned[a]!)) if (this.#race().length > 1) this.#isOut[j] = true
  }
}

/** Two models, seen from one of them. */
interface Comparison {
  readonly pair: ModelPair
  readonly direction: Direction
}
