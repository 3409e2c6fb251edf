import type { AskedAnswer } from '../../src/questions/ask.ts'
import { keyOf, type QuestionSpec } from '../../src/questions/spec.ts'
import { type PosedQuestion, posed, posedMeans } from './posed-questions.ts'
import { faultOf, isMissed, type Truth } from './watch.ts'

/** What was said of one question by one audit, however often, and whether it ever was wrong. */
export interface Claim {
  readonly name: string
  isMissed: boolean
}

/** All that is asked of a project. */
export const asked: readonly PosedQuestion[] = [...posed, ...posedMeans]

/** What a ceiling or a level makes of a question leaves its truth as it is. */
function posedFor({ isCeiling: _, isLinearised: __, ...spec }: QuestionSpec): PosedQuestion {
  return asked.find((each) => keyOf(each.spec) === keyOf(spec))!
}

const noTruth: Truth = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** All that a project ever printed, held against the truth. */
export class Claims {
  readonly faults: string[] = []
  printed = 0
  readonly #claims = new Map<string, Claim>()

  get all(): readonly Claim[] {
    return [...this.#claims.values()]
  }

  /** `truthOf`: missing while answers stand on record that will be put right: then only what can never be is a fault. */
  hold(audit: string, said: readonly AskedAnswer[], truthOf: ((question: PosedQuestion) => Truth) | undefined): void {
    for (const answer of said) {
      this.printed++
      const question = posedFor(answer.question)
      const truth = truthOf?.(question)
      const fault = truth ? faultOf(answer, truth) : faultOf(answer, noTruth)
      if (fault) this.faults.push(fault)
      if (truth) this.#note(`${audit} ${keyOf(answer.question)}`, question.name, isMissed(answer, truth))
    }
  }

  /** Limits that are to hold all at once. */
  holdTogether(
    audit: string,
    said: readonly (AskedAnswer & { readonly together?: Pick<AskedAnswer, 'low' | 'high'> })[],
    truthOf: (question: PosedQuestion) => Truth,
  ): void {
    const missed = said.some(({ question, together }) => {
      const [least, most] = truthOf(posedFor(question))
      const { low, high } = together!
      return low !== null && high !== null && (low > least + 1e-9 || high < most - 1e-9)
    })
    this.#note(`${audit} ${said.map(({ question }) => keyOf(question)).join()}`, 'all at once', missed)
  }

  #note(key: string, name: string, missed: boolean): void {
    const claim = this.#claims.get(key) ?? { name, isMissed: false }
    claim.isMissed ||= missed
    this.#claims.set(key, claim)
  }
}
