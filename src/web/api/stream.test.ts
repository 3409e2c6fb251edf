import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Event } from '../../protocol/events.ts'
import type { EventSource } from './event-source.ts'
import { keepStream } from './stream.ts'

const claim: Event = { type: 'claim', round: 0, ids: [], page: 'x' }

class Source implements EventSource {
  onEvent: EventSource['onEvent']
  onLost: EventSource['onLost']
  isClosed = false
  close() {
    this.isClosed = true
  }
}

function setUp() {
  const sources: Source[] = []
  const server = { isUp: true, asked: 0 }
  const onOffline = vi.fn()
  const onEvent = vi.fn()
  const stream = keepStream({
    open() {
      const source = new Source()
      sources.push(source)
      return source
    },
    async refresh() {
      server.asked++
      if (!server.isUp) throw new Error('down')
    },
    onEvent,
    onOffline,
  })
  return { sources, server, onOffline, onEvent, stream }
}

describe('the stream of events', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('asks for the state before it listens, so that nothing between is missed', async () => {
    const { sources, server, onEvent } = setUp()
    expect([server.asked, sources.length]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(0)
    sources[0]!.onEvent!(claim)
    expect(onEvent).toHaveBeenCalledWith(claim)
  })

  it('comes back by itself, with pauses that grow to a limit', async () => {
    const { sources, server, onOffline } = setUp()
    await vi.advanceTimersByTimeAsync(0)
    server.isUp = false
    sources[0]!.onLost!()
    expect(onOffline).toHaveBeenCalledOnce()
    expect(sources[0]!.isClosed).toBe(true)

    await vi.advanceTimersByTimeAsync(500 + 1000 + 2000 + 4000 + 8000 + 8000)
    expect(server.asked).toBe(7)
    server.isUp = true
    await vi.advanceTimersByTimeAsync(8000)
    expect(sources.length).toBe(2)
    expect(sources[1]!.isClosed).toBe(false)
  })

  it('tries at once when told to, and keeps a stream that works', async () => {
    const { sources, server, stream } = setUp()
    await vi.advanceTimersByTimeAsync(0)
    stream.again()
    await vi.advanceTimersByTimeAsync(0)
    expect([server.asked, sources.length]).toEqual([2, 1])

    server.isUp = false
    sources[0]!.onLost!()
    server.isUp = true
    stream.again()
    await vi.advanceTimersByTimeAsync(0)
    expect(sources.length).toBe(2)
  })
})
