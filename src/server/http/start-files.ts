import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { openToRead } from '../../projects/settings.ts'
import type { Files } from '../../protocol/start.ts'
import { Refusal } from '../failures.ts'

const isPool = (name: string) => /\.(?:csv|tsv|txt|json|jsonl|ndjson)(?:\.(?:gz|zst))?$|\.(?:parquet|arrow|feather)$/i.test(name)
const mostListed = 200
const mostBytes = 2 * 1024 ** 3

/** What could be a pool, and projects to go on with, in a directory. */
export async function filesIn(directory: string): Promise<Files> {
  const entries = await readdir(directory, { withFileTypes: true })
  const pools = entries.filter((entry) => entry.isFile() && isPool(entry.name)).slice(0, mostListed)
  const projects = entries.filter((entry) => entry.isDirectory() && entry.name.endsWith('.alis')).slice(0, mostListed)
  return {
    directory,
    pools: await Promise.all(pools.map(async ({ name }) => ({ path: name, bytes: (await stat(join(directory, name))).size }))),
    projects: (await Promise.all(projects.map(({ name }) => answersIn(directory, name)))).flat(),
  }
}

/** A directory that only looks like a project is not listed. */
async function answersIn(directory: string, name: string): Promise<Files['projects']> {
  const listed = closing(openToRead(join(directory, name)), async (project) => {
    const rounds = await project.rounds()
    return [{ path: name, answers: rounds.reduce((sum, { answers }) => sum + answers.size, 0) }]
  })
  return listed.catch(() => [])
}

/** Writes what is sent to a new file of the directory; what does not arrive whole leaves nothing behind. */
export async function receive(directory: string, name: string, body: ReadableStream<Uint8Array> | null): Promise<string> {
  const isPlain = /^[^/\\\0]{1,200}$/.test(name) && !name.startsWith('.')
  requireInput(isPlain && isPool(name), `name: that of a pool file is required, got ${JSON.stringify(name)}`)
  requireInput(body !== null, 'body: the bytes of a file are required, got none')
  const path = join(directory, name)
  const file = await open(path, 'wx').catch(() => {
    const message = `${name}: a name that is free is required, got one that is taken`
    throw new Refusal(409, 'file-there', message, 'Rename the file.')
  })
  try {
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw new Refusal(413, 'too-large', `${name}: at most 2 GiB are possible, got more`)
      await file.writeFile(chunk)
    }
    await file.sync()
    await file.close()
    return name
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}
