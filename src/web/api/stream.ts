import type { Event } from '../../protocol/events.ts'
import type { EventSource } from './event-source.ts'

interface Options {
  /** Opens the server's stream of events. */
  open: () => EventSource
  /** Asks the server for its state, and throws where it cannot be reached. Called before every opening. */
  refresh: () => Promise<void>
  onEvent: (event: Event) => void
  onOffline: () => void
}

/** Shortest and longest pause before the server is tried again. */
const soonest = 500
const latest = 8_000

/** Keeps a stream of events open for as long as the page lives. Its `again` tries at once instead of at the next pause. */
export function keepStream({ open, refresh, onEvent, onOffline }: Options): { again: () => void } {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = soonest
  let isTrying = false

  function lost() {
    source?.close()
    source = undefined
    onOffline()
    clearTimeout(timer)
    timer = setTimeout(again, pause)
    pause = Math.min(latest, pause * 2)
  }

  function listen() {
    source?.close()
    source = open()
    source.onEvent = onEvent
    source.onLost = lost
  }

  async function again() {
    if (isTrying) return
    isTrying = true
    clearTimeout(timer)
    try {
      await refresh()
      pause = soonest
      if (!source) listen()
    } catch {
      lost()
    } finally {
      isTrying = false
    }
  }

  again()
  return { again }
}
