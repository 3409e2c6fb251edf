import { networkInterfaces } from 'node:os'
import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../failures.ts'
import type { Admission } from './admission.ts'

/** What a request must say to be answered. */
export interface Access {
  /** Names this server goes by: what a Host header may say. */
  readonly hosts: ReadonlySet<string>
}

export function accessOf({ port, host }: { port: number; host: string }): Access {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const others = isEverywhere
    ? Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
    : [host]
  const names = ['127.0.0.1', 'localhost', '::1', ...others].map((name) => (name.includes(':') ? `[${name}]` : name))
  return { hosts: new Set(names.map((name) => `${name.toLowerCase()}:${port}`)) }
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
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

/**
 * A client must bring a secret that this server gave, in a header: browsers send no header by themselves, while they send cookies to
 * every port of a machine, also those of other programs.
 */
export function checkSecret({ knows }: Pick<Admission, 'knows'>): MiddlewareHandler {
  return async (c, next) => {
    const [, secret] = /^Bearer ([\w-]{43})$/.exec(c.req.header('authorization') ?? '') ?? []
    if (secret !== undefined && knows(secret)) return next()
    throw notKnown('request: must come with a secret of this server, got none that it knows')
  }
}

export const notKnown = (message: string) =>
  new Refusal(
    401,
    'not-known',
    message,
    'Open the address that alis printed last. Each is good for one page; Enter in the terminal of alis prints another.',
  )
