import type { Event } from '../protocol/events.ts'

type Listener = (event: Event) => void

/** Tells every page what happens. A page may listen more than once while it reconnects. */
export function feed(left: (page: string) => void) {
  const listeners = new Map<Listener, string>()
  return {
    send(event: Event): void {
      for (const listener of listeners.keys()) listener(event)
    },
    /** Returns what ends it. When a page has nobody listening any more, it has left. */
    listen(page: string, listener: Listener): () => void {
      listeners.set(listener, page)
      return () => {
        if (listeners.delete(listener) && !hasListener(page)) left(page)
      }
    },
    isListening: hasListener,
  }

  function hasListener(page: string): boolean {
    return [...listeners.values()].includes(page)
  }
}

export type Feed = ReturnType<typeof feed>
