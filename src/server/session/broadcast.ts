import type { Event } from '../../protocol/events.ts'

type Listener = (bytes: Uint8Array) => void

const flushEvery = 30 // ms: with fifty pages each answer is fifty writes, and so short a delay is not seen

/** Sends events to every page that listens. A page may listen more than once while it reconnects. */
export function broadcast(onLeave: (page: string) => void) {
  const listeners = new Map<Listener, string>()
  let waiting = ''
  let flushed = Number.NEGATIVE_INFINITY

  const isListening = (page: string) => [...listeners.values()].includes(page)

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
      return () => {
        if (listeners.delete(listener) && !isListening(page)) onLeave(page)
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
