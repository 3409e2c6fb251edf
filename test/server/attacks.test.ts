import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory, startPage, visit } from './page.ts'

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
const mine = () => page.headers as { cookie: string; origin: string }

beforeAll(async () => {
  page = await startPage()
  await page.settled()
})

describe('without the secret', () => {
  it.each(['/', '/label', '/assets/main.js', '/api/v1/state', '/api/v1/events', '/api/v1/openapi.json', '/api/v1/nothing'])(
    'nobody gets %s',
    async (path) => {
      for (const cookie of ['', 'alis-4747=', `alis-${new URL(page.origin).port}=guess`]) {
        const { status, body } = await send(at(path), 'GET', { cookie })
        expect(status).toBe(401)
        expect(body).not.toContain('digits')
      }
    },
  )

  it('a wrong token is no way in, and the right one only by its whole length', async () => {
    const { token } = page.served
    for (const given of ['', 'x', token.slice(0, -1), `${token}x`, token.toLowerCase()]) {
      const { status, headers } = await send(at(`/?token=${given}`), 'GET', {})
      expect(status).toBe(401)
      expect(headers['set-cookie']).toBeUndefined()
    }
    expect(Buffer.from(token, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
  })

  it('the right one becomes a cookie that scripts and other sites do not get, and leaves the address', async () => {
    const { status, headers } = await send(at(`/label?token=${page.served.token}&x=1`), 'GET', {})
    expect(status).toBe(303)
    expect(headers.location).toBe('/label?x=1')
    const [cookie] = headers['set-cookie']!
    expect(cookie).toMatch(new RegExp(`^alis-${new URL(page.origin).port}=`))
    for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(word)
    expect(cookie).not.toContain(page.served.token)
  })

  it('the way in leads to no other server', async () => {
    const { headers } = await send(at('/'), 'GET', {}, undefined, `//evil.example/%2e%2e?token=${page.served.token}`)
    expect(headers.location).toMatch(/^\/(?!\/)/)
  })
})

describe('from elsewhere', () => {
  it('a name that was pointed here gets nothing (DNS rebinding)', async () => {
    const { port } = new URL(page.origin)
    for (const Host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${port}`,
      '',
    ]) {
      const { status, body } = await send(at('/api/v1/state'), 'GET', { ...mine(), Host })
      expect([400, 403]).toContain(status)
      expect(body).not.toContain('digits')
    }
    expect((await send(at('/api/v1/state'), 'GET', { ...mine(), origin: '', Host: `localhost:${port}` })).status).toBe(403)
    expect((await send(at('/api/v1/state'), 'GET', { cookie: mine().cookie, Host: `LOCALHOST:${port}` })).status).toBe(200)
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['our address by another protocol', { origin: 'https://127.0.0.1' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['another site, by its own word', { 'sec-fetch-site': 'cross-site' }],
    ['another port, by its own word', { 'sec-fetch-site': 'same-site' }],
  ])('%s changes nothing', async (_, headers) => {
    const before = await page.project()
    for (const [method, path, body] of [
      ['POST', '/api/v1/plan', plan],
      ['PUT', '/api/v1/rounds/0/answers/d0000', '{"label":"1","page":"x"}'],
      ['DELETE', '/api/v1/rounds/0/answers/d0000', undefined],
      ['POST', '/api/v1/audit/leave', undefined],
    ] as const) {
      const reply = await send(at(path), method, { cookie: mine().cookie, ...json, ...headers }, body)
      expect(reply.status).toBe(403)
    }
    expect((await send(at('/api/v1/events'), 'GET', { cookie: mine().cookie, ...headers })).status).toBe(403)
    expect(await page.project()).toEqual(before)
  })

  it('a form, or a program that says nothing of where it comes from, changes nothing', async () => {
    const bare = { cookie: mine().cookie }
    expect((await send(at('/api/v1/plan'), 'POST', { ...bare, ...json }, plan)).status).toBe(403)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      const { status } = await send(at('/api/v1/plan'), 'POST', { ...mine(), 'content-type': type }, plan)
      expect([400, 415]).toContain(status)
    }
    expect((await page.project()).nextPlan).toBeUndefined()
  })

  it('a link to the page works, so that people can be sent here', async () => {
    const { status } = await send(at('/label'), 'GET', {
      cookie: mine().cookie,
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
      for (const headers of [mine(), { cookie: '' }]) {
        const reply = await send(at(path), 'GET', headers as Record<string, string>)
        const csp = reply.headers['content-security-policy']!
        for (const rule of [
          "default-src 'none'",
          "script-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ])
          expect(csp).toContain(rule)
        expect(csp).not.toContain('unsafe')
        expect(reply.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'x-frame-options': 'DENY',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        })
        expect(reply.headers['access-control-allow-origin']).toBeUndefined()
        if (path.startsWith('/api/')) expect(reply.headers['cache-control']).toBe('no-store')
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

  it('of images lead only to pictures below the pool', async () => {
    const directory = freshDirectory()
    const outside = freshDirectory()
    writeFileSync(join(outside, 'secret.png'), 'secret')
    mkdirSync(join(directory, 'pool/pictures'), { recursive: true })
    writeFileSync(join(directory, 'pool/pictures/a.png'), 'picture')
    writeFileSync(join(directory, 'pool/pictures/notes.txt'), 'notes')
    writeFileSync(
      join(directory, 'pool/pictures/e.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    writeFileSync(join(directory, 'next.png'), 'secret')
    symlinkSync(join(outside, 'secret.png'), join(directory, 'pool/pictures/link.png'))
    const cells = [
      'pictures/a.png',
      '../next.png',
      join(outside, 'secret.png'),
      'pictures/link.png',
      'pictures/e.svg',
      'https://evil.example/x.png',
      'pictures/../../next.png',
      'pictures',
    ]
    const rows = cells.map((cell, k) => `${k},${(k * 7) % 5},${cell}.png`.replace(/(\.png|\.svg)\.png$/, '$1'))
    writeFileSync(join(directory, 'pool/p.csv'), ['id,x,file', ...rows, ''].join('\n'))
    const classes = ['cat', 'dog']
    const pictures = await startPage({
      directory,
      work: {
        project: 'p.alis',
        source: {
          kind: 'new',
          beginning: {
            path: join(directory, 'pool/p.csv'),
            wishes: { show: ['file'] },
            classes,
            plan: { strategy: 'alis', batch: 8, budget: 8 },
            start: 8,
            loss: 'logistic',
            l2: 1,
            seed: 1,
          },
          labelling: { question: '?', guidelines: '', classes: keyed(classes) },
        },
      },
    })
    const { points } = await pictures.round()
    expect((await pictures.project()).view).toEqual({ kind: 'image', column: 'file' })
    const byId = new Map(points.map(({ id, content }) => [id, content]))
    expect(byId.get('0')!.image).toBe('/api/v1/images/0')
    expect(byId.get('5')!.image).toBeUndefined() // nothing is fetched from elsewhere
    const found = await Promise.all(
      cells.map(async (_, id) => await send(`${pictures.origin}/api/v1/images/${id}`, 'GET', pictures.headers as never)),
    )
    expect(found.map(({ status }) => status)).toEqual([200, 404, 404, 404, 200, 404, 404, 404])
    for (const { body } of found) expect(body).not.toContain('secret')
    expect(found[4]!.headers['content-security-policy']).toBe("default-src 'none'; sandbox") // a script in it stays a drawing
    expect(await pictures.call('GET', '/images/nobody')).toMatchObject({ status: 400 })
  })

  it('of uploads and projects stay in the directory, and nothing there is written over', async () => {
    const directory = freshDirectory()
    const start = await startPage({ directory, work: undefined })
    const upload = (name: string, body: string) =>
      send(
        `${start.origin}/api/v1/uploads/${name}`,
        'PUT',
        { ...(start.headers as { cookie: string; origin: string }), 'content-type': 'application/octet-stream' },
        body,
      )
    expect((await upload('pool.csv', 'a,b\n1,2\n')).status).toBe(200)
    expect(readFileSync(join(directory, 'pool.csv'), 'utf8')).toBe('a,b\n1,2\n')
    expect((await upload('pool.csv', 'other')).status).toBe(409)
    for (const name of ['..%2fx.csv', '%2e%2e%2fx.csv', '.x.csv', 'x.sh', '..', 'a%2fb.csv', 'a%5cb.csv', 'x.csv%00'])
      expect((await upload(name, 'x')).status).toBeGreaterThanOrEqual(400)
    expect(readdirSync(directory)).toEqual(['pool.csv'])
    expect(readFileSync(join(directory, 'pool.csv'), 'utf8')).toBe('a,b\n1,2\n')
    for (const path of ['../x.csv', '/etc/passwd', '..', '.']) {
      expect(await start.call('POST', '/inspections', { path, wishes: {} })).toMatchObject({
        status: 400,
        body: { code: 'bad-input' },
      })
      expect((await start.call('POST', '/project', { project: path })).status).toBe(400)
    }
    expect(existsSync(join(directory, '..', 'x.alis'))).toBe(false)
  })
})

it('what a pool says stays text', async () => {
  const directory = freshDirectory()
  const bad = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const rows = Array.from({ length: 30 }, (_, k) => `${k},"${bad} number ${k} of some words here"`)
  writeFileSync(join(directory, 'texts.csv'), ['id,body', ...rows, ''].join('\n'))
  const classes = ['ham', 'spam']
  const texts = await startPage({
    directory,
    work: {
      project: 't.alis',
      source: {
        kind: 'new',
        beginning: {
          path: join(directory, 'texts.csv'),
          wishes: { text: ['body'] },
          classes,
          plan: { strategy: 'alis', batch: 5, budget: 10 },
          start: 5,
          loss: 'logistic',
          l2: 1,
          seed: 1,
        },
        labelling: { question: bad, guidelines: bad, classes: keyed(classes) },
      },
    },
  })
  const visitor = await visit(texts.served.url)
  await texts.settled()
  const reply = await send(`${texts.origin}/api/v1/round`, 'GET', visitor.headers)
  expect(reply.headers['content-type']).toContain('application/json')
  expect(JSON.parse(reply.body).points[0].content.fields[0].value).toContain(bad)
  expect((await texts.project()).view).toEqual({ kind: 'text', column: 'body' })
})
