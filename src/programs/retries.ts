import type { Clock } from './time.ts'

/** A trouble that may pass, and the `Retry-After` that came with it. */
export interface Trouble {
  readonly trouble: string
  readonly retryAfter: string | null
}

const longestBackoff = 30_000
const longestWait = 600_000 // a service that asks for more time than that is given up

export interface Retrying {
  /** How often to try again, ½, 1, 2, 4, … seconds later. */
  readonly retries: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told how long the service wants to be left alone. */
  pause?(milliseconds: number): void
  gaveUp(trouble: string, hint?: string): Error
}

/** Asks until there is an answer, and gives up where the trouble does not pass. */
export async function untilAnswered<T extends object>(
  ask: () => Promise<T | Trouble>,
  { retries, clock, signal, pause, gaveUp }: Retrying,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    const outcome = await ask()
    if (!('trouble' in outcome)) return outcome
    const wanted = retryAfter(outcome.retryAfter, clock.now())
    if (tries > retries || wanted > longestWait) {
      const often = tries === 1 ? '' : `, ${tries} times`
      const hint = wanted > longestWait ? `It wants to be left alone for ${Math.ceil(wanted / 60_000)} minutes.` : undefined
      throw gaveUp(`${outcome.trouble}${often}`, hint)
    }
    pause?.(wanted)
    await clock.sleep(Math.max(wanted, Math.min(500 * 2 ** (tries - 1), longestBackoff)), signal)
  }
}

/** What a `Retry-After` header asks for, in milliseconds: it gives seconds or a date. */
function retryAfter(header: string | null, now: number): number {
  if (header === null) return 0
  const wait = /^\s*\d+\s*$/.test(header) ? 1000 * Number(header) : Date.parse(header) - now
  return Number.isNaN(wait) ? 0 : Math.max(0, wait)
}
