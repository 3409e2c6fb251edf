import type { Event } from '../../src/protocol/events.ts'
import type { Project, State } from '../../src/protocol/project.ts'
import type { OpenRound, Saved } from '../../src/protocol/rounds.ts'
import { type Served, type ServeOptions, serve } from '../../src/server/http/serve.ts'
import type { Source } from '../../src/server/session/state.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { authorizationFor } from '../authorization.ts'
import { digits, truth } from '../digits.ts'
import { atEnd, freshDirectory } from '../endings.ts'

export { digits, truth }

const tenClasses = Array.from({ length: 10 }, (_, digit) => `${digit}`)

/** The digits, to be labelled. */
const digitsSource = (plan: Partial<Extract<Source, { kind: 'new' }>['beginning']['plan']> = {}): Source => ({
  kind: 'new',
  beginning: {
    path: digits,
    wishes: { ignore: ['digit'] },
    classes: tenClasses,
    plan: { strategy: 'alis', batch: 10, budget: 300, ...plan },
    start: 10,
    learner: 'linear',
    loss: 'logistic',
    l2: 1,
    seed: 7,
  },
  labelling: { question: 'Which digit is this?', guidelines: '', classes: keyed(tenClasses) },
})

/** A server that is closed after the tests, and a page that talks to it. */
export async function startPage(options: Partial<ServeOptions> = {}): Promise<Page & { served: Served }> {
  const work = 'work' in options ? options.work : { project: 'digits.alis', source: digitsSource() }
  const served = await serve({ directory: freshDirectory(), port: 0, ...options, work })
  atEnd(() => served.close())
  return { ...(await visit(served.address())), served }
}

export interface Reply<T> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

export type Page = Awaited<ReturnType<typeof visit>>

/** Opens the address as a browser does: code for secret, and from then on requests of our own origin. */
export async function visit(url: string, name = 'page') {
  const { origin } = new URL(url)
  const headers = { origin, authorization: await authorizationFor(url) }

  async function call<T = unknown>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const reply = await fetch(`${origin}/api/v1${path}`, { method, headers: { ...headers, ...type }, ...sent })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json')
    return { status: reply.status, body: (isJson ? JSON.parse(text) : text) as T, headers: reply.headers }
  }

  const state = async () => (await call<State>('GET', '/state')).body
  const project = async (): Promise<Project> => (await state()).project!

  /** Waits until the project is as wanted. */
  async function until(isSo: (project: Project) => boolean, patience = 60_000): Promise<Project> {
    for (const end = Date.now() + patience; ; ) {
      const now = await project()
      if (isSo(now)) return now
      if (Date.now() > end) throw new Error(`still ${JSON.stringify(now.phase)}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  const settled = () => until(({ phase }) => ['asking', 'done', 'failed'].includes(phase.kind))
  const round = async () => {
    await settled()
    return (await call<OpenRound>('GET', '/round')).body
  }
  const answer = (at: number, id: string, label: string | null, more: object = {}) =>
    call<Saved>('PUT', `/rounds/${at}/answers/${encodeURIComponent(id)}`, { label, page: name, ...more })

  /** Answers what is open in the round, truthfully. */
  async function answerRound(): Promise<OpenRound> {
    const now = await round()
    for (const { id, answer: given } of now.points) if (!given) await answer(now.round, id, truth.get(id)!)
    return now
  }

  /** The events of this page; `stop` ends them. */
  async function events() {
    const ending = new AbortController()
    const heard: Event[] = []
    const reply = await fetch(`${origin}/api/v1/events?page=${name}`, { headers, signal: ending.signal })
    const reading = (async () => {
      let rest = ''
      for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop()!
        for (const part of parts) if (part.startsWith('data: ')) heard.push(JSON.parse(part.slice(6)))
      }
    })().catch(() => {})
    return {
      heard,
      reply,
      async stop() {
        ending.abort()
        await reading
      },
    }
  }

  return { origin, headers, name, call, state, project, until, settled, round, answer, answerRound, events }
}
