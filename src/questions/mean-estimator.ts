import { MeanOfRatios } from '../certificates/mean-of-ratios.ts'
import { noPlan, type Plan } from '../certificates/plan.ts'
import { isRelevant, type Question, type QuestionTotals } from '../certificates/question.ts'
import type { Label } from '../core/record.ts'
import type { AskedAnswer, AskOptions } from './ask.ts'
import type { QuestionEstimator } from './estimator.ts'
import type { Strata } from './frame.ts'
import type { OpenQuestion } from './masses.ts'
import { type AuditRules, isAbout, type OpenRound, planFor } from './record.ts'
import { keyOf, type QuestionSpec } from './spec.ts'
import { answerOf, type QuestionTables } from './tables.ts'
import { totalsOf } from './totals.ts'

/** Of the mean of a ratio over all classes. */
export class MeanEstimator implements QuestionEstimator {
  readonly question: QuestionSpec
  readonly tables: readonly QuestionTables[]
  readonly #strata: Strata
  readonly #isSinceAsked: boolean
  readonly #interval: MeanOfRatios
  #round: OpenRound | undefined
  #plan: Plan = noPlan
  #isRegistered = false

  constructor(
    question: QuestionSpec,
    tables: readonly QuestionTables[],
    strata: Strata,
    { together = 1, sinceAsked = false }: AskOptions = {},
  ) {
    const alpha = (1 - question.level) / together
    this.question = question
    this.tables = tables
    this.#strata = strata
    this.#isSinceAsked = sinceAsked
    this.#interval = new MeanOfRatios({
      parts: tables.map((each) => each.question),
      counts: tables[0]!.counts,
      lower: alpha / 2,
      upper: alpha / 2,
      linearised: question.isLinearised ?? false,
    })
  }

  /** Its parts, each as one of so many whose mean is taken. */
  wanted(totals: readonly QuestionTotals[], tolerance = 1): readonly OpenQuestion[] {
    const parts = [...this.#interval.parts()]
    return this.tables.flatMap((tables, k) => {
      if (!canCount(tables)) return [] // of a class that no point can be of, nothing is said
      const [least, most] = tables.question.range
      const centre = parts.shift()?.value ?? (least + most) / 2
      return [{ tables, centre, denominator: totals[k]!.den, tolerance: tolerance * this.tables.length }]
    })
  }

  give(stratum: number, answer: Label): void {
    this.#interval.give(this.tables[0]!.kinds[stratum]!, this.#placeOf(answer))
  }

  begin(round: OpenRound, rules: AuditRules): void {
    const { goal, questions } = rules
    const plan = planFor(goal)
    this.#isRegistered ||= questions.some(({ question }) => keyOf(question) === keyOf(this.question))
    if (JSON.stringify(plan) !== JSON.stringify(this.#plan)) this.#interval.replan(plan)
    this.#plan = plan
    this.#round = round
    const { kinds } = this.tables[0]!
    const { allMass, drawn, isPlain } = round
    const isOurs = isAbout(this.#strata.frame, rules, this.question) && (this.#isRegistered || !this.#isSinceAsked)
    const totalsFor = (question: Question): QuestionTotals => {
      const totals = totalsOf({ question, kinds, relevant: question.kinds.map(isRelevant) }, this.#strata, round)
      return { ...totals, isCovered: totals.isCovered && isOurs }
    }
    this.#interval.round(totalsFor, { allMass, drawn, isPlain })
  }

  draw(stratum: number, answer: Label): void {
    const { beliefs, masses } = this.#round!
    this.#interval.draw({
      kind: this.tables[0]!.kinds[stratum]!,
      mass: masses[stratum]!,
      probabilities: beliefs.probabilities(this.#strata.profiles[stratum]!),
      answer: this.#placeOf(answer),
    })
  }

  answer(): AskedAnswer {
    const { level } = this.question
    const { points } = this.tables[0]!
    return {
      question: this.question,
      ...this.#interval.answer(),
      level,
      points,
      plan: this.#plan,
      isRegistered: this.#isRegistered,
    }
  }

  forecast(): undefined {
    return undefined // what its parts need says little of what their mean does
  }

  #placeOf(answer: Label): number | null {
    return answer === null ? null : answerOf(this.#strata.frame, answer)
  }
}

/** Whether there can be anything to divide by. */
const canCount = ({ question, counts }: QuestionTables) =>
  question.kinds.some((worths, kind) => counts[kind]! > 0 && worths.some(({ den }) => den > 0))
