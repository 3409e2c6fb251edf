import { requireInput } from '../core/errors.ts'
import type { Plan } from './plan.ts'
import { type Evidence, QuestionLimit, type QuestionLimitOptions } from './question-limit.ts'

export interface QuestionLimitsOptions extends Omit<QuestionLimitOptions, 'sign' | 'alpha' | 'isEndless' | 'start'> {
  /** Chances that the lower and the upper limit are ever wrong; 0 for no limit at all. */
  readonly lower: number
  readonly upper: number
  /** Values to say how much there is against at any time. */
  readonly watch: readonly number[]
  /** What is owned against a value before the first draw, by the side of its limit. Default 1. */
  readonly start?: ((f: number, sign: 1 | -1) => number) | undefined
}

/** Both limits of a question, and bets against single values that go on for ever. */
export class QuestionLimits {
  readonly lower: QuestionLimit
  readonly upper: QuestionLimit
  readonly #watched: ReadonlyMap<number, Readonly<Record<'above' | 'below', QuestionLimit>>>

  constructor({ lower, upper, watch, start, ...common }: QuestionLimitsOptions) {
    const limit = (sign: 1 | -1, alpha: number) =>
      new QuestionLimit({ ...common, sign, alpha, start: start && alpha > 0 ? (f) => start(f, sign) : undefined })
    this.lower = limit(1, lower)
    this.upper = limit(-1, upper)
    const endless = (value: number) =>
      ({ ...common, alpha: lower || upper, values: [value], finest: Number.POSITIVE_INFINITY, isEndless: true }) as const
    this.#watched = new Map(
      watch.map((value) => [
        value,
        { above: new QuestionLimit({ ...endless(value), sign: 1 }), below: new QuestionLimit({ ...endless(value), sign: -1 }) },
      ]),
    )
  }

  /** Bets on one draw, and gives up what lies beyond the other limit. */
  step(evidence: Evidence): void {
    for (const limit of this.#all()) limit.step(evidence)
    this.lower.narrow(this.upper.value)
    this.upper.narrow(this.lower.value)
  }

  replan(plan: Plan): void {
    for (const limit of this.#all()) limit.replan(plan)
  }

  /** What is owned against F ≤ value (that it lies `above`) or F ≥ value (`below`): its mean is at most 1 if that is so. */
  eValue(value: number, side: 'above' | 'below'): number {
    const watched = this.#watched.get(value)
    const known = [...this.#watched.keys()].join(', ') || 'none'
    requireInput(watched !== undefined, `eValue: one of the values watched (${known}) is required, got ${value}`)
    return watched[side].owned(0)
  }

  *#all(): Generator<QuestionLimit> {
    yield this.lower
    yield this.upper
    for (const { above, below } of this.#watched.values()) yield* [above, below]
  }
}
