import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { version } from '../../projects/version.ts'
import { isForeseen, publicFailure, Refusal } from '../failures.ts'
import { samples } from '../samples.ts'
import { bytesOf, heartbeat } from '../session/broadcast.ts'
import type { ProjectHost } from '../session/project-host.ts'
import type { Session } from '../session/session.ts'
import { offeredStrategies } from '../strategies.ts'
import { forecastFor } from '../worker/audit-forecast.ts'
import type { Admission } from './admission.ts'
import { answerPage, predictionPage, reportOf, requireSeen } from './data-pages.ts'
import { failurePage, failurePolicy } from './failure-page.ts'
import { imageOf } from './images.ts'
import { pageFiles } from './page-files.ts'
import { apiApp, routes } from './routes.ts'
import { type Access, addSecurityHeaders, checkHost, checkOrigin, checkSecret, notKnown, securityHeaders } from './security.ts'
import { filesIn, receive } from './start-files.ts'

const mostBody = 1_000_000 // bytes of JSON

interface Parts {
  readonly host: ProjectHost
  readonly access: Access
  readonly admission: Admission
  log(error: unknown): void
}

/** The page itself is in every copy of alis, and served to every client; all else needs a secret. */
export function createApp({ host, access, admission, log }: Parts): OpenAPIHono {
  const app = new OpenAPIHono()
  app.use(addSecurityHeaders, checkHost(access), checkOrigin(access))
  app.route('/api/v1', wayIn(admission))
  app.use('/api/*', checkSecret(admission))
  app.route('/api/v1', apiOf(host, admission))
  app.all('/api/*', () => {
    const hint = 'GET /api/v1/openapi.json lists them.'
    throw new Refusal(404, 'not-found', 'request: a route of the API is required, got another', hint)
  })
  app.route('/', pageFiles())
  app.onError((error, c) => {
    const refusal = error instanceof HTTPException ? fromHono(error) : error
    if (!isForeseen(refusal)) log(refusal)
    const { status, failure } = publicFailure(refusal)
    if (c.req.path.startsWith('/api/')) return c.json(failure, status)
    if (c.req.header('accept')?.includes('text/html'))
      return c.html(failurePage(failure), status, { 'Content-Security-Policy': failurePolicy })
    return c.text(`${failure.message}\n${failure.hint ?? ''}\n`, status)
  })
  return app
}

function fromHono({ status, message }: HTTPException): Refusal {
  if (status === 415) return new Refusal(415, 'not-json', 'body: application/json is required, got something else')
  return new Refusal(400, 'bad-input', `body: must be JSON as described, got ${message || 'something else'}`)
}

/** Bodies say how long they are before they are read; Node sees to it that they keep to it. */
function requireShort(c: Context): void {
  const isShort = Number(c.req.header('content-length') ?? 0) <= mostBody && c.req.header('transfer-encoding') === undefined
  if (!isShort) throw new Refusal(413, 'too-large', `body: at most ${mostBody} bytes are possible, got more or an unknown number`)
}

/** A code for a secret: all that is answered without one. */
function wayIn(admission: Admission): OpenAPIHono {
  const api = apiApp()
  api.use('/sessions', (c, next) => {
    requireShort(c)
    return next()
  })
  api.openapi(routes.enter, (c) => {
    const secret = admission.admit(c.req.valid('json').code)
    if (secret === undefined) throw notKnown('code: one that was not used yet is required, got another')
    return c.json({ secret }, 200)
  })
  return api
}

/** What goes wrong in a route is thrown, and answered in one place. */
function apiOf(host: ProjectHost, admission: Admission): OpenAPIHono {
  const session = () => {
    const open = host.session()
    if (open) return open
    throw new Refusal(409, 'no-project', 'project: one must have been begun, got none', 'Begin at /start.')
  }
  const api = apiApp()
  api.use((c, next) => {
    if (!c.req.path.startsWith('/api/v1/uploads/')) requireShort(c)
    return next()
  })
  api.openapi(routes.state, (c) => {
    const project = host.session()?.view()
    const { annotator } = host
    return c.json(
      {
        version: version(),
        ...(annotator !== undefined && { annotator }),
        ...(project && { project }),
        strategies: [...offeredStrategies],
      },
      200,
    )
  })
  api.openapi(routes.code, (c) => c.json({ code: admission.code() }, 200))
  api.openapi(routes.events, (c) => eventStream(c, host, c.req.valid('query').page ?? 'unnamed'))
  addRounds(api, session)
  addAudits(api, session)
  addData(api, session, host)
  addStart(api, host)
  api.openAPIRegistry.registerPath(routes.enter)
  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'ALIS', version: version(), description: 'Label less, and know how good it is.' },
    servers: [{ url: '/api/v1' }],
  })
  return api
}

async function noContent(c: Context, work: Promise<void>) {
  await work
  return c.body(null, 204)
}

function addRounds(api: OpenAPIHono, session: () => Session): void {
  api.openapi(routes.round, (c) => c.json(session().openRound(c.req.valid('query').page), 200))
  api.openapi(routes.answer, async (c) => {
    const { round, id } = c.req.valid('param')
    return c.json(await session().answer(round, id, c.req.valid('json')), 200)
  })
  api.openapi(routes.retract, async (c) => {
    const { round, id } = c.req.valid('param')
    const { page, annotator } = c.req.valid('query')
    return c.json(await session().retract(round, id, page, annotator), 200)
  })
  api.openapi(routes.claim, (c) => {
    return c.json({ granted: session().claim(c.req.valid('param').round, c.req.valid('json')) }, 200)
  })
  api.openapi(routes.plan, (c) => noContent(c, session().replan(c.req.valid('json'))))
  api.openapi(routes.retry, (c) => noContent(c, session().retry()))
}

function addAudits(api: OpenAPIHono, session: () => Session): void {
  api.openapi(routes.forecast, (c) => {
    const inputs = session().forecastInputs()
    if (!inputs) throw new Refusal(409, 'no-model', 'forecast: a model is required, got none yet', 'The first round makes one.')
    return c.json(forecastFor(inputs, c.req.valid('query')), 200)
  })
  api.openapi(routes.audit, (c) => noContent(c, session().startAudit(c.req.valid('json'))))
  api.openapi(routes.finish, async (c) => c.json({ seal: await session().finishAudit() }, 200))
  api.openapi(routes.learning, (c) => noContent(c, session().learnOn()))
  api.openapi(routes.leave, (c) => noContent(c, session().leaveAudit()))
  api.openapi(routes.certificate, async (c) => {
    const { seal } = c.req.valid('param')
    const kept = (await session().project.certificates()).find((each) => each.seal === seal)
    if (!kept) throw new Refusal(404, 'not-found', `certificate: one of this project is required, got ${seal}`)
    const name = `certificate-${seal.replace('sha256:', '').slice(0, 12)}.json`
    if (c.req.valid('query').download !== undefined) c.header('Content-Disposition', `attachment; filename="${name}"`)
    return c.body(kept.text, 200, { 'Content-Type': 'application/json' })
  })
}

function addData(api: OpenAPIHono, session: () => Session, host: ProjectHost): void {
  api.openapi(routes.report, async (c) => c.json(await reportOf(session(), c.req.valid('query').model), 200))
  api.openapi(routes.answers, async (c) => c.json(await answerPage(session(), c.req.valid('query')), 200))
  api.openapi(routes.predictions, async (c) => c.json(await predictionPage(session(), c.req.valid('query')), 200))
  api.openapi(routes.exports, async (c) => {
    requireSeen(session())
    return c.json(await host.export(c.req.valid('json'), session()), 200)
  })
  api.openapi(routes.exported, async (c) => {
    requireSeen(session())
    const path = host.exportedFile(c.req.valid('param').file)
    const { size } = await stat(path)
    return c.body(Readable.toWeb(createReadStream(path)) as ReadableStream, 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': `${size}`,
      'Content-Disposition': `attachment; filename="${basename(path)}"`,
    })
  })
  api.openapi(routes.image, async (c) => {
    const { bytes, type } = await imageOf(session(), c.req.valid('param').id)
    return c.body(bytes, 200, { 'Content-Type': type, 'Content-Security-Policy': "default-src 'none'; sandbox" })
  })
}

function addStart(api: OpenAPIHono, host: ProjectHost): void {
  api.openapi(routes.files, async (c) => c.json(await filesIn(host.directory), 200))
  api.openapi(routes.upload, async (c) => {
    host.requireNoProject()
    const { path, isNew } = await receive(host.directory, c.req.valid('param').name, c.req.raw.body)
    if (isNew) await host.received(path)
    return c.json({ path }, 200)
  })
  api.openapi(routes.sample, async (c) => {
    host.requireNoProject()
    const { name } = c.req.valid('param')
    const sample = samples.find((each) => each.name === name)
    if (!sample)
      throw new Refusal(404, 'not-found', `sample: one of ${samples.map(({ name }) => name).join(', ')} is required, got ${name}`)
    const { file, question, classes } = sample
    const { path } = await receive(host.directory, basename(file), Readable.toWeb(createReadStream(file)) as ReadableStream)
    return c.json({ path, question, classes: [...classes] }, 200)
  })
  api.openapi(routes.inspect, async (c) => {
    host.requireNoProject()
    const { path, wishes } = c.req.valid('json')
    return c.json(await host.inspect(path, wishes), 200)
  })
  api.openapi(routes.price, async (c) => {
    host.requireNoProject()
    const { path, audit } = c.req.valid('json')
    return c.json(await host.price(path, audit), 200)
  })
  api.openapi(routes.begin, (c) => noContent(c, host.begin(c.req.valid('json'))))
}

const heartbeatEvery = 15_000 // ms
const mostWaiting = 250_000 // bytes a page may lag behind; then its connection is ended, and it reconnects
const mostStreams = 200 // so that all that wait have room together

/**
 * Events, sent to one page until it leaves. The first is the project as it stands. Written to the socket directly: each answer goes to
 * every page, and streams in between would cost more than all else.
 */
function eventStream(c: Context, host: ProjectHost, page: string): Response {
  if (host.streams.size >= mostStreams)
    throw new Refusal(503, 'too-many', `pages: at most ${mostStreams} may listen at a time, got one more`, 'Close some of them.')
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
