import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ZodType } from 'zod'
import {
  answerPageSchema,
  exportedSchema,
  exportRequestSchema,
  pageRequestSchema,
  predictionPageSchema,
} from '../../protocol/data.ts'
import {
  failureSchema,
  forecastRequestSchema,
  forecastSchema,
  goalSchema,
  planSchema,
  stateSchema,
} from '../../protocol/project.ts'
import { answerSchema, claimSchema, grantSchema, openRoundSchema, savedSchema } from '../../protocol/rounds.ts'
import { beginSchema, filesSchema, inspectionSchema, inspectSchema, uploadedSchema } from '../../protocol/start.ts'

const refused = {
  400: jsonOf(failureSchema, 'what was sent is not as it must be'),
  401: jsonOf(failureSchema, 'without the cookie of this server'),
  403: jsonOf(failureSchema, 'from another site, or to another host'),
  404: jsonOf(failureSchema, 'not there'),
  409: jsonOf(failureSchema, 'not possible as things stand'),
  413: jsonOf(failureSchema, 'too large'),
  415: jsonOf(failureSchema, 'not JSON'),
  500: jsonOf(failureSchema, 'a fault in alis'),
  503: jsonOf(failureSchema, 'the record could not be written'),
} as const

function jsonOf<T extends ZodType>(schema: T, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

const given = <T extends ZodType>(schema: T) =>
  ({ body: { required: true, content: { 'application/json': { schema } } } }) as const
const done = { 204: { description: 'done' }, ...refused } as const
const file = (description: string, type = 'application/octet-stream') =>
  ({ 200: { description, content: { [type]: { schema: z.string() } } }, ...refused }) as const

const pageName = z.string().min(1).max(100)
const point = z.object({ round: z.coerce.number().int().min(0), id: z.string() })

/** Every route of the API: what goes in, what comes out, and what it is for. */
export const routes = {
  state: createRoute({
    method: 'get',
    path: '/state',
    summary: 'How things stand',
    responses: { 200: jsonOf(stateSchema, 'the project, if one was chosen'), ...refused },
  }),
  events: createRoute({
    method: 'get',
    path: '/events',
    summary: 'What happens, as it happens',
    request: { query: z.object({ page: pageName.optional() }) },
    responses: file('server-sent events, each an Event', 'text/event-stream'),
  }),
  round: createRoute({
    method: 'get',
    path: '/round',
    summary: 'The open round, all of it',
    request: { query: z.object({ page: pageName.optional() }) },
    responses: { 200: jsonOf(openRoundSchema, 'its points in draw order'), ...refused },
  }),
  answer: createRoute({
    method: 'put',
    path: '/rounds/{round}/answers/{id}',
    summary: 'Answers a point; said twice, it means the same as said once',
    request: { params: point, ...given(answerSchema) },
    responses: { 200: jsonOf(savedSchema, 'on disk'), ...refused },
  }),
  retract: createRoute({
    method: 'delete',
    path: '/rounds/{round}/answers/{id}',
    summary: 'Takes an answer back, while the round is open',
    request: { params: point, query: z.object({ page: pageName.default('unnamed') }) },
    responses: { 200: jsonOf(savedSchema, 'on disk'), ...refused },
  }),
  claim: createRoute({
    method: 'post',
    path: '/rounds/{round}/claims',
    summary: 'Says which points a page is about to show',
    request: { params: point.omit({ id: true }), ...given(claimSchema) },
    responses: { 200: jsonOf(grantSchema, 'those that no other page holds'), ...refused },
  }),
  plan: createRoute({
    method: 'post',
    path: '/plan',
    summary: 'Changes the plan, from the next round on',
    request: given(planSchema),
    responses: done,
  }),
  retry: createRoute({ method: 'post', path: '/retry', summary: 'Tries again what failed', responses: done }),
  forecast: createRoute({
    method: 'get',
    path: '/forecast',
    summary: 'About how many answers a goal takes',
    request: { query: forecastRequestSchema },
    responses: { 200: jsonOf(forecastSchema, 'a plan, not a promise'), ...refused },
  }),
  audit: createRoute({
    method: 'post',
    path: '/audit',
    summary: 'Freezes the newest model and begins to measure it',
    request: given(goalSchema),
    responses: done,
  }),
  finish: createRoute({
    method: 'post',
    path: '/audit/finish',
    summary: 'Stops now and writes the certificate',
    responses: { 200: jsonOf(z.object({ seal: z.string() }), 'the seal of the certificate'), ...refused },
  }),
  leave: createRoute({ method: 'post', path: '/audit/leave', summary: 'Goes back to learning', responses: done }),
  certificate: createRoute({
    method: 'get',
    path: '/certificates/{seal}',
    summary: 'A certificate, to the byte as in its file',
    request: { params: z.object({ seal: z.string() }), query: z.object({ download: z.string().optional() }) },
    responses: file('the certificate', 'application/json'),
  }),
  answers: createRoute({
    method: 'get',
    path: '/answers',
    summary: 'Answers on record, newest first',
    request: { query: pageRequestSchema },
    responses: { 200: jsonOf(answerPageSchema, 'a page of them'), ...refused },
  }),
  predictions: createRoute({
    method: 'get',
    path: '/predictions',
    summary: 'What the newest model says of the pool',
    request: { query: pageRequestSchema },
    responses: { 200: jsonOf(predictionPageSchema, 'a page of them'), ...refused },
  }),
  exports: createRoute({
    method: 'post',
    path: '/exports',
    summary: 'Writes what the project has come to beside it',
    request: given(exportRequestSchema),
    responses: { 200: jsonOf(exportedSchema, 'where and what'), ...refused },
  }),
  exported: createRoute({
    method: 'get',
    path: '/exports/{file}',
    summary: 'A file of the last export',
    request: { params: z.object({ file: z.string() }) },
    responses: file('the file'),
  }),
  image: createRoute({
    method: 'get',
    path: '/images/{id}',
    summary: 'The picture of a point',
    request: { params: z.object({ id: z.string() }) },
    responses: file('the picture', 'image/*'),
  }),
  files: createRoute({
    method: 'get',
    path: '/files',
    summary: 'Files that could be a pool, and projects to go on with',
    responses: { 200: jsonOf(filesSchema, 'in the directory the server was started in'), ...refused },
  }),
  upload: createRoute({
    method: 'put',
    path: '/uploads/{name}',
    summary: 'Puts a file beside the others; never over one that is there',
    request: {
      params: z.object({ name: z.string() }),
      body: { required: true, content: { 'application/octet-stream': { schema: z.string().describe('the bytes') } } },
    },
    responses: { 200: jsonOf(uploadedSchema, 'where it is now'), ...refused },
  }),
  inspect: createRoute({
    method: 'post',
    path: '/inspections',
    summary: 'Says what is understood of a file',
    request: given(inspectSchema),
    responses: { 200: jsonOf(inspectionSchema, 'nothing was drawn or written'), ...refused },
  }),
  begin: createRoute({
    method: 'post',
    path: '/project',
    summary: 'Begins a project, or opens one',
    request: given(beginSchema),
    responses: done,
  }),
} as const

/** An app that says in our words what a request lacks. */
export function apiApp(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result, c: Context) => {
      if (result.success) return
      const [issue] = result.error.issues
      const where = issue?.path.join('.') || result.target
      return c.json(
        { code: 'bad-input', message: `${where}: ${issue?.message ?? 'must be as described, got something else'}` },
        400,
      )
    },
  })
}
