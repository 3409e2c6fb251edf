import { ModelRace } from '../certificates/best-model.ts'
import type { RaceState } from '../certificates/race-masses.ts'
import type { Label } from '../core/record.ts'
import type { Beliefs } from './beliefs.ts'
import type { Strata } from './frame.ts'
import { raceGroups } from './masses.ts'
import { type AuditRecord, type OpenRound, type QuestionReader, type RaceSpec, readRecord } from './record.ts'

/** What a record says of several models. */
export interface BestModel {
  /** The one that is proven to be the best, or as good but for `within`; null while none is. */
  readonly model: string | null
  readonly within: number
  readonly level: number
  /** The one that looks best. */
  readonly leader: string
  /** Those that are proven not to be the best. */
  readonly out: readonly string[]
  /** Accuracy of each model less that of the leader: estimates, with no promise. */
  readonly differences: Readonly<Record<string, number>>
  readonly answers: number
}

/**
 * Which of the models of a record is the best.
 *
 * @example askBest(record, { within: 0.01, level: 0.95 })   // → { model, leader, out, … }
 * @see docs/equations.md#best-model
 */
export function askBest(record: AuditRecord, race: RaceSpec): BestModel {
  const reader = new RaceReader(race, record.strata)
  readRecord(record, [reader])
  return reader.best()
}

/** Follows a record for the best of its models. */
export class RaceReader implements QuestionReader {
  readonly spec: RaceSpec
  readonly #race: ModelRace
  readonly #strata: Strata
  #round: OpenRound | undefined

  constructor({ within, level }: RaceSpec, strata: Strata) {
    const { models } = strata.frame
    const pool = strata.list.map(({ predicted }, k) => ({ predicted, count: strata.counts[k]! }))
    this.spec = { within, level }
    this.#strata = strata
    this.#race = new ModelRace({ models: models.length, pool, within, delta: 1 - level })
  }

  give(stratum: number, answer: Label): void {
    this.#race.give({ predicted: this.#strata.list[stratum]!.predicted, answer: this.#placeOf(answer) })
  }

  begin(round: OpenRound): void {
    this.#round = round
    const groups = raceGroups(this.#strata, round.left, round.beliefs)
    this.#race.round(groups.map((group, k) => ({ ...group, mass: round.masses[k]! })).filter(({ count }) => count > 0))
  }

  draw(stratum: number, answer: Label): void {
    const { beliefs, masses } = this.#round!
    this.#race.draw({
      predicted: this.#strata.list[stratum]!.predicted,
      probabilities: beliefs.probabilities(this.#strata.profiles[stratum]!),
      mass: masses[stratum]!,
      answer: this.#placeOf(answer),
    })
  }

  /** What the masses of the next round follow from. */
  state(left: Float64Array, beliefs: Beliefs): RaceState {
    return this.#race.state(raceGroups(this.#strata, left, beliefs))
  }

  best(): BestModel {
    const { models } = this.#strata.frame
    const { best, leader, out, differences, answers } = this.#race.standing()
    return {
      model: best === null ? null : models[best]!,
      ...this.spec,
      leader: models[leader]!,
      out: models.filter((_, j) => out[j]),
      differences: Object.fromEntries(models.map((name, j) => [name, differences[j]!])),
      answers,
    }
  }

  #placeOf(answer: Label): number | null {
    return answer === null ? null : this.#strata.frame.classes.indexOf(answer)
  }
}
