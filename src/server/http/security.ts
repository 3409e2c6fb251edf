import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { Refusal } from '../failures.ts'

/** What a request must bring to be answered. */
export interface Access {
  /** In the address that is opened first. */
  readonly token: string
  readonly port: number
  /** Names this server goes by: what a Host header may say. */
  readonly hosts: ReadonlySet<string>
}

export const freshToken = () => randomBytes(32).toString('base64url')

export function accessOf({ token, port, host }: { token: string; port: number; host: string }): Access {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const others = isEverywhere
    ? Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
    : [host]
  const names = ['127.0.0.1', 'localhost', '::1', ...others].map((name) => (name.includes(':') ? `[${name}]` : name))
  return { token, port, hosts: new Set(names.map((name) => `${name.toLowerCase()}:${port}`)) }
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** On every response, also on refusals. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cache-Control': 'no-store',
}

/** What a route has set itself stays. */
export const addSecurityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(securityHeaders)) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
}

/** A page elsewhere may point its own name at this machine (DNS rebinding): then the Host is not one of ours. */
export function checkHost({ hosts }: Access): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host')?.toLowerCase() ?? ''
    if (!hosts.has(host))
      throw new Refusal(403, 'wrong-host', 'request: must be sent to this server by its own name, got another')
    await next()
  }
}

/** Pages of other sites may send requests here, but not without saying so: browsers see to that. */
export function checkOrigin({ hosts }: Access): MiddlewareHandler {
  const isOurs = (origin: string) => origin.startsWith('http://') && hosts.has(origin.slice(7).toLowerCase())
  return async (c, next) => {
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    const isUnsafe = !['GET', 'HEAD'].includes(c.req.method)
    const isSame = origin === undefined ? site === 'same-origin' || !isUnsafe : isOurs(origin)
    const isFromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none'
    const isPage = c.req.header('sec-fetch-mode') === 'navigate' && !isUnsafe // a link from elsewhere shows a page, and its site learns nothing
    if (!isSame || (isFromElsewhere && !isPage))
      throw new Refusal(403, 'wrong-origin', 'request: must come from a page of this server, got another origin')
    await next()
  }
}

/** The token of the address is exchanged for a cookie that scripts cannot read; from then on the cookie is required. */
export function checkCookie({ token, port }: Access): MiddlewareHandler {
  const name = `alis-${port}`
  const secret = createHash('sha256').update(`cookie of ${token}`).digest('base64url')
  return async (c, next) => {
    const given = c.req.query('token')
    if (given !== undefined && c.req.method === 'GET' && isEqual(given, token)) {
      setCookie(c, name, secret, { httpOnly: true, sameSite: 'Strict', path: '/' })
      return c.redirect(withoutToken(c), 303)
    }
    if (isEqual(getCookie(c, name) ?? '', secret)) return next()
    throw new Refusal(
      401,
      'not-known',
      'request: must come with the cookie of this server, got none',
      'Open the address that alis printed.',
    )
  }
}

function withoutToken(c: Context): string {
  const { pathname, searchParams } = new URL(c.req.url)
  searchParams.delete('token')
  const path = pathname.replace(/^\/+/, '/') // "//elsewhere" would be another server
  return searchParams.size > 0 ? `${path}?${searchParams}` : path
}

/** In a time that does not tell how much of it was right. The length is no secret. */
function isEqual(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
