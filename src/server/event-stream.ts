import type { Context } from 'hono'
import type { Event } from '../protocol/events.ts'
import type { House } from './house.ts'

const heartbeat = 15_000 // ms
const mostWaiting = 4_000 // events a page may lag behind; then it starts anew

/** What happens, told to one page until it leaves. The first event is how things stand. */
export function eventStream(c: Context, house: House, page: string): Response {
  let end = () => {}
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if ((controller.desiredSize ?? 0) < -mostWaiting) return end()
          controller.enqueue(encoder.encode(text))
        }
        const tell = (event: Event) => write(`data: ${JSON.stringify(event)}\n\n`)
        const quiet = house.feed.listen(page, tell)
        const beat = setInterval(() => write(':\n\n'), heartbeat)
        end = () => {
          clearInterval(beat)
          quiet()
          house.streams.delete(end)
          try {
            controller.close()
          } catch {} // it was closed from the other side
        }
        house.streams.add(end)
        write(':\n\n')
        const project = house.session()?.shown()
        if (project) tell({ type: 'project', project })
      },
      cancel: () => end(),
    },
    { highWaterMark: 0 },
  )
  return c.body(body, 200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
}
