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

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 500 | 503

const statuses = {
  'bad-input': 400,
  'not-drawn': 404,
  'round-closed': 409,
  'engine-failed': 500,
  'oracle-failed': 500,
  'learner-failed': 500,
  'store-failed': 503,
} as const satisfies Record<ErrorCode, Status>

const bug: Failure = {
  code: 'bug',
  message: 'server: must not fail, got an error that nobody foresaw',
  hint: 'This is a fault in alis. The terminal that runs it says more; please report that.',
}

/** True of the errors that are part of the design; of any other, the log must say all there is. */
export function isForeseen(error: unknown): error is Refusal | AlisError {
  return error instanceof Refusal || error instanceof AlisError
}

/** What a client is told of an error: never a stack, and of an unforeseen error not even its message. */
export function publicFailure(error: unknown): { status: Status; failure: Failure } {
  if (!isForeseen(error)) return { status: 500, failure: bug }
  const { code, message, hint } = error
  const status = error instanceof Refusal ? error.status : statuses[error.code]
  return { status, failure: { code, message, ...(hint !== undefined && { hint }) } }
}
