import { randomUUID } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Signal } from '../../core/signal.ts'
import { addressText, type ClickHouseAddress, type Host, hostText } from './address.ts'
import { ClickHouseFailure, failureFrom, mayPass, requireTrust } from './failures.ts'
import { tabSeparated } from './sql-text.ts'

/** A column of values that is sent along with a query, which reads it as a table of that name with the column `value`. */
export interface SentColumn {
  readonly name: string
  /** ClickHouse's name for the type of the values. */
  readonly type: string
  readonly values: readonly string[]
}

export interface Query {
  readonly sql: string
  readonly sent?: readonly SentColumn[]
  readonly signal?: Signal | undefined
  readonly settings?: Readonly<Record<string, string>>
  /** What the server shall call it, with the number of the try after it. */
  readonly name?: string
}

export type Row = readonly unknown[]

export interface ConnectionOptions {
  readonly password?: string | undefined
  /** Seconds after which an answer is given up. Default 900. */
  readonly timeout?: number | undefined
  /** Tries of a query before a failure that may pass is believed, the first among them. Default 5. */
  readonly tries?: number | undefined
  /** Milliseconds before the second try; twice as long before every further one. Default 200. */
  readonly pause?: number | undefined
}

/** Queries in SQL over HTTP, with whole answers: one that breaks off is no answer. */
export interface Connection {
  /** The address without secrets, for messages and records. */
  readonly where: string
  ask(query: Query): Promise<readonly Row[]>
  /** The same, once and with little patience. */
  glance(sql: string): Promise<readonly Row[]>
  /** Bytes of all answers so far. */
  received(): number
  close(): void
}

export function connectTo(address: ClickHouseAddress, options: ConnectionOptions = {}): Connection {
  const { password = '', timeout = 900, tries = 5, pause: firstPause = 200 } = options
  const { isSecure, hosts, user } = address
  // No connection is kept: old servers hang up after three seconds, which may be just when the next query leaves.
  const agent = isSecure ? new https.Agent() : new http.Agent()
  const request = isSecure ? https.request : http.request
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  let current = 0
  let bytes = 0

  /** One request; `body` is the query itself, or a form with the query in it. */
  async function post(host: Host, parameters: Parameters, body: Body, milliseconds: number, signal?: Signal) {
    const limit = AbortSignal.timeout(milliseconds)
    const path = `/?${new URLSearchParams(parameters)}`
    const headers = { authorization, 'content-type': body.type, 'content-length': body.bytes.length }
    const either = signal instanceof AbortSignal ? AbortSignal.any([signal, limit]) : limit
    const call = request({ agent, host: host.name, port: host.port, method: 'POST', path, headers, signal: either })
    try {
      const { status, reply } = await replyTo(call, body.bytes)
      bytes += reply.length
      if (status !== 200) throw failureFrom(reply.toString())
      return rowsIn(reply.toString())
    } catch (error) {
      if (error instanceof ClickHouseFailure) throw error
      signal?.throwIfAborted()
      requireTrust(hostText(host), error)
      const said = limit.aborted
        ? `no answer within ${milliseconds / 1000} s`
        : error instanceof Error
          ? error.message
          : `${error}`
      throw new ClickHouseFailure(0, `${said} (${hostText(host)})`, { cause: error })
    }
  }

  const attemptOnce = (query: Query, milliseconds: number) => {
    const host = hosts[current]! // all requests of a query go to one host
    return run(query, (parameters, body) => post(host, parameters, body, milliseconds, query.signal))
  }

  return {
    where: addressText(address),
    async ask(query) {
      for (let attempt = 1; ; attempt++) {
        query.signal?.throwIfAborted()
        try {
          return await attemptOnce({ ...query, ...(query.name && { name: `${query.name}-${attempt}` }) }, 1000 * timeout)
        } catch (failure) {
          if (!mayPass(failure) || attempt >= tries) throw failure
          current = (current + 1) % hosts.length
          await pause(firstPause * 2 ** (attempt - 1))
        }
      }
    },
    glance: (sql) => attemptOnce({ sql }, 3000),
    received: () => bytes,
    close: () => agent.destroy(),
  }
}

/** Sends a request and waits for the whole reply. */
function replyTo(call: http.ClientRequest, body: Buffer): Promise<{ readonly status: number; readonly reply: Buffer }> {
  return new Promise((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => buffer(response).then((reply) => resolve({ status: response.statusCode!, reply }), reject))
    call.end(body)
  })
}

/** Runs a query by one request, or by several if it is long and columns are sent along. */
async function run({ sql, sent = [], settings = {}, name }: Query, post: Post): Promise<readonly Row[]> {
  const parameters = {
    wait_end_of_query: '1', // else a failure in the middle would come as a good answer that stops
    default_format: 'JSONCompact',
    ...settings,
    ...(name && { query_id: name }),
  }
  if (sent.length === 0) return post(parameters, textBody(sql))
  if (Buffer.byteLength(sql) < mostInForm) {
    const structures = sent.map((column) => [`${column.name}_structure`, `value ${column.type}`])
    return post({ ...parameters, ...Object.fromEntries(structures) }, await formBody(sql, sent))
  }
  // A form has no room for a long query: then the columns go first, into tables that live as long as the session.
  const session = { session_id: randomUUID(), session_timeout: '60' }
  for (const column of sent) {
    await post(session, textBody(`CREATE TEMPORARY TABLE ${column.name} (value ${column.type})`))
    await post(session, textBody(`INSERT INTO ${column.name} FORMAT TabSeparated\n${tabSeparated(column.values)}`))
  }
  const answer = await post({ ...parameters, ...session }, textBody(sql))
  for (const column of sent) await post(session, textBody(`DROP TEMPORARY TABLE ${column.name}`))
  return answer
}

type Parameters = Readonly<Record<string, string>>
type Post = (parameters: Parameters, body: Body) => Promise<readonly Row[]>

interface Body {
  readonly type: string
  readonly bytes: Buffer
}

/** Servers refuse fields of a form beyond some length, 128 KiB or more. */
const mostInForm = 2 ** 16

const textBody = (sql: string): Body => ({ type: 'text/plain; charset=utf-8', bytes: Buffer.from(sql) })

async function formBody(sql: string, sent: readonly SentColumn[]): Promise<Body> {
  const form = new FormData()
  form.append('query', sql)
  for (const { name, values } of sent) form.append(name, new Blob([tabSeparated(values)]), name)
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type')!, bytes: Buffer.from(await encoded.arrayBuffer()) }
}

function rowsIn(text: string): readonly Row[] {
  if (text.trim() === '') return [] // a statement that has no answer
  try {
    return JSON.parse(text).data
  } catch (cause) {
    throw new ClickHouseFailure(0, `an answer that breaks off: ${text.slice(-200)}`, { cause })
  }
}
