import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDirectory } from '../../../src/projects/export/staging.ts'
import { endHalfRequests, serve } from '../../../src/server/http/serve.ts'
import { pointClaims } from '../../../src/server/session/claims.ts'
import { openTable } from '../../../src/sources/duckdb-file.ts'
import { authorizationFor } from '../../authorization.ts'
import { type Attack, attempt, type Try } from '../attack.ts'

/** Waits until something is so, for some seconds. */
async function comesTrue(isSo: () => boolean): Promise<boolean> {
  for (let k = 0; k < 500 && !isSo(); k++) await pause(10)
  return isSo()
}

const tried = (what: string, isHeld: boolean, through: string): Try => ({ what, ...(!isHeld && { through }) })

const wide: Attack = {
  name: 'a file has very many columns',
  async attack({ folder }) {
    const names = Array.from({ length: 20_000 }, (_, j) => `c${j}`)
    const said = /at most 5,000 columns are possible, got 20,000/
    const tries: Try[] = []
    for (const [name, text] of [
      ['wide.csv', `${names.join()}\n${names.map(() => 1).join()}\n`],
      ['wide.tsv', `${names.join('\t')}\n${names.map(() => 1).join('\t')}\n`],
    ] as const) {
      writeFileSync(join(folder, name), text)
      tries.push(await attempt(name, () => openTable(join(folder, name)), said))
    }
    return tries
  },
}

const halves: Attack = {
  name: 'requests are begun and never ended',
  async attack() {
    const server = createServer((_, reply) => void setTimeout(() => reply.end(), 400)) // longer than patience, as what is whole may take
    endHalfRequests(server, 100)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    const open = (text: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      let said = ''
      socket.on('data', (bytes) => (said += bytes)).write(text)
      return { socket, said: () => said }
    }
    const half = open(`${head('POST', '/api/v1/plan')}Content-Length: 100\r\n\r\n{`)
    const upload = open(`${head('PUT', '/api/v1/uploads/x.csv')}Content-Length: 100\r\n\r\na`)
    const slow = open(`${head('POST', '/api/v1/plan')}Content-Length: 1000\r\n\r\n`)
    const drops = setInterval(() => slow.socket.write('x'), 20)
    const whole = open(`${head('GET', '/api/v1/state')}\r\n`)
    const ended = async ({ socket }: { readonly socket: Socket }) => comesTrue(() => socket.closed || socket.readableEnded)
    const tries = [
      tried('half a body', await ended(half), 'it stays open'),
      tried('half a file', await ended(upload), 'it stays open'),
      tried('a body by drops', await ended(slow), 'it stays open'),
      tried(
        'and a whole request that takes long',
        (await ended(whole)) && whole.said().includes('200 OK'),
        `"${whole.said()}" was answered`,
      ),
    ]
    clearInterval(drops)
    for (const { socket } of [half, upload, slow, whole]) socket.destroy()
    server.close()
    return tries
  },
}

const readers: Attack = {
  name: 'pages listen and do not read',
  async attack({ folder }) {
    const served = await serve({ directory: folder, port: 0 })
    const { port } = new URL(served.origin)
    const { streams, events } = served.projectHost
    const sockets: Socket[] = []
    try {
      const authorization = await authorizationFor(served.address())
      const listen = (page: string) => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
        socket.write(
          `GET /api/v1/events?page=${page} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\n\r\n`,
        )
        sockets.push(socket.pause())
      }
      for (let k = 0; k < 220; k++) listen(`page${k}`)
      const areThere = await comesTrue(() => streams.size >= 200)
      await pause(100)
      const most = streams.size
      for (const socket of sockets.slice(4)) socket.destroy()
      await comesTrue(() => streams.size <= 4)
      const id = 'x'.repeat(400_000)
      for (let k = 0; k < 60 && streams.size > 0; k++) {
        events.send({ type: 'claim', round: 0, page: 'x', ids: [id] })
        await pause(40)
      }
      return [
        tried('220 at a time', areThere && most === 200, `${most} are open`),
        tried('much is sent to them', await comesTrue(() => streams.size === 0), `${streams.size} are still sent to`),
      ]
    } finally {
      for (const socket of sockets) socket.destroy()
      await served.close()
    }
  },
}

const names: Attack = {
  name: 'very many names of pages claim points',
  async attack() {
    const claims = pointClaims({ isListening: (page) => page === 'page 0' })
    const ids = Array.from({ length: 20_000 }, (_, k) => `p${k}`)
    for (const [k, id] of ids.entries()) claims.claim(`page ${k}`, [id])
    const held = ids.filter((id) => claims.isHeldElsewhere(id, 'another')).length
    return [
      tried('20,000 names', held === 1_000, `${held} points are held`),
      tried('and one that listens', claims.isHeldElsewhere('p0', 'another'), 'it lost its point'),
    ]
  },
}

const left: Attack = {
  name: 'an export is killed again and again',
  async attack({ folder }) {
    const parts = ['out.part-4194305-abcdef', 'out.part-4194306-abcdeg'] // of processes that no system has
    const others = [`out.part-${process.ppid}-abcdef`, 'other.part-4194305-abcdef', 'out.part-mine']
    for (const name of [...parts, ...others]) mkdirSync(join(folder, name))
    await fillDirectory(join(folder, 'out'), { force: false }, async (staging) => writeFileSync(join(staging, 'x'), 'y'))
    const there = readdirSync(folder)
    return [
      tried(
        'what it left',
        parts.every((name) => !there.includes(name)),
        'it is still there',
      ),
      tried(
        'and what is of others',
        others.every((name) => there.includes(name)),
        'it was removed',
      ),
    ]
  },
}

export const attacks: readonly Attack[] = [wide, halves, readers, names, left]
