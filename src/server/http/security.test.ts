import { networkInterfaces } from 'node:os'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../failures.ts'
import { admission } from './admission.ts'
import { accessOf, addSecurityHeaders, checkHost, checkOrigin, checkSecret, securityHeaders } from './security.ts'

const port = 4747
const access = accessOf({ port, host: '127.0.0.1' })
const here = '127.0.0.1:4747'

/** An app behind one check. */
function behind(check: ReturnType<typeof checkHost>) {
  const app = new Hono().use(check).all('*', (c) => c.text('in'))
  app.onError((error, c) => (error instanceof Refusal ? c.text(error.code, error.status) : c.text('bug', 500)))
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(`http://${here}${path}`, { method, headers })
}

describe('the host', () => {
  const ask = async (host: string, of = access) => (await behind(checkHost(of))('/', { host })).status

  it.each([here, 'localhost:4747', '[::1]:4747', 'LOCALHOST:4747'])('may be %s', async (host) => {
    expect(await ask(host)).toBe(200)
  })

  it.each(['evil.example', 'evil.example:4747', '127.0.0.1', '127.0.0.1:4748', '127.0.0.1.evil.example:4747', '::1:4747', ''])(
    'may not be %j',
    async (host) => {
      expect(await ask(host)).toBe(403)
    },
  )

  it('must be there', async () => {
    const reply = await behind(checkHost(access))('/')
    expect([reply.status, await reply.text()]).toEqual([403, 'wrong-host'])
  })

  it('may be the name the server was given, whatever its case', async () => {
    const named = accessOf({ port, host: 'Desk.local' })
    expect(await ask('desk.local:4747', named)).toBe(200)
    expect(await ask('desk.local:4747')).toBe(403)
    const six = accessOf({ port, host: 'fe80::1' })
    expect(await ask('[fe80::1]:4747', six)).toBe(200)
  })

  it.each(['0.0.0.0', '::'])('may be any address of this machine if it listens to %s', async (host) => {
    const everywhere = accessOf({ port, host })
    for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
      expect(await ask(`${family === 'IPv6' ? `[${address}]` : address}:${port}`, everywhere)).toBe(200)
    expect(everywhere.hosts.has(`${host}:${port}`)).toBe(false)
    expect(await ask('evil.example:4747', everywhere)).toBe(403)
  })
})

describe('the origin', () => {
  const ask = async (method: string, headers: Record<string, string>) => {
    const reply = await behind(checkOrigin(access))('/', headers, method)
    return reply.status === 403 ? await reply.text() : reply.status
  }
  const ours = `http://${here}`

  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'sec-fetch-site': 'none' }], // typed into the address bar
    ['GET', { 'sec-fetch-site': 'same-origin' }],
    ['POST', { 'sec-fetch-site': 'same-origin' }],
    ['GET', { origin: ours }],
    ['POST', { origin: ours }],
    ['PUT', { origin: ours, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['DELETE', { origin: 'http://LOCALHOST:4747' }],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }], // a link from elsewhere
    ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
  ])('lets in %s %j', async (method, headers) => {
    expect(await ask(method, headers as Record<string, string>)).toBe(200)
  })

  const refused: readonly (readonly [string, Record<string, string>])[] = [
    ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) => [method, {}] as const), // says nothing of where it comes from
    ['POST', { 'sec-fetch-site': 'none' }],
    ...['GET', 'POST'].flatMap((method) =>
      [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: '' },
        { origin: `https://${here}` },
        { origin: `ftp:///${here}` },
        { origin: 'http://127.0.0.1:4748' },
        { origin: 'http://127.0.0.1' },
        { origin: `http://evil.example/${here}` },
        { origin: ours, 'sec-fetch-site': 'cross-site' },
        { origin: ours, 'sec-fetch-site': 'same-site' },
      ].map((headers) => [method, headers] as const),
    ),
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['GET', { 'sec-fetch-site': 'same-site' }],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }], // a form elsewhere
    ['POST', { origin: ours, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ]
  it.each(refused)('refuses %s %j', async (method, headers) => {
    expect(await ask(method, headers)).toBe('wrong-origin')
  })
})

describe('the secret', () => {
  const { code, admit, knows } = admission()
  const ask = behind(checkSecret({ knows }))

  it('lets in, as a header', async () => {
    const authorization = `Bearer ${admit(code())}`
    expect((await ask('/', { authorization })).status).toBe(200)
    expect((await ask('/', { authorization }, 'POST')).status).toBe(200)
  })

  it('is required, whole, and of this start', async () => {
    const secret = admit(code())!
    const other = admission()
    const wrong = [
      undefined,
      '',
      secret,
      `x Bearer ${secret}`,
      `Bearer  ${secret}`,
      `Bearer ${secret}x`,
      `Bearer ${secret.slice(1)}`,
      `Bearer ${code()}`,
    ]
    for (const authorization of [...wrong, `Bearer ${other.admit(other.code())}`]) {
      const reply = await ask('/', authorization === undefined ? { cookie: `secret=${secret}` } : { authorization })
      expect([reply.status, await reply.text()]).toEqual([401, 'not-known'])
    }
  })
})

it('every response forbids what a page has no need of, unless its route says otherwise', async () => {
  const app = new Hono()
    .use(addSecurityHeaders)
    .get('/plain', (c) => c.text('x'))
    .get('/own', (c) => c.text('x', 200, { 'Cache-Control': 'no-cache' }))
  app.onError((_, c) => c.text('refused', 500))
  app.get('/broken', () => {
    throw new Error()
  })
  for (const path of ['/plain', '/broken', '/nothing']) {
    const { headers } = await app.request(path)
    for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name)).toBe(value)
  }
  expect((await app.request('/own')).headers.get('cache-control')).toBe('no-cache')
  expect(securityHeaders['Content-Security-Policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(securityHeaders).toMatchObject({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cache-Control': 'no-store',
  })
})
