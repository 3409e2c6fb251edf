import { requireInput } from '../core/errors.ts'
import { type OwnFit, ownLearner } from '../learners/own-learner.ts'
import { endpointAt } from '../programs/endpoint.ts'
import { untilAnswered } from '../programs/retries.ts'
import { type Clock, requireTimeout, systemClock } from '../programs/time.ts'
import { whenAborted } from '../programs/when-aborted.ts'
import { type ElsewhereOptions, type OpenLearner, usualTimeout } from './command-learner.ts'
import { blaming, fitText, largestScores, learnerFailed, readFit } from './messages.ts'

export interface HttpLearnerOptions extends ElsewhereOptions {
  readonly url: string
  /** Sent with every request, and never shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often to try again while the service is busy, broken or away, ½, 1, 2, 4, … seconds later. Default 5. */
  readonly retries?: number
  readonly clock?: Clock
}

const words = { name: 'learner', wanted: 'scores are', token: 'ALIS_LEARNER_TOKEN', fail: learnerFailed }

/** A service that fits models of its own: each fit is a POST of the JSON that a program gets as a line, and its reply the same. */
export function httpLearner(options: HttpLearnerOptions): OpenLearner {
  const { pool, seed = 0, timeout = usualTimeout, signal, retries = 5, clock = systemClock } = options
  requireTimeout(timeout)
  requireInput(Number.isInteger(retries) && retries >= 0, `retries: a whole number of at least 0 is required, got ${retries}`)
  const { where, hide, post } = endpointAt({ ...options, timeout, largest: largestScores, words })
  const closed = new AbortController()
  let fits = 0

  async function ask(request: OwnFit) {
    const fit = ++fits
    const text = await fitText(fit, pool, request, seed)
    const leaving = new AbortController()
    const unlisten = [signal, closed.signal].map((each) => whenAborted(each, (reason) => leaving.abort(reason)))
    try {
      signal?.throwIfAborted()
      closed.signal.throwIfAborted()
      const { body } = await untilAnswered(() => post(text, leaving.signal), {
        ...{ retries, clock, signal: leaving.signal },
        gaveUp: (trouble, hint) => learnerFailed(`${where}: a reply to fit ${fit} is required, got ${trouble}`, hint),
      })
      return readFit(body, { where, fit, hide })
    } catch (error) {
      leaving.signal.throwIfAborted() // a sleep that was cut short does not know why
      throw error
    } finally {
      for (const stop of unlisten) stop()
    }
  }

  return {
    ...ownLearner('http', blaming(pool, where), ask),
    async close() {
      closed.abort(learnerFailed(`${where}: an open learner is required, got a closed one`))
    },
  }
}
