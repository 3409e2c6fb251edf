// What a folder holds, so that it can be told afterwards whether anything was lost, changed or left behind.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openProject } from '../../src/stores/sqlite.ts'

/** Everything a project has on record. */
type ProjectRecord = Awaited<ReturnType<typeof recordOf>>

export interface State {
  /** Hashes by path; null for a directory. */
  readonly files: ReadonlyMap<string, string | null>
  /** By path of `project.sqlite`, where it can be read: the record is what counts there, not the bytes. */
  readonly records: ReadonlyMap<string, ProjectRecord>
}

export async function stateOf(folder: string): Promise<State> {
  const files = new Map<string, string | null>()
  const records = new Map<string, ProjectRecord>()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.sort((a, b) => (join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1))) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    if (isPassing(entry.name)) continue
    const record = entry.name === 'project.sqlite' ? await recordOf(entry.parentPath).catch(() => undefined) : undefined
    if (record) records.set(name, record)
    else files.set(name, entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : null)
  }
  return { files, records }
}

/** Locks and logs come and go with the processes that open a project. */
const isPassing = (name: string) => /^lock\.|-(wal|shm)$/.test(name)

async function recordOf(directory: string) {
  const project = await openProject(directory, { mode: 'read' })
  try {
    return {
      rounds: await project.rounds(),
      answers: await project.answers(),
      models: await project.models(),
      certificates: await project.certificates(),
      events: await project.events(),
      facts: await Promise.all(['settings', 'recipe', 'audit'].map((name) => project.recall(name))),
    }
  } finally {
    await project.close()
  }
}

/** What is not as it was. Where work had begun, the record of a project may be longer than it was. */
export function differences(before: State, after: State, { mayGrow }: { readonly mayGrow: boolean }): string[] {
  const isSame = mayGrow ? beginsWith : isDeepStrictEqual
  return [
    ...changes(before.files, after.files, isDeepStrictEqual),
    ...changes<ProjectRecord>(before.records, after.records, (was, is) => isSame(is, was)),
  ]
}

function changes<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>, isSame: (was: T, is: T) => boolean): string[] {
  const lost = [...before].flatMap(([path, was]) => {
    if (!after.has(path)) return [`${path} is gone`]
    return isSame(was, after.get(path)!) ? [] : [`${path} has changed`]
  })
  const left = [...after.keys()].filter((path) => !before.has(path)).map((path) => `${path} was left behind`)
  return [...lost, ...left]
}

/** Every list begins with what it was. */
function beginsWith(is: ProjectRecord, was: ProjectRecord): boolean {
  const kinds = Object.keys(was) as (keyof ProjectRecord)[]
  return kinds.every((kind) => isDeepStrictEqual(is[kind].slice(0, was[kind].length), was[kind]))
}
