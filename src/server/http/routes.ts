import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ZodType } from 'zod'
import { codeSchema, secretSchema } from '../../protocol/access.ts'
import { priceRequestSchema, pricesSchema } from '../../protocol/audits.ts'
import {
  answerPageSchema,
  exportedSchema,
  exportRequestSchema,
  pageRequestSchema,
  predictionPageSchema,
  predictionRequestSchema,
} from '../../protocol/data.ts'
import {
  failureSchema,
  forecastRequestSchema,
  forecastSchema,
  goalSchema,
  planSchema,
  stateSchema,
} from '../../protocol/project.ts'
import { reportSchema } from '../../protocol/report.ts'
import {
  annotatorName,
  answerSchema,
  claimSchema,
  grantSchema,
  openRoundSchema,
  pageName,
  savedSchema,
} from '../../protocol/rounds.ts'
import { beginSchema, filesSchema, inspectionSchema, inspectSchema, sampleSchema, uploadedSchema } from '../../protocol/start.ts'

const refused = {
  400: json(failureSchema, 'what was sent is not as it must be'),
  401: json(failureSchema, 'without a secret of this server'),
  403: json(failureSchema, 'from another site, or to another host'),
  404: json(failureSchema, 'not there'),
  409: json(failureSchema, 'not possible as things stand'),
  413: json(failureSchema, 'too large'),
  415: json(failureSchema, 'not JSON'),
  500: json(failureSchema, 'a fault in alis'),
  503: json(failureSchema, 'the record could not be written'),
} as const

function json<T extends ZodType>(schema: T, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

const returns = <T extends ZodType>(schema: T, description: string) =>
  ({ responses: { 200: json(schema, description), ...refused } }) as const
const returnsNothing = { responses: { 204: { description: 'done' }, ...refused } } as const
const returnsFile = (description: string, type = 'application/octet-stream') =>
  ({ responses: { 200: { description, content: { [type]: { schema: z.string() } } }, ...refused } }) as const

const body = <T extends ZodType>(schema: T) =>
  ({ body: { required: true, content: { 'application/json': { schema } } } }) as const
const params = <const Names extends string>(name: Names) => z.object({ [name]: z.string() } as Record<Names, z.ZodString>)

type Method = 'get' | 'put' | 'post' | 'delete'
type Rest = Omit<RouteConfig, 'method' | 'path' | 'summary'>
const route = <M extends Method, P extends string, R extends Rest>(method: M, path: P, summary: string, rest: R) =>
  createRoute({ method, path, summary, ...rest })

const point = z.object({ round: z.coerce.number().int().min(0), id: z.string() })
const listener = { query: z.object({ page: pageName.optional() }) }

/** Every route of the API: what goes in, what comes out, and what it is for. */
export const routes = {
  enter: route('post', '/sessions', 'A secret for the code of an address; the code is dead then', {
    request: body(codeSchema),
    ...returns(secretSchema, 'goes with every other request: Authorization: Bearer SECRET'),
  }),
  code: route('post', '/codes', 'Makes a code for another page', returns(codeSchema, 'follows #code= in an address')),
  state: route('get', '/state', 'How things stand', returns(stateSchema, 'the project, if one was chosen')),
  events: route('get', '/events', 'What happens, as it happens', {
    request: listener,
    ...returnsFile('server-sent events, each an Event', 'text/event-stream'),
  }),
  round: route('get', '/round', 'The open round, all of it', {
    request: listener,
    ...returns(openRoundSchema, 'its points in draw order'),
  }),
  answer: route('put', '/rounds/{round}/answers/{id}', 'Answers a point; said twice, it means the same as said once', {
    request: { params: point, ...body(answerSchema) },
    ...returns(savedSchema, 'on disk'),
  }),
  retract: route('delete', '/rounds/{round}/answers/{id}', 'Takes an answer back, while the round is open', {
    request: { params: point, query: z.object({ page: pageName.default('unnamed'), annotator: annotatorName.optional() }) },
    ...returns(savedSchema, 'on disk'),
  }),
  claim: route('post', '/rounds/{round}/claims', 'Says which points a page is about to show', {
    request: { params: point.omit({ id: true }), ...body(claimSchema) },
    ...returns(grantSchema, 'those that no other page holds'),
  }),
  plan: route('post', '/plan', 'Changes the plan, from the next round on', { request: body(planSchema), ...returnsNothing }),
  retry: route('post', '/retry', 'Tries again what failed', returnsNothing),
  forecast: route('get', '/forecast', 'About how many answers a goal takes', {
    request: { query: forecastRequestSchema },
    ...returns(forecastSchema, 'a plan, not a promise'),
  }),
  audit: route('post', '/audit', 'Freezes the newest model and begins to measure it', {
    request: body(goalSchema),
    ...returnsNothing,
  }),
  finish: route(
    'post',
    '/audit/finish',
    'Stops now and writes the certificate',
    returns(z.object({ seal: z.string() }), 'the seal of the certificate'),
  ),
  leave: route('post', '/audit/leave', 'Goes back to learning', returnsNothing),
  learning: route('post', '/learning', 'Has a certified model learn on: another one comes of it', returnsNothing),
  certificate: route('get', '/certificates/{seal}', 'A certificate, to the byte as in its file', {
    request: { params: params('seal'), query: z.object({ download: z.string().optional() }) },
    ...returnsFile('the certificate', 'application/json'),
  }),
  report: route('get', '/report', 'What the audit under way, or the last one, has found beside what was asked', {
    request: { query: z.object({ model: z.string().max(200).optional() }) },
    ...returns(reportSchema, 'by class, by group, and errors one by one'),
  }),
  answers: route('get', '/answers', 'Answers on record, newest first', {
    request: { query: pageRequestSchema },
    ...returns(answerPageSchema, 'a page of them'),
  }),
  predictions: route('get', '/predictions', 'What the certified model, or the newest, says of the pool', {
    request: { query: predictionRequestSchema },
    ...returns(predictionPageSchema, 'a page of them'),
  }),
  exports: route('post', '/exports', 'Writes what the project has come to beside it', {
    request: body(exportRequestSchema),
    ...returns(exportedSchema, 'where and what'),
  }),
  exported: route('get', '/exports/{file}', 'A file of the last export', {
    request: { params: params('file') },
    ...returnsFile('the file'),
  }),
  image: route('get', '/images/{id}', 'The picture of a point', {
    request: { params: params('id') },
    ...returnsFile('the picture', 'image/*'),
  }),
  files: route(
    'get',
    '/files',
    'Files that could be a pool, and projects to go on with',
    returns(filesSchema, 'in the directory the server was started in'),
  ),
  upload: route('put', '/uploads/{name}', 'Puts a file beside the others; never over another one', {
    request: {
      params: params('name'),
      body: { required: true, content: { 'application/octet-stream': { schema: z.string().describe('the bytes') } } },
    },
    ...returns(uploadedSchema, 'where it is now'),
  }),
  sample: route('post', '/samples/{name}', 'Puts a set to try the page on beside the files', {
    request: { params: params('name') },
    ...returns(sampleSchema, 'where it is now, and what to ask about it'),
  }),
  inspect: route('post', '/inspections', 'Says what is understood of a file', {
    request: body(inspectSchema),
    ...returns(inspectionSchema, 'nothing was drawn or written'),
  }),
  price: route('post', '/prices', 'Says what an audit of a file would cost in answers', {
    request: body(priceRequestSchema),
    ...returns(pricesSchema, 'a plan, not a promise; nothing was drawn or written'),
  }),
  begin: route('post', '/project', 'Begins a project, or opens one', { request: body(beginSchema), ...returnsNothing }),
} as const

/** An app that says in our words what a request lacks. */
export function apiApp(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result, c: Context) => {
      if (result.success) return
      const [issue] = result.error.issues
      const where = issue?.path.join('.') || result.target
      const message = `${where}: ${issue?.message ?? 'must be as described, got something else'}`
      return c.json({ code: 'bad-input', message }, 400)
    },
  })
}
