import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { AlisError } from '../../core/errors.ts'
import { visibleLines } from '../../text/visible.ts'
import { type ProjectHost, projectHost } from '../session/project-host.ts'
import type { Source } from '../session/state.ts'
import { workerThreads } from '../worker/start-worker.ts'
import type { WorkerWish } from '../worker/worker-protocol.ts'
import { admission } from './admission.ts'
import { createApp } from './app.ts'
import { accessOf } from './security.ts'

export interface ServeOptions {
  /** Where files are looked for and projects are made. */
  readonly directory: string
  /** What to work on; without it, the page begins at Start. */
  readonly work?: { readonly project: string; readonly source: Source } | undefined
  readonly host?: string | undefined
  /** Left out, 4747 or the next that is free. 0: any. */
  readonly port?: number | undefined
  readonly annotator?: string | undefined
  /** Where pools are to lie, and who fits models. */
  readonly wish?: WorkerWish | undefined
  log?(error: unknown): void
}

export interface Served {
  readonly origin: string
  /** An address to be opened, by one page once. Where others on this machine may see it, it lasts for so many milliseconds. */
  address(lasts?: number): string
  readonly projectHost: ProjectHost
  close(): Promise<void>
}

const usualPort = 4747

const logToTerminal = (error: unknown): void => console.error(visibleLines(inspect(error)))

export async function serve(options: ServeOptions): Promise<Served> {
  const { directory, work, host = '127.0.0.1', annotator, wish = {}, log = logToTerminal } = options
  const projects = projectHost({ directory, annotator, startWorker: workerThreads(wish), log })
  const server = createServer()
  endHalfRequests(server)
  try {
    if (work) await projects.open(work.project, work.source)
    const port = await listen(server, host, options.port)
    const admitted = admission()
    const app = createApp({ host: projects, access: accessOf({ port, host }), admission: admitted, log }) // hosts are named with the port
    server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }))
    const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
    const origin = `http://${shown}:${port}`
    return {
      origin,
      // What follows # is for the page alone: browsers never send it.
      address: (lasts) => `${origin}/#code=${admitted.code(lasts === undefined ? {} : { lasts })}`,
      projectHost: projects,
      async close() {
        const closed = new Promise((resolve) => server.close(resolve))
        for (const end of [...projects.streams]) end()
        const idle = setInterval(() => server.closeIdleConnections(), 20) // what is being answered is answered first
        const patience = setTimeout(() => server.closeAllConnections(), 2_000)
        await closed
        clearInterval(idle)
        clearTimeout(patience)
        await projects.close()
      },
    }
  } catch (error) {
    server.close()
    await projects.close()
    throw error
  }
}

const patience = 30_000 // ms
const mostConnections = 1_000

/**
 * Ends connections on which the rest of a request does not come. All requests are short but files that are sent: of these, something must
 * come in every while.
 */
export function endHalfRequests(server: Server, most = patience): void {
  server.requestTimeout = 0
  server.headersTimeout = most
  server.keepAliveTimeout = 60_000 // people think between two answers
  server.maxConnections = mostConnections
  server.on('request', (incoming: IncomingMessage) => {
    const { socket, url } = incoming
    let seen = socket.bytesRead
    let timer = setTimeout(look, most).unref()
    function look(): void {
      if (incoming.complete) return
      const isComing = socket.bytesRead > seen && url?.startsWith('/api/v1/uploads/')
      if (!isComing) return void socket.destroy()
      seen = socket.bytesRead
      timer = setTimeout(look, most).unref()
    }
    incoming.once('close', () => clearTimeout(timer))
  })
}

/** The port that was asked for, or else the usual one or the next that is free. */
async function listen(server: Server, host: string, wanted: number | undefined): Promise<number> {
  const candidates = wanted === undefined ? Array.from({ length: 20 }, (_, k) => usualPort + k) : [wanted]
  for (const port of candidates) {
    try {
      await once(server.listen(port, host), 'listening')
      return (server.address() as AddressInfo).port
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE' && code !== 'EACCES')
        throw new AlisError('bad-input', `--host: an address of this machine is required, got ${host}`, message)
    }
  }
  const tried = candidates.length === 1 ? `${candidates[0]}` : `${candidates[0]} to ${candidates.at(-1)}, all taken`
  throw new AlisError('bad-input', `--port: a free port is required, got ${tried}`, 'Choose another with --port, or 0 for any.')
}
