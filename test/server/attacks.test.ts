import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { securityHeaders } from '../../src/server/http/security.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory } from '../endings.ts'
import { startPage, visit } from './page.ts'

type Started = Awaited<ReturnType<typeof startPage>>

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request as an attacker sends it: every header is his to choose. */
function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string | Buffer,
  path?: string,
): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path: path ?? pathname + search, method, headers, setHost: !('Host' in headers) },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers, body: text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

let page: Started
const json = { 'content-type': 'application/json' }
const plan = JSON.stringify({ strategy: 'uniform', batch: 3, budget: 30 })
const at = (path: string) => `${page.origin}${path}`
const mine = () => page.headers as { authorization: string; origin: string }

beforeAll(async () => {
  page = await startPage()
  await page.settled()
})

describe('without the secret', () => {
  const port = () => new URL(page.origin).port
  it.each(['state', 'events', 'round', 'answers', 'images/d0000', 'openapi.json', 'nothing'])(
    'nobody gets %s, whatever else is brought',
    async (path) => {
      const [secret] = /[\w-]{43}$/.exec(mine().authorization)!
      const ways: readonly Record<string, string>[] = [
        {},
        { cookie: `alis-${port()}=${secret}; secret=${secret}; authorization=Bearer ${secret}` },
        ...['', 'Bearer', 'Bearer ', `Basic ${secret}`, `bearer${secret}`, `Bearer ${secret}x`, `Bearer ${'A'.repeat(43)}`].map(
          (authorization) => ({ authorization }),
        ),
      ]
      for (const headers of ways) {
        const { status, body } = await send(at(`/api/v1/${path}?secret=${secret}&token=${secret}`), 'GET', headers)
        expect([status, JSON.parse(body).code]).toEqual([401, 'not-known'])
      }
    },
  )

  it.each(['/api/v1/%73tate', '//api/v1/state', '/api//v1/state', '/api/v1/state/', '/api/v1/./state', '/API/v1/state'])(
    'nor by another spelling: %s',
    async (path) => {
      const { status, body } = await send(page.origin, 'GET', {}, undefined, path)
      expect([401, 404]).toContain(status)
      expect(body).not.toContain('digits')
    },
  )

  it('the page is there, which says nothing of the project', async () => {
    const { body, headers } = await send(at('/label'), 'GET', {})
    expect(headers['set-cookie']).toBeUndefined()
    expect(body).not.toContain('digits')
  })

  it('a code is exchanged for a secret once, and by nobody from elsewhere', async () => {
    const [, code] = /#code=(.+)/.exec(page.served.address())!
    const exchange = (headers: Record<string, string>) =>
      send(at('/api/v1/sessions'), 'POST', { ...json, ...headers }, JSON.stringify({ code }))
    for (const headers of [{}, { origin: 'http://127.0.0.1:1' }, { 'sec-fetch-site': 'same-site' }])
      expect((await exchange(headers as Record<string, string>)).status).toBe(403)
    const { origin } = mine()
    const entered = await exchange({ origin })
    expect([entered.status, entered.headers['set-cookie']]).toEqual([200, undefined])
    const { secret } = JSON.parse(entered.body)
    expect(entered.body).not.toContain(code)
    expect((await send(at('/api/v1/state'), 'GET', { authorization: `Bearer ${secret}` })).status).toBe(200)
    expect((await exchange({ origin })).status).toBe(401)
  })

  it('a code that others on this machine may see sends away who used it, when it comes twice', async () => {
    const address = page.served.address(60_000)
    const thief = await visit(address)
    expect((await thief.call('GET', '/state')).status).toBe(200)
    await expect(visit(address)).rejects.toThrow('not-known')
    expect((await thief.call('GET', '/state')).status).toBe(401)
  })
})

describe('from elsewhere', () => {
  it('a name that was pointed here gets nothing (DNS rebinding)', async () => {
    for (const Host of [`evil.example:${new URL(page.origin).port}`, '']) {
      const { status, body } = await send(at('/api/v1/state'), 'GET', { ...mine(), Host })
      expect([400, 403]).toContain(status)
      expect(body).not.toContain('digits')
    }
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site, by its own word', { 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing', async (_, headers) => {
    const before = await page.project()
    for (const [method, path, body] of [
      ['POST', '/api/v1/plan', plan],
      ['PUT', '/api/v1/rounds/0/answers/d0000', '{"label":"1","page":"x"}'],
      ['DELETE', '/api/v1/rounds/0/answers/d0000', undefined],
      ['POST', '/api/v1/audit/leave', undefined],
    ] as const) {
      const reply = await send(at(path), method, { authorization: mine().authorization, ...json, ...headers }, body)
      expect(reply.status).toBe(403)
    }
    expect((await send(at('/api/v1/events'), 'GET', { authorization: mine().authorization, ...headers })).status).toBe(403)
    expect(await page.project()).toEqual(before)
  })

  it('a form, or a program that says nothing of where it comes from, changes nothing', async () => {
    const bare = { authorization: mine().authorization }
    expect((await send(at('/api/v1/plan'), 'POST', { ...bare, ...json }, plan)).status).toBe(403)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      const { status } = await send(at('/api/v1/plan'), 'POST', { ...mine(), 'content-type': type }, plan)
      expect([400, 415]).toContain(status)
    }
    expect((await page.project()).nextPlan).toBeUndefined()
  })

  it('a link to the page works, so that people can be sent here', async () => {
    const { status } = await send(at('/label'), 'GET', {
      authorization: mine().authorization,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    })
    expect([200, 503]).toContain(status) // 503: the page is not built
  })
})

describe('every answer', () => {
  it.each(['/', '/api/v1/state', '/api/v1/nothing', '/nothing', '/api/v1/round?page='])(
    'forbids what a page has no need of: %s',
    async (path) => {
      for (const headers of [mine(), {}]) {
        const reply = await send(at(path), 'GET', headers as Record<string, string>)
        const expected = Object.entries(securityHeaders).map(([name, value]) => [name.toLowerCase(), value])
        const { 'cache-control': caching, ...others } = Object.fromEntries(expected)
        expect(reply.headers).toMatchObject(others)
        expect(reply.headers['access-control-allow-origin']).toBeUndefined()
        if (path.startsWith('/api/')) expect(reply.headers['cache-control']).toBe(caching)
      }
    },
  )
})

describe('what is sent', () => {
  it('may not be long', async () => {
    const long = JSON.stringify({ label: 'x'.repeat(2_000_000), page: 'x' })
    const headers = { ...mine(), ...json }
    expect(
      (await send(at('/api/v1/rounds/0/answers/d0000'), 'PUT', { ...headers, 'content-length': `${long.length}` }, long)).status,
    ).toBe(413)
    expect(
      (await send(at('/api/v1/rounds/0/answers/d0000'), 'PUT', { ...headers, 'transfer-encoding': 'chunked' }, long)).status,
    ).toBe(413)
  })

  it.each([
    ['PUT', '/api/v1/rounds/0/answers/x', '{'],
    ['PUT', '/api/v1/rounds/-1/answers/x', '{"label":"1","page":"x"}'],
    ['PUT', '/api/v1/rounds/1e99/answers/x', '{"label":"1","page":"x"}'],
    ['PUT', '/api/v1/rounds/0/answers/%E0%A4%A', '{"label":"1","page":"x"}'],
    ['PUT', '/api/v1/rounds/0/answers/x', '{"label":["1"],"page":"x"}'],
    ['POST', '/api/v1/plan', '{"strategy":"__proto__","batch":1,"budget":10}'],
    ['POST', '/api/v1/plan', '[]'],
    ['POST', '/api/v1/rounds/0/claims', '{"page":"","ids":[]}'],
    ['GET', '/api/v1/forecast?level=2', undefined],
    ['GET', '/api/v1/answers?limit=1000000', undefined],
    ['GET', '/api/v1/certificates/..%2f..%2fproject.sqlite', undefined],
    ['PATCH', '/api/v1/plan', plan],
  ])('is refused in plain words: %s %s', async (method, path, body) => {
    const reply = await send(at(path), method, { ...mine(), ...(body ? json : {}) }, body)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(JSON.parse(reply.body)).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    expect(reply.body).not.toMatch(/\.ts:|\.js:|node_modules|at \w+ \(/)
  })

  it('never shows a stack, whatever goes wrong inside', async () => {
    const errors: unknown[] = []
    const broken = await startPage({ log: (error) => errors.push(error) })
    await broken.settled()
    const session = broken.served.projectHost.session()!
    session.project.certificates = async () => {
      throw new Error('secret place /home/somebody')
    }
    const { status, body } = await broken.call('GET', '/certificates/x')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toMatch(/secret|home|certify|\.ts/)
    expect(errors).toHaveLength(1)
  })
})

describe('paths', () => {
  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/../../../package.json',
    '/assets/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/certify/../../package.json',
    '/%00',
    '/index.html%00.js',
  ])('lead nowhere else: %s', async (path) => {
    const { status, body } = await send(page.origin, 'GET', mine(), undefined, path)
    expect([400, 404, 503]).toContain(status)
    expect(body).not.toMatch(/alis-learn|root:/)
  })

  it('of uploads and pools stay in the directory', async () => {
    const directory = freshDirectory()
    const start = await startPage({ directory, work: undefined })
    const headers = {
      ...(start.headers as { authorization: string; origin: string }),
      'content-type': 'application/octet-stream',
    }
    const upload = (name: string, body: string) => send(`${start.origin}/api/v1/uploads/${name}`, 'PUT', headers, body)
    expect((await upload('pool.csv', 'a,b\n1,2\n')).status).toBe(200)
    expect((await upload('pool.csv', 'x')).status).toBe(200) // beside the one that is there
    for (const name of ['..%2fx.csv', '%2e%2e%2fx.csv', 'a%5cb.csv', 'x.csv%00'])
      expect((await upload(name, 'x')).status).toBeGreaterThanOrEqual(400)
    expect(readdirSync(directory)).toEqual(['pool-2.csv', 'pool.csv'])
    expect(readFileSync(join(directory, 'pool.csv'), 'utf8')).toBe('a,b\n1,2\n')
    for (const path of ['../x.csv', '/etc/passwd']) {
      const refused = { status: 400, body: { code: 'bad-input', message: expect.stringContaining('must lie in') } }
      expect(await start.call('POST', '/inspections', { path, wishes: {} })).toMatchObject(refused)
      expect(await start.call('POST', '/project', { project: path })).toMatchObject(refused)
    }
  })

  it('of images lead to pictures of the pool, in which no script runs', async () => {
    const directory = freshDirectory()
    writeFileSync(join(directory, 'e.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    writeFileSync(join(directory, 'p.csv'), ['id,x,file', '0,1,e.svg', '1,2,../secret.svg', ''].join('\n'))
    const classes = ['cat', 'dog']
    const plan = { strategy: 'alis', batch: 2, budget: 2 }
    const path = join(directory, 'p.csv')
    const beginning = { path, wishes: { show: ['file'] }, classes, plan, start: 2, loss: 'logistic', l2: 1, seed: 1 } as const
    const labelling = { question: '?', guidelines: '', classes: keyed(classes) }
    const pictures = await startPage({ directory, work: { project: 'p.alis', source: { kind: 'new', beginning, labelling } } })
    const { points } = await pictures.round()
    expect(points.map(({ id, content }) => [id, content.image]).sort()[0]).toEqual(['0', '/api/v1/images/0'])
    const { status, headers } = await pictures.call('GET', '/images/0')
    expect([status, headers.get('content-security-policy')]).toEqual([200, "default-src 'none'; sandbox"])
    expect((await pictures.call('GET', '/images/1')).status).toBe(404)
    expect(await pictures.call('GET', '/images/nobody')).toMatchObject({ status: 400 })
  })
})
