import { requireInput } from '../core/errors.ts'
import type { Failing } from './failure.ts'
import { quoted } from './messages.ts'
import type { Trouble } from './retries.ts'
import { whenAborted } from './when-aborted.ts'

interface EndpointOptions {
  readonly url: string
  /** Sent with every request, and never shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds a request may take. */
  readonly timeout: number
  /** Bytes of a reply. */
  readonly largest: number
  readonly words: EndpointWords
}

/** How a service is spoken of. */
interface EndpointWords {
  /** What options are called by. */
  readonly name: string
  /** What a reply is, with its verb. */
  readonly wanted: string
  /** The variable of the environment that the command takes a token from. */
  readonly token: string
  readonly fail: Failing
}

const mayPass = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

/** What is at an address: sent a message, it replies, is in trouble that may pass, or fails for good. */
export function endpointAt({ timeout, largest, words, ...options }: EndpointOptions) {
  const url = urlOf(options.url, words)
  const headers = headersOf(options.headers ?? {}, words)
  const where = url.origin + url.pathname // a query may hold a key
  const hide = hiding(options.headers ?? {})

  async function post(text: string, signal: AbortSignal): Promise<{ readonly body: Uint8Array } | Trouble> {
    const posted = await posting(url, { headers, text, timeout, largest, signal })
    if ('trouble' in posted) return { trouble: posted.trouble, retryAfter: null }
    const { response, body } = posted
    if (mayPass(response.status)) return { trouble: statusOf(posted, hide), retryAfter: response.headers.get('retry-after') }
    if (!response.ok) throw refused(where, posted, hide, words)
    if (!body) throw words.fail(`${where}: a reply of at most ${largest} bytes is required, got a longer one`)
    return { body }
  }

  return { where, hide, post }
}

function refused(where: string, posted: Replied, hide: (text: string) => string, { wanted, token, fail }: EndpointWords) {
  const { status, headers } = posted.response
  const hints: Readonly<Record<number, string>> = {
    401: `Is the token right? The alis command sends that of ${token}.`,
    403: `May the token do this? The alis command sends that of ${token}.`,
    404: 'Is the path of the address right?',
    405: 'It must take a POST.',
  }
  const isRedirect = status >= 300 && status < 400
  const target = isRedirect && headers.get('location')?.replace(/[?#].*/s, '')
  return fail(
    `${where}: ${wanted} required, got ${statusOf(posted, hide)}${target ? ` to ${quoted(target, hide)}` : ''}`,
    isRedirect ? 'Redirects are not followed, or a token might go astray: give the address it leads to.' : hints[status],
  )
}

type Replied = Extract<Posted, { response: Response }>

function statusOf({ response, body }: Replied, hide: (text: string) => string): string {
  const said = new TextDecoder().decode(body).trim()
  return `status ${response.status}${said ? ` ${quoted(said, hide)}` : ''}`
}

function urlOf(text: string, { name, token }: EndpointWords): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  const shown = text.replace(/\/\/.*@/s, '//***@').replace(/[?#].*/s, '')
  requireInput(
    url !== undefined && isWeb,
    `${name} url: an address that begins with http:// or https:// is required, got ${shown}`,
  )
  requireInput(
    url.username === '' && url.password === '',
    `${name} url: an address without a password is required, got one with it`,
    `A header can carry it: the alis command sends ${token} as a bearer token.`,
  )
  return url
}

function headersOf(given: Readonly<Record<string, string>>, { name: owner }: EndpointWords): Headers {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value)
    } catch {
      // What was thrown shows the value.
      requireInput(false, `${owner} header ${JSON.stringify(name)}: a name and a value that HTTP allows are required, got others`)
    }
  }
  return headers
}

/** Takes the words of the headers out of a text: a service may echo a token. */
function hiding(headers: Readonly<Record<string, string>>) {
  const words = Object.values(headers).flatMap((value) => value.split(/\s+/).filter((word) => word.length >= 4))
  return (text: string) => words.reduce((shown, word) => shown.replaceAll(word, '***'), text)
}

interface PostOptions {
  readonly headers: Headers
  readonly text: string
  /** Milliseconds, from the first byte sent to the last byte read. */
  readonly timeout: number
  readonly largest: number
  readonly signal: AbortSignal
}

/** A reply, its body missing where it is too large; or why there is none. */
type Posted = { readonly response: Response; readonly body: Uint8Array | undefined } | { readonly trouble: string }

/** One request and all of its reply. Throws only what the signal was aborted with. Redirects come back as they are. */
async function posting(url: URL, { headers, text, timeout, largest, signal }: PostOptions): Promise<Posted> {
  signal.throwIfAborted()
  const request = new AbortController()
  const unlisten = whenAborted(signal, () => request.abort())
  const timer = setTimeout(() => request.abort(), timeout)
  try {
    const options = { method: 'POST', headers, body: text, redirect: 'manual', signal: request.signal } as const
    const response = await fetch(url, options)
    return { response, body: await bodyOf(response, largest) }
  } catch (error) {
    signal.throwIfAborted()
    return { trouble: request.signal.aborted ? `none within ${timeout / 1000} s` : `no connection (${reasonOf(error)})` }
  } finally {
    clearTimeout(timer)
    unlisten()
  }
}

async function bodyOf({ body }: Response, largest: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > largest) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `fetch` says no more than that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
