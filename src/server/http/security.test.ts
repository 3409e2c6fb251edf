import { networkInterfaces } from 'node:os'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../failures.ts'
import { accessOf, addSecurityHeaders, checkCookie, checkHost, checkOrigin, freshToken, securityHeaders } from './security.ts'

const token = 'T'.repeat(43)
const port = 4747
const access = accessOf({ token, port, host: '127.0.0.1' })
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
    const named = accessOf({ token, port, host: 'Desk.local' })
    expect(await ask('desk.local:4747', named)).toBe(200)
    expect(await ask('desk.local:4747')).toBe(403)
    const six = accessOf({ token, port, host: 'fe80::1' })
    expect(await ask('[fe80::1]:4747', six)).toBe(200)
  })

  it.each(['0.0.0.0', '::'])('may be any address of this machine if it listens to %s', async (host) => {
    const everywhere = accessOf({ token, port, host })
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

describe('the cookie', () => {
  const ask = behind(checkCookie(access))
  const enter = async () => (await ask(`/?token=${token}`)).headers.get('set-cookie')!
  const given = async () => (await enter()).split(';')[0]!

  it('is what the token is exchanged for, which then leaves the address', async () => {
    const reply = await ask(`/label?token=${token}&x=1`)
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/label?x=1'])
    expect((await ask(`/label?token=${token}`)).headers.get('location')).toBe('/label')
    const cookie = await enter()
    expect(cookie).toMatch(/^alis-4747=[\w-]{43}; /)
    for (const rule of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(rule)
    expect(cookie).not.toContain(token)
    const beside = behind(checkCookie({ ...access, port: 4748 })) // two servers of one machine share its cookies
    expect((await beside(`/?token=${token}`)).headers.get('set-cookie')).toMatch(/^alis-4748=/)
  })

  it('lets in, the same one after a restart', async () => {
    const cookie = await given()
    expect((await ask('/', { cookie })).status).toBe(200)
    expect((await behind(checkCookie({ ...access }))('/', { cookie })).status).toBe(200)
  })

  it('is required, whole, of this port and of this token', async () => {
    const cookie = await given()
    const wrong = ['', 'alis-4747=', `${cookie}x`, cookie.slice(0, -1), cookie.replace('4747', '4748'), `alis-4747=${token}`]
    const other = checkCookie(accessOf({ token: 'U'.repeat(43), port, host: '127.0.0.1' }))
    const refused = [
      ...(await Promise.all(wrong.map((each) => ask('/', { cookie: each })))),
      await behind(other)('/', { cookie }),
    ]
    for (const reply of refused) expect([reply.status, await reply.clone().text()]).toEqual([401, 'not-known'])
    const flipped = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await ask('/', { cookie: flipped })).status).toBe(401)
  })

  it('is not given for a wrong token, nor for the right one of another method', async () => {
    for (const wrong of ['', 'x', token.slice(1), `${token}T`, token.toLowerCase()]) {
      const reply = await ask(`/?token=${wrong}`)
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([401, null])
    }
    expect((await ask(`/?token=${token}`, {}, 'POST')).status).toBe(401)
  })

  it('lets in with a wrong token beside it', async () => {
    expect((await ask('/?token=old', { cookie: await given() })).status).toBe(200)
  })

  it('leads to no other server', async () => {
    const reply = await ask(`//evil.example/x?token=${token}`)
    expect(reply.headers.get('location')).toBe('/evil.example/x')
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
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'none'; " +
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

it('tokens are long and never the same', () => {
  const tokens = Array.from({ length: 100 }, freshToken)
  expect(new Set(tokens).size).toBe(100)
  for (const each of tokens) expect(Buffer.from(each, 'base64url')).toHaveLength(32)
})
