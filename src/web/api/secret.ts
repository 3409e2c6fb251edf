import { stored } from '../state/storage.ts'

const kept = stored('session', 'alis:secret')
const patience = 300 // ms that another tab has to tell

/**
 * What the server knows this page by. It goes with requests as a header and is never in a cookie, which browsers send to every port of a
 * machine, also those of other programs. A tab gets it for the code in its address, or from another tab of this origin.
 */
let secret: string | undefined
/** Whether the server took it when it was used last. */
let isGood = false
let code: string | undefined
let tabs: BroadcastChannel | undefined
let waiting: ((told: string) => void) | undefined
let asking: Promise<void> | undefined

/** Begins with what the address and this tab have. Calls back when an address with another code is put into the tab. */
export function openTab(changed: () => void): void {
  secret = kept.read()
  code = takeCode()
  const channel = new BroadcastChannel('alis')
  tabs = channel
  channel.onmessage = ({ data }: MessageEvent<{ secret?: string }>) => {
    if (data.secret !== undefined) waiting?.(data.secret)
    else if (isGood) channel.postMessage({ secret })
  }
  addEventListener('hashchange', () => {
    const found = takeCode()
    if (found === undefined) return
    code = found
    changed()
  })
}

/** The address without its code, which is dead when it was used: neither history nor bookmarks keep it. */
function takeCode(): string | undefined {
  const [, found] = /^#code=([\w-]+)$/.exec(location.hash) ?? []
  if (found !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return found
}

/** `fetch` with the secret; where the server does not know it, once more with one that it may know. */
export async function fetchKnown(path: string, init: RequestInit = {}): Promise<Response> {
  if (code !== undefined || secret === undefined || asking) await renewed()
  const used = secret
  const reply = await fetch(path, withSecret(init))
  isGood = reply.status !== 401 && used === secret
  if (reply.status !== 401) return reply
  await renewed()
  return secret === used ? reply : fetch(path, withSecret(init))
}

export const authorization = (): string => `Bearer ${secret ?? ''}`

const withSecret = (init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), authorization: authorization() },
})

/** One at a time, for all requests that wait. */
function renewed(): Promise<void> {
  asking ??= renew().finally(() => (asking = undefined))
  return asking
}

async function renew(): Promise<void> {
  const found = (await exchanged()) ?? (isGood ? undefined : await told())
  if (found === undefined) return
  secret = found
  kept.write(found)
}

/** What the server gives for the code of the address. Where it cannot be reached, the code stays. */
async function exchanged(): Promise<string | undefined> {
  if (code === undefined) return undefined
  const body = JSON.stringify({ code })
  const reply = await fetch('/api/v1/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  code = undefined
  if (!reply.ok) return undefined
  const { secret } = (await reply.json()) as { secret: string }
  tabs?.postMessage({ secret })
  return secret
}

/** What another tab is let in by. */
function told(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const done = (found?: string) => {
      clearTimeout(timer)
      waiting = undefined
      resolve(found)
    }
    const timer = setTimeout(done, patience)
    waiting = done
    tabs?.postMessage({})
  })
}
