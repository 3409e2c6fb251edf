import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type ConnectionOptions, connectTo } from './connection.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers as it is told, and the queries it received. */
async function serverThat(answer: (attempt: number, response: ServerResponse) => void) {
  const queries: string[] = []
  const server = createServer((request: IncomingMessage, response) => {
    queries.push(new URL(request.url!, 'http://localhost').searchParams.get('query_id') ?? '')
    request.resume().on('end', () => answer(queries.length, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, queries }
}

function connect(ports: readonly number[], options: ConnectionOptions) {
  const hosts = ports.map((port) => ({ name: '127.0.0.1', port }))
  return connectTo({ isSecure: false, hosts, user: 'default', database: 'd', table: 't' }, { pause: 1, ...options })
}

const failing = (response: ServerResponse) => response.writeHead(500).end('Code: 279, e.displayText() = DB::NetException: All connection tries failed.') // biome-ignore format: one line
const answering = (response: ServerResponse) => response.end('{"data": [[1]]}')

it('asks again, under another name each time, until a failure has passed', async () => {
  const { port, queries } = await serverThat((attempt, response) => (attempt < 4 ? failing(response) : answering(response)))
  expect(await connect([port], { tries: 5 }).ask({ sql: 'SELECT 1', name: 'q' })).toEqual([[1]])
  expect(queries).toEqual(['q-1', 'q-2', 'q-3', 'q-4'])
})

it('believes a failure after so many tries, and one that cannot pass at once', async () => {
  const always = await serverThat((_, response) => failing(response))
  await expect(connect([always.port], { tries: 3 }).ask({ sql: 'SELECT 1' })).rejects.toThrow('All connection tries failed')
  expect(always.queries).toHaveLength(3)
  const wrong = await serverThat((_, response) => response.writeHead(500).end('Code: 47. DB::Exception: Unknown identifier'))
  await expect(connect([wrong.port], { tries: 3 }).ask({ sql: 'SELECT x' })).rejects.toThrow('Unknown identifier')
  expect(wrong.queries).toHaveLength(1)
})

it('gives up on a server that says nothing, and asks the next', async () => {
  const silent = await serverThat(() => {})
  const fine = await serverThat((_, response) => answering(response))
  expect(await connect([silent.port, fine.port], { tries: 2, timeout: 0.2 }).ask({ sql: 'SELECT 1' })).toEqual([[1]])
  await expect(connect([silent.port], { tries: 2, timeout: 0.2 }).ask({ sql: 'SELECT 1' })).rejects.toThrow(
    'no answer within 0.2 s',
  )
  expect(silent.queries).toHaveLength(3)
})

it('takes no answer that breaks off', async () => {
  const { port } = await serverThat((_, response) => response.end('{"data": [[1], [2'))
  await expect(connect([port], { tries: 1 }).ask({ sql: 'SELECT 1' })).rejects.toThrow('an answer that breaks off')
})
