/** What the server said no to, or that it could not be reached (`status` 0, code `unreachable`). */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  readonly hint: string | undefined
  readonly status: number

  constructor(status: number, code: string, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
    this.hint = hint
  }

  static unreachable(cause?: unknown): Failure {
    return new Failure(0, 'unreachable', 'server: an answer is required, got none', 'Is the command still running?', { cause })
  }

  /** What the body of a refused request says. */
  static from(status: number, text: string): Failure {
    try {
      const { code, message, hint } = JSON.parse(text) as { code: string; message: string; hint?: string }
      return new Failure(status, code, message, hint)
    } catch {
      return new Failure(status, 'unexpected', `server: an answer in JSON is required, got status ${status}`)
    }
  }

  /** Whether the same request may succeed later. A lost cookie counts: nothing a person answered is given up for it. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || passing.has(this.status)
  }
}

const passing = new Set([401, 403, 408, 425, 429])
