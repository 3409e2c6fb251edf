import type { AskedAnswer } from '../../src/questions/ask.ts'
import { inPool, keyOf, type QuestionSpec } from '../../src/questions/spec.ts'
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
function posedFor({ isCeiling: _, isLinearised: __, poolSize: ___, ...spec }: QuestionSpec): PosedQuestion {
  return asked.find((each) => keyOf(each.spec) === keyOf(spec))!
}

/** Whose audit it is, and how many points its pool had at the start and after each addition. */
export interface AuditName {
  readonly name: string
  readonly poolSizes: readonly number[]
}

/** What is true of the points that an audit is about, those of the pool when it had so many. */
export type TruthOf = (question: PosedQuestion, poolSize: number) => Truth

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
  hold({ name, poolSizes }: AuditName, said: readonly AskedAnswer[], truthOf: TruthOf | undefined): void {
    for (const answer of said) {
      this.printed++
      const posed = posedFor(answer.question)
      const question = inPool(answer.question, poolSizes.at(-1)) // the same claim before and after points are added
      const truth = truthOf?.(posed, question.poolSize!)
      const fault = truth ? faultOf(answer, truth) : faultOf(answer, noTruth)
      if (fault) this.faults.push(fault)
      const about = question.poolSize === poolSizes[0] ? posed.name : `${posed.name}, points added`
      if (truth) this.#note(`${name} ${keyOf(question)}`, about, isMissed(answer, truth))
    }
  }

  /** Limits that are to hold all at once. */
  holdTogether(
    { name, poolSizes }: AuditName,
    said: readonly (AskedAnswer & { readonly together?: Pick<AskedAnswer, 'low' | 'high'> })[],
    truthOf: TruthOf,
  ): void {
    const missed = said.some(({ question, together }) => {
      const [least, most] = truthOf(posedFor(question), question.poolSize ?? poolSizes.at(-1)!)
      const { low, high } = together!
      return low !== null && high !== null && (low > least + 1e-9 || high < most - 1e-9)
    })
    const asked = said.map(({ question }) => keyOf(inPool(question, poolSizes.at(-1)))).join()
    this.#note(`${name} ${asked}`, 'all at once', missed)
  }

  #note(key: string, name: string, missed: boolean): void {
    const claim = this.#claims.get(key) ?? { name, isMissed: false }
    claim.isMissed ||= missed
    this.#claims.set(key, claim)
  }
}
