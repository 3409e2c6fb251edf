import type { Contents, Oracle } from './oracle.ts'
import { type RequestingOptions, requestingOracle, usualTimeout } from './requesting.ts'
import { questionsFor } from './requests.ts'
import { serviceAt } from './service.ts'

export interface HttpOracleOptions extends RequestingOptions {
  readonly url: string
  readonly classes: readonly string[]
  /** The least and the largest grade, where answers are numbers and not classes. */
  readonly range?: readonly [number, number] | undefined
  readonly contents: Contents
  /** Sent with every request, and never shown. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A service that answers: each question is a POST of JSON, each answer its reply. */
export function httpOracle(options: HttpOracleOptions): Oracle {
  const { where, ask } = serviceAt({ timeout: usualTimeout, ...options })
  const asked = requestingOracle(
    {
      where,
      questions: (ids) => questionsFor(ids, options),
      async ask(question, turn, signal) {
        await turn()
        return ask(question, signal)
      },
    },
    options,
  )
  return { name: 'http', ...asked }
}
