// Who may use the page: another server on this machine, and tabs without an address of their own.
import { createServer, type Server as HttpServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, shownPoint } from './labelling.ts'
import { labelDigits, type Server } from './server.ts'
import { opened, served } from './testing.ts'

let server: Server
beforeAll(async () => {
  server = await served(labelDigits())
})

/** What the browser itself says in the console when a request is refused. */
const refused = /Failed to load resource|CORS policy|net::ERR_|ERR_BLOCKED|request: http|refused: /

describe('another server on this machine', () => {
  let other: HttpServer
  const heard: IncomingHttpHeaders[] = []
  const origin = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  beforeAll(async () => {
    other = createServer((request, reply) => {
      heard.push(request.headers)
      reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void other.close())

  it('is told nothing by the browser that it could replay, and reads nothing by itself', async () => {
    const { page, context } = await opened(server, { expected: refused })
    await shownPoint(page)
    const secret = await page.evaluate(() => sessionStorage.getItem('alis:secret'))
    expect(secret).toMatch(/^[\w-]{43}$/)

    const elsewhere = await context.newPage()
    await elsewhere.goto(origin())
    expect(heard.length).toBeGreaterThan(0)
    expect(JSON.stringify(heard)).not.toContain(secret)
    for (const headers of heard) {
      expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined])
      const { host: _, ...replayed } = headers
      const reply = await fetch(`${server.origin}/api/v1/state`, { headers: replayed as Record<string, string> })
      expect([401, 403]).toContain(reply.status)
    }
    expect(await context.cookies()).toEqual([])

    const tries = await elsewhere.evaluate(async (target) => {
      const tried: string[] = []
      for (const path of ['/api/v1/state', '/api/v1/answers', '/label', '/icon.svg'])
        for (const init of [{}, { credentials: 'include' }, { mode: 'no-cors' }, { method: 'POST', mode: 'no-cors' }] as const)
          tried.push(
            await fetch(target + path, init).then(
              (reply) => `${reply.status}`,
              () => 'refused',
            ),
          )
      const told = await new Promise<string>((resolve) => {
        const channel = new BroadcastChannel('alis')
        channel.onmessage = ({ data }) => resolve(JSON.stringify(data))
        channel.postMessage({})
        setTimeout(() => resolve('nothing'), 500)
      })
      return [...tried, told, `${sessionStorage.length + localStorage.length}`]
    }, server.origin)
    expect(new Set(tries)).toEqual(new Set(['refused', 'nothing', '0']))
    expect(await get(page, '/state')).toMatchObject({ project: { answers: 0 } })
  })
})

describe('an address', () => {
  it('lets one tab in, leaves the address bar, and a reload needs it no more', async () => {
    const address = await server.address()
    const { page, context } = await opened({ ...server, address: async () => address }, { expected: refused })
    await shownPoint(page)
    expect(page.url()).toBe(`${server.origin}/label`)
    expect(await page.evaluate(() => history.length)).toBeLessThan(4)
    await page.reload()
    await shownPoint(page)

    const second = await context.newPage() // of the same browser: let in by the first
    await second.goto(address)
    await shownPoint(second)
    const { page: stranger } = await opened({ ...server, address: async () => address }, { expected: refused })
    await stranger.getByText('Each is good for one page').waitFor()
    const fresh = await server.address()
    await stranger.evaluate((url) => location.assign(url), fresh) // as when it is pasted over the old one
    await shownPoint(stranger)
  })
})
