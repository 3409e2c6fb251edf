import type { Event } from '../../protocol/events.ts'

type Listener = (bytes: Uint8Array) => void

const flushEvery = 30 // ms: with fifty pages each answer is fifty writes, and so short a delay is not seen

/** Sends events to every page that listens. A page may listen more than once while it reconnects. */
export function broadcast(onLeave: (page: string) => void) {
  const listeners = new Map<Listener, string>()
  const counts = new Map<string, number>() // listeners of a page
  let waiting = ''
  let flushed = Number.NEGATIVE_INFINITY

  const isListening = (page: string) => counts.has(page)

  function count(page: string, more: 1 | -1): void {
    const now = (counts.get(page) ?? 0) + more
    if (now === 0) counts.delete(page)
    else counts.set(page, now)
  }

  /** What happened since the last flush is encoded once, however many pages listen. */
  function flush(): void {
    const bytes = encoder.encode(waiting)
    waiting = ''
    flushed = performance.now()
    for (const listener of [...listeners.keys()]) listener(bytes)
  }

  return {
    send(event: Event): void {
      if (waiting === '') setTimeout(flush, Math.max(0, flushed + flushEvery - performance.now()))
      waiting += textOf(event)
    },
    /** Returns the function that ends it. A page has left when none of its listeners remains. */
    listen(page: string, listener: Listener): () => void {
      listeners.set(listener, page)
      count(page, 1)
      return () => {
        if (!listeners.delete(listener)) return
        count(page, -1)
        if (!isListening(page)) onLeave(page)
      }
    },
    isListening,
  }
}

export type Broadcast = ReturnType<typeof broadcast>

const encoder = new TextEncoder()
const textOf = (event: Event) => `data: ${JSON.stringify(event)}\n\n`

/** A server-sent event as it goes over the wire. */
export const bytesOf = (event: Event): Uint8Array => encoder.encode(textOf(event))
/** A comment that keeps the connection alive. */
export const heartbeat = encoder.encode(':\n\n')
