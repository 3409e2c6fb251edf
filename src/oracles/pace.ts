/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Lets requests start one gap after another, and not before a pause is over. */
export function pacer(rate: number, clock: Clock) {
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

/** What a `Retry-After` header asks for, in milliseconds: it gives seconds or a date. */
export function retryAfter(header: string | null, now: number): number {
  if (header === null) return 0
  const wait = /^\s*\d+\s*$/.test(header) ? 1000 * Number(header) : Date.parse(header) - now
  return Number.isNaN(wait) ? 0 : Math.max(0, wait)
}
