import { requireInput } from '../core/errors.ts'
import { type Trouble, untilAnswered } from '../programs/retries.ts'
import { type Clock, requireTimeout, systemClock } from '../programs/time.ts'
import { whenAborted } from '../programs/when-aborted.ts'
import { inParallel } from './in-parallel.ts'
import type { Answer, Oracle } from './oracle.ts'
import { oracleFailed } from './reply.ts'
import type { OracleRequest } from './requests.ts'

export interface RequestingOptions {
  /** Requests under way at a time. Default 4. */
  readonly concurrency?: number
  /** Milliseconds a request may take. Default one minute. */
  readonly timeout?: number
  /** How often to try again while the service is busy, broken or away, ½, 1, 2, 4, … seconds later. Default 5. */
  readonly retries?: number
  /** Requests a second, the repeated ones included. Default: no limit. */
  readonly rate?: number
  readonly clock?: Clock
}

/** A service that is asked one question a request. */
export interface Asked {
  /** As errors name it. */
  readonly where: string
  questions(ids: readonly string[]): AsyncGenerator<OracleRequest, void>
  /** What is known without a request. */
  known?(question: OracleRequest): Answer | undefined
  /** `turn`: to be waited for before a request is sent. */
  ask(question: OracleRequest, turn: () => Promise<void>, signal: AbortSignal): Promise<Answer | Trouble>
}

export const usualTimeout = 60_000

/** What all oracles have that ask a service: a few requests at a time, tried again where the trouble may pass, no faster than they may be. */
export function requestingOracle(service: Asked, options: RequestingOptions): Pick<Oracle, 'label' | 'close'> {
  const { concurrency = 4, timeout = usualTimeout, retries = 5, rate = Number.POSITIVE_INFINITY, clock = systemClock } = options
  checkNumbers({ concurrency, timeout, retries, rate })
  const pace = pacer(rate, clock)
  const calls = new Set<Call>()
  let isClosed = false

  const ask = async (question: OracleRequest, { requests, retries: retrying }: Call): Promise<Answer> =>
    service.known?.(question) ??
    untilAnswered(() => service.ask(question, () => pace.turn(retrying.signal), requests.signal), {
      retries,
      clock,
      signal: retrying.signal,
      pause: pace.pause,
      gaveUp: (trouble, hint) =>
        oracleFailed(`${service.where}: an answer for ${JSON.stringify(question.id)} is required, got ${trouble}`, hint),
    })

  return {
    async *label(ids, signal) {
      signal?.throwIfAborted()
      if (isClosed) throw closed(service.where)
      const call = startCall()
      calls.add(call)
      const unlisten = whenAborted(signal, call.end)
      const answers = inParallel(service.questions([...new Set(ids)]), {
        width: concurrency,
        work: (question) => ask(question, call),
        failed: (error) => call.retries.abort(error), // requests under way may finish, none is tried again
      })
      try {
        for await (const answer of answers) {
          signal?.throwIfAborted()
          yield answer
        }
      } catch (error) {
        call.requests.signal.throwIfAborted() // a sleep that was cut short does not know why
        throw error
      } finally {
        unlisten()
        calls.delete(call)
        call.end(closed(service.where))
      }
    },
    async close() {
      isClosed = true
      for (const call of calls) call.end(closed(service.where))
    },
  }
}

type Call = ReturnType<typeof startCall>

/** What can be called off: the requests under way, or only the waiting to try again. */
function startCall() {
  const requests = new AbortController()
  const retries = new AbortController()
  return {
    requests,
    retries,
    end(reason: unknown) {
      retries.abort(reason)
      requests.abort(reason)
    },
  }
}

const closed = (where: string) => oracleFailed(`${where}: an open oracle is required, got a closed one`)

function checkNumbers({
  concurrency,
  timeout,
  retries,
  rate,
}: Readonly<Record<'concurrency' | 'timeout' | 'retries' | 'rate', number>>) {
  const isWhole = Number.isInteger
  requireInput(
    isWhole(concurrency) && concurrency >= 1,
    `concurrency: a whole number of at least 1 is required, got ${concurrency}`,
  )
  requireInput(isWhole(retries) && retries >= 0, `retries: a whole number of at least 0 is required, got ${retries}`)
  requireTimeout(timeout)
  requireInput(rate > 0, `rate: requests a second, above 0, are required, got ${rate}`)
}

/** Lets requests start one gap after another, and not before a pause is over. */
function pacer(rate: number, clock: Clock) {
  const gap = 1000 / rate
  let free = Number.NEGATIVE_INFINITY
  return {
    async turn(signal: AbortSignal): Promise<void> {
      const now = clock.now()
      const start = Math.max(now, free)
      free = start + gap
      if (start > now) await clock.sleep(start - now, signal)
    },
    pause(milliseconds: number): void {
      free = Math.max(free, clock.now() + milliseconds)
    },
  }
}
