import { largestReply } from './reply.ts'
import { whenAborted } from './when-aborted.ts'

interface PostOptions {
  readonly headers: Headers
  readonly text: string
  /** Milliseconds, from the first byte sent to the last byte read. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** A reply, its body missing where it is too large; or why there is none. */
export type Posted = { readonly response: Response; readonly body: Uint8Array | undefined } | { readonly trouble: string }

/** One request and all of its reply. Throws only what the signal was aborted with. Redirects come back as they are. */
export async function post(url: URL, { headers, text, timeout, signal }: PostOptions): Promise<Posted> {
  signal.throwIfAborted()
  const request = new AbortController()
  const unlisten = whenAborted(signal, () => request.abort())
  const timer = setTimeout(() => request.abort(), timeout)
  try {
    const options = { method: 'POST', headers, body: text, redirect: 'manual', signal: request.signal } as const
    const response = await fetch(url, options)
    return { response, body: await bodyOf(response) }
  } catch (error) {
    signal.throwIfAborted()
    return { trouble: request.signal.aborted ? `none within ${timeout / 1000} s` : `no connection (${reasonOf(error)})` }
  } finally {
    clearTimeout(timer)
    unlisten()
  }
}

async function bodyOf({ body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > largestReply) return undefined
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
