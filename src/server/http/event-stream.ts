import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { bytesOf, heartbeat } from '../session/broadcast.ts'
import type { ProjectHost } from '../session/project-host.ts'
import { securityHeaders } from './security.ts'

const heartbeatEvery = 15_000 // ms
const mostWaiting = 1_000_000 // bytes a page may lag behind; then its connection is ended, and it reconnects

/**
 * Events, sent to one page until it leaves. The first is the project as it stands. Written to the socket directly: each answer goes to
 * every page, and streams in between would cost more than all else.
 */
export function eventStream(c: Context, host: ProjectHost, page: string): Response {
  const { outgoing } = c.env as HttpBindings
  const write = (bytes: Uint8Array) => {
    if (outgoing.writableLength > mostWaiting) outgoing.destroy()
    else outgoing.write(bytes)
  }
  outgoing.writeHead(200, { ...securityHeaders, 'Content-Type': 'text/event-stream' })
  const project = host.session()?.view()
  write(project ? bytesOf({ type: 'project', project }) : heartbeat)
  const stopListening = host.events.listen(page, write)
  const beat = setInterval(() => write(heartbeat), heartbeatEvery)
  const end = () => void outgoing.end()
  host.streams.add(end)
  outgoing.once('close', () => {
    clearInterval(beat)
    host.streams.delete(end)
    stopListening()
  })
  return RESPONSE_ALREADY_SENT
}
