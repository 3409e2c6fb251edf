import { setTimeout as delay } from 'node:timers/promises'
import { requireInput } from '../core/errors.ts'

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
}

export function requireTimeout(timeout: number): void {
  requireInput(timeout > 0 && timeout < 2 ** 31, `timeout: milliseconds, above 0 and below 2³¹, are required, got ${timeout}`)
}

/** What comes of some work. Throws `late()` where that takes longer. */
export async function inTime<T>(work: Promise<T>, timeout: number, late: () => Error): Promise<T> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => over.reject(late()), timeout)
  return Promise.race([over.promise, work]).finally(() => clearTimeout(timer))
}
