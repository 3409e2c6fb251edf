export type ErrorCode =
  | 'bad-input'
  | 'not-drawn'
  | 'round-closed'
  | 'engine-failed'
  | 'store-failed'
  | 'oracle-failed'
  | 'learner-failed'

/** Every failure we foresee. `code` is for programs, `message` for people, `hint` says what to do next. */
export class AlisError extends Error {
  override readonly name = 'AlisError'
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}

/** Refuses bad input where it enters. The message reads `where: what is required, got what`. */
export function requireInput(holds: boolean, message: string, hint?: string): asserts holds {
  if (!holds) throw new AlisError('bad-input', message, hint)
}
