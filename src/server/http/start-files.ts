import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { isFor } from '../../core/record.ts'
import { knownError } from '../../projects/known-error.ts'
import { openToRead } from '../../projects/settings.ts'
import type { Files } from '../../protocol/start.ts'
import { Refusal } from '../failures.ts'

const isPool = (name: string) =>
  /\.(?:csv|tsv|txt|json|jsonl|ndjson|libsvm|svmlight)(?:\.(?:gz|zst))?$|\.(?:parquet|arrow|feather|xlsx|xlsm|zip|sqlite3?|eval|npz)$/i.test(
    name,
  )
const mostListed = 200
const mostBytes = 2 * 1024 ** 3
const mostOfRecord = 8 * 1024 ** 2 // bytes that are gone through for a list
const patience = 1_000 // ms for all projects: the page is waited for, and none is chosen yet

/** What could be a pool, and projects to go on with, in a directory. */
export async function filesIn(directory: string, now: () => number = () => performance.now()): Promise<Files> {
  const entries = await readdir(directory, { withFileTypes: true })
  const pools = entries.filter((entry) => entry.isFile() && isPool(entry.name)).slice(0, mostListed)
  const projects = entries.filter((entry) => entry.isDirectory() && entry.name.endsWith('.alis')).slice(0, mostListed)
  const end = now() + patience
  const listed: Files['projects'] = []
  for (const { name } of projects) {
    const isShort = (await recordBytes(join(directory, name))) <= mostOfRecord
    listed.push(...(isShort && now() < end ? await answersIn(directory, name) : [{ path: name }]))
  }
  return {
    directory,
    pools: await Promise.all(pools.map(async ({ name }) => ({ path: name, bytes: (await stat(join(directory, name))).size }))),
    projects: listed,
  }
}

/** How much there is to be read of a project: its record, and what was added to that last. */
async function recordBytes(project: string): Promise<number> {
  const sizes = ['project.sqlite', 'project.sqlite-wal'].map((name) => stat(join(project, name)).catch(() => ({ size: 0 })))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

/** A directory that only looks like a project, or holds what is not ours, is not listed. */
async function answersIn(directory: string, name: string): Promise<Files['projects']> {
  const listed = closing(openToRead(join(directory, name)), async (project) => {
    const rounds = await project.rounds()
    const answers = rounds.filter((round) => !isFor('given', round)).reduce((sum, { answers }) => sum + answers.size, 0)
    const error = await knownError(project)
    return [{ path: name, answers, ...(error && { error }) }]
  })
  return listed.catch(() => [])
}

/**
 * Writes what is sent to a file of the directory. What does not arrive whole leaves nothing behind; a file that is there already, byte for
 * byte, is used again, and another one of that name stays beside it.
 */
export async function receive(
  directory: string,
  name: string,
  body: ReadableStream<Uint8Array> | null,
): Promise<{ path: string; isNew: boolean }> {
  const isPlain = /^[^/\\\0]{1,200}$/.test(name) && !name.startsWith('.')
  requireInput(isPlain && isPool(name), `name: that of a pool file is required, got ${JSON.stringify(name)}`)
  requireInput(body !== null, 'body: the bytes of a file are required, got none')
  await removeLeft(directory)
  const partial = join(directory, `.${randomUUID()}.part`)
  try {
    await write(partial, name, body)
    return await settle(partial, directory, name)
  } finally {
    await rm(partial, { force: true })
  }
}

const dayOld = 86_400_000 // ms: whatever was sent then has arrived, or was cut off with its server

async function removeLeft(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    if (/^\.[0-9a-f-]{36}\.part$/.test(name) && Date.now() - (await stat(path)).mtimeMs > dayOld) await rm(path, { force: true })
  }
}

async function write(path: string, name: string, body: ReadableStream<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx')
  try {
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw new Refusal(413, 'too-large', `${name}: at most 2 GiB are possible, got more`)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Gives a file that is whole its name, or the next one that is free: mails.csv, mails-2.csv, … */
async function settle(partial: string, directory: string, name: string): Promise<{ path: string; isNew: boolean }> {
  const [, stem, ending] = /^(.+?)((?:\.[a-z0-9]+){1,2})$/i.exec(name)!
  for (let k = 1; ; k++) {
    const path = k === 1 ? name : `${stem}-${k}${ending}`
    const isFree = await link(partial, join(directory, path)).then(
      () => true,
      (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : Promise.reject(error)),
    )
    if (isFree) return { path, isNew: true }
    if (await isSame(partial, join(directory, path))) return { path, isNew: false }
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)])
  return b.isFile() && a.size === b.size && (await digest(one)) === (await digest(other))
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
