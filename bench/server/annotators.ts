// Annotators in a process of their own: each answers its points as fast as the server lets it, over a connection that stays open.
import { Agent, get, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Work {
  readonly origin: string
  readonly authorization: string
  readonly round: number
  /** The points of each annotator. */
  readonly shares: readonly (readonly string[])[]
  readonly classes: readonly string[]
  readonly milliseconds: number
  /** Between an acknowledgement and the next answer, on average; 0 for as fast as they can. */
  readonly thinking: number
}

const { origin, authorization, round, shares, classes, milliseconds, thinking } = (await new Promise((resolve) =>
  process.once('message', resolve),
)) as Work
const { hostname, port } = new URL(origin)
const agent = new Agent({ keepAlive: true, maxSockets: shares.length })

function answer(id: string, label: string, page: string): Promise<number> {
  const body = JSON.stringify({ label, page })
  const headers = { authorization, origin, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method: 'PUT', path: `/api/v1/rounds/${round}/answers/${id}`, headers },
      (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode!))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Every annotator has a page, and every page hears of every answer. */
const listening = await Promise.all(
  shares.map(
    (_, who) =>
      new Promise<ReturnType<typeof get>>((resolve, reject) => {
        const path = `/api/v1/events?page=${encodeURIComponent(`page ${who}`)}`
        const sent = get({ hostname, port, path, headers: { authorization, origin }, agent: false }, (reply) => {
          reply.resume().on('error', () => {})
          resolve(sent)
        })
        sent.on('error', reject)
      }),
  ),
)

const warm = performance.now() + 1_000 // nothing is measured before
const end = warm + milliseconds
const acknowledged: [id: string, label: string][][] = []
const waits: number[] = []
await Promise.all(
  shares.map(async (ids, who) => {
    const own: [string, string][] = []
    acknowledged.push(own)
    for (let k = 0; performance.now() < end; k++) {
      const [id, label] = [ids[k % ids.length]!, classes[k % classes.length]!]
      const started = performance.now()
      const status = await answer(id, label, `page ${who}`)
      if (started > warm) waits.push(performance.now() - started)
      if (status !== 200) throw new Error(`answer: 200 is required, got ${status}`)
      own.push([id, label])
      if (thinking > 0) await pause(thinking * (0.5 + (k % 11) / 10))
    }
  }),
)
agent.destroy()
for (const sent of listening) sent.destroy()
process.send!({ acknowledged, waits }, () => process.disconnect())
