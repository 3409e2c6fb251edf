import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AlisError, requireInput } from '../core/errors.ts'
import { splitReading } from './file-reading.ts'
import { noRoom, type Scratch } from './scratch.ts'

/** Whether a path is an address from which rows are fetched first. */
export const isRemote = (path: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(path) && !/^clickhouse/i.test(path)

interface Fetching {
  readonly scratch: Scratch
  readonly signal: AbortSignal | undefined
}

/** What an address leads to as a file on scratch, under its own name and with what stands behind it. */
export async function fetched(address: string, fetching: Fetching): Promise<string> {
  const { file, reading } = splitReading(address)
  requireInput(URL.canParse(file), `${address}: an address is required, got something else`)
  const url = new URL(file)
  const shown = url.origin === 'null' ? `${url.protocol}//${url.host}${url.pathname}` : url.origin + url.pathname
  requireInput(
    url.password === '' && (url.username === '' || isPostgres(url)),
    `${shown}: an address without a password is required, got one with it`,
    isPostgres(url)
      ? 'Addresses end up in records and in the history of shells. Put the password into PGPASSWORD, or into ~/.pgpass.'
      : 'Addresses end up in records and in the history of shells. Download the file, and name it.',
  )
  if (isPostgres(url)) return (await import('./postgres.ts')).tableOf(url, reading.table, fetching)
  requireInput(
    /^https?:$/.test(url.protocol),
    `${shown}: an address that begins with https:// or postgres://, or a file, is required, got ${url.protocol}//`,
    /^(?:s3|gs|az|abfss?|hf):$/.test(url.protocol)
      ? 'Copy it here first (aws s3 cp, gsutil cp, hf download), or give an https:// address that is signed (aws s3 presign).'
      : undefined,
  )
  return `${await download(url, shown, fetching)}${address.slice(file.length)}`
}

const isPostgres = ({ protocol }: URL) => /^postgres(?:ql)?:$/.test(protocol)

async function* chunksOf(body: NonNullable<Response['body']>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield chunk
}

async function download(url: URL, shown: string, { scratch, signal }: Fetching): Promise<string> {
  const folder = await scratch.name()
  await mkdir(folder).catch((cause) => Promise.reject(noRoom(cause)))
  const path = join(folder, basename(url.pathname) || 'rows')
  const refuse = (got: string, cause?: unknown) =>
    new AlisError(
      'bad-input',
      `${shown}: must be there to be read, got ${got}`,
      'Does it open in a browser that is not signed in?',
      { cause },
    )
  try {
    const { ok, status, body } = await fetch(url, signal ? { signal } : {})
    if (!ok || !body) throw refuse(`status ${status}`)
    await pipeline(chunksOf(body), createWriteStream(path))
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AlisError) throw error
    const { cause = error } = error as Error
    throw refuse(`no connection (${cause instanceof Error && 'code' in cause ? cause.code : (error as Error).message})`, error)
  }
  return path
}
