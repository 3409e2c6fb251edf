/**
 * `defined`; `if any`: it holds if there is anything to divide by; `undefined`: there is nothing; `known`: nothing is open any more;
 * `contradiction`: one of the cases that the level allows for has happened, and only what is certain is said.
 */
export type IntervalState = 'defined' | 'if any' | 'undefined' | 'known' | 'contradiction'

/** What a record says of a question. Missing numbers: there is nothing to divide by. */
export interface QuestionAnswer {
  readonly state: IntervalState
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** Draws that counted. */
  readonly answers: number
}
