import { AlisError, type ErrorCode } from '../core/errors.ts'
import type { Failure } from '../protocol/project.ts'

/** A request that is refused, with the status it is refused by. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: Status
  readonly code: string
  readonly hint: string | undefined

  constructor(status: Status, code: string, message: string, hint?: string) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
  }
}

export type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 500 | 503

const statuses = {
  'bad-input': 400,
  'not-drawn': 404,
  'round-closed': 409,
  'engine-failed': 500,
  'oracle-failed': 500,
  'store-failed': 503,
} as const satisfies Record<ErrorCode, Status>

/** What is told of an error outside: never a stack, and of what nobody foresaw not even its words. */
export function tellOutside(error: unknown): { status: Status; failure: Failure } {
  if (error instanceof Refusal) return { status: error.status, failure: failureOf(error) }
  if (error instanceof AlisError) return { status: statuses[error.code], failure: failureOf(error) }
  return { status: 500, failure: bug }
}

const bug: Failure = {
  code: 'bug',
  message: 'server: must not fail, got an error that nobody foresaw',
  hint: 'This is a fault in alis. The terminal that runs it says more; please report that.',
}

function failureOf({ code, message, hint }: AlisError | Refusal): Failure {
  return { code, message, ...(hint !== undefined && { hint }) }
}

/** Whether nobody foresaw it: then the terminal must say all there is. */
export function isBug(error: unknown): boolean {
  return !(error instanceof Refusal || error instanceof AlisError)
}

export const noProject = () => new Refusal(409, 'no-project', 'project: one must have been begun, got none', 'Begin at /start.')
export const noRound = () => new Refusal(404, 'no-round', 'round: an open one is required, got none')
