import type { Event } from '../../protocol/events.ts'

type Listener = (bytes: Uint8Array) => void

const breath = 30 // ms between two writes: with fifty pages each answer is fifty writes, and nobody sees so short a delay

/** Tells every page what happens, as server-sent events. A page may listen more than once while it reconnects. */
export function feed(left: (page: string) => void) {
  const listeners = new Map<Listener, string>()
  let waiting = ''
  let written = Number.NEGATIVE_INFINITY

  const isListening = (page: string) => [...listeners.values()].includes(page)

  /** What happened since is written once and sent to each as a whole, however many listen. */
  function flush(): void {
    const bytes = encoder.encode(waiting)
    waiting = ''
    written = performance.now()
    for (const listener of [...listeners.keys()]) listener(bytes)
  }

  return {
    send(event: Event): void {
      if (waiting === '') setTimeout(flush, Math.max(0, written + breath - performance.now()))
      waiting += textOf(event)
    },
    /** Returns what ends it. When a page has nobody listening any more, it has left. */
    listen(page: string, listener: Listener): () => void {
      listeners.set(listener, page)
      return () => {
        if (listeners.delete(listener) && !isListening(page)) left(page)
      }
    },
    isListening,
  }
}

export type Feed = ReturnType<typeof feed>

const encoder = new TextEncoder()
const textOf = (event: Event) => `data: ${JSON.stringify(event)}\n\n`

/** An event as it goes over the wire. */
export const bytesOf = (event: Event): Uint8Array => encoder.encode(textOf(event))
/** Says that the line is alive. */
export const heartbeat = encoder.encode(':\n\n')
