import { existsSync, readFileSync } from 'node:fs'
import { quicknet, timeOfRound } from '../core/drand-rounds.ts'
import { AlisError, requireInput } from '../core/errors.ts'
import type { Beacon } from '../questions/commitment.ts'

/** Where drand says its rounds. Its servers need not be trusted: the signature is verified. */
export const drandAddress = 'https://api.drand.sh'

const timeout = 15_000 // ms
const longest = 10_000 // characters

interface BeaconWish {
  /** The value as it was given: of drand a signature, or a file with a reply of its network. */
  readonly given?: string | undefined
  readonly address?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly now?: Date
}

/** The value of a beacon: as it was given, or from drand's network. */
export async function beaconValue(beacon: Beacon, { given, address = drandAddress, signal, now = new Date() }: BeaconWish) {
  if (beacon.kind === 'text') {
    requireInput(given !== undefined, `--beacon: the value of “${beacon.what}” is required, got none`, 'It is part of the seed.')
    const value = given.trim()
    requireInput(value !== '', '--beacon: a value is required, got an empty one')
    return value
  }
  if (given !== undefined) return existsSync(given) ? signatureIn(readFileSync(given, 'utf8'), given) : given.trim().toLowerCase()
  const time = timeOfRound(beacon.round)
  requireInput(
    time <= now,
    `--beacon: round ${beacon.round} of drand must be out, got ${now.toISOString()}, and it comes at ${time.toISOString()}`,
    'Wait until then: nobody knows the seed before.',
  )
  return fetched(`${address.replace(/\/+$/, '')}/${quicknet.chain}/public/${beacon.round}`, signal)
}

async function fetched(url: string, signal: AbortSignal | undefined): Promise<string> {
  const hint = `Where there is no network, get the round elsewhere and give its signature, or a file with the reply: --beacon.`
  try {
    const stop = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])])
    const response = await fetch(url, { signal: stop, redirect: 'error' })
    const text = await response.text()
    if (response.ok && text.length <= longest) return signatureIn(text, url)
    throw new AlisError('bad-input', `${url}: a round of drand is required, got status ${response.status}`, hint)
  } catch (error) {
    if (error instanceof AlisError || signal?.aborted) throw error
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    throw new AlisError('bad-input', `${url}: drand must be within reach, got ${JSON.stringify(why)}`, hint, { cause: error })
  }
}

function signatureIn(text: string, where: string): string {
  try {
    const { signature } = JSON.parse(text) as { readonly signature: unknown }
    if (typeof signature === 'string') return signature
  } catch {
    // said below
  }
  throw new AlisError('bad-input', `${where}: a reply of drand with a signature is required, got something else`)
}
