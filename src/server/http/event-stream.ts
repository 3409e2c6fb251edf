import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { bytesOf, heartbeat } from '../session/feed.ts'
import type { House } from '../session/project-host.ts'
import { guards } from './security.ts'

const pulse = 15_000 // ms
const mostWaiting = 1_000_000 // bytes a page may lag behind; then it is let go, comes back, and starts anew

/**
 * What happens, told to one page until it leaves. The first event is how things stand. Written to the socket by ourselves: each
 * answer goes to every page, and streams in between would cost more than all else.
 */
export function eventStream(c: Context, house: House, page: string): Response {
  const { outgoing } = c.env as HttpBindings
  const write = (bytes: Uint8Array) => {
    if (outgoing.writableLength > mostWaiting) outgoing.destroy()
    else outgoing.write(bytes)
  }
  outgoing.writeHead(200, { ...guards, 'Content-Type': 'text/event-stream' })
  const project = house.session()?.shown()
  write(project ? bytesOf({ type: 'project', project }) : heartbeat)
  const quiet = house.feed.listen(page, write)
  const beat = setInterval(() => write(heartbeat), pulse)
  const end = () => void outgoing.end()
  house.streams.add(end)
  outgoing.once('close', () => {
    clearInterval(beat)
    house.streams.delete(end)
    quiet()
  })
  return RESPONSE_ALREADY_SENT
}
