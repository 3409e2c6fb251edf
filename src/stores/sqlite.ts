import type { Database } from 'better-sqlite3'
import { AlisError, requireInput } from '../core/errors.ts'
import { keptModel, type Model } from '../core/model.ts'
import type { KeptLook } from '../core/now.ts'
import type { KeptCertificate, OpenOptions, Project, ProjectEvent, ProjectOptions, SealedText } from './project.ts'
import { type Chain, chainOn } from './sqlite-chain.ts'
import { commitsTo } from './sqlite-commits.ts'
import { connectToRead, connectToWrite, requireWritable, upToDate } from './sqlite-connections.ts'
import { projectError } from './sqlite-errors.ts'
import { copyScores, makeProject, projectPath, recordIn } from './sqlite-files.ts'
import { lockProject } from './sqlite-lock.ts'
import { type Queries, queriesOn, query } from './sqlite-queries.ts'
import { recordOf } from './sqlite-record.ts'
import { versionOf } from './sqlite-schema.ts'
import type { KeptModel } from './store.ts'

/** Begins a project in the new directory NAME.alis, and opens it to write. */
export async function createProject(dir: string, options: ProjectOptions = {}): Promise<Project> {
  const path = projectPath(dir)
  await withProjectErrors(path, () => makeProject(path, (file) => void connectToWrite(file).close()))
  return openProject(path, options)
}

/** Opens a project. One process may write, any number may read beside it. A damaged file is refused and left as it is. */
export async function openProject(dir: string, { mode = 'write', ...options }: OpenOptions = {}): Promise<Project> {
  const path = projectPath(dir)
  return withProjectErrors(path, () => (mode === 'read' ? openToRead(path, options) : openToWrite(path, options)))
}

const openToRead = (path: string, options: ProjectOptions) => projectOn(path, upToDate(connectToRead(path)), options)

function openToWrite(path: string, options: ProjectOptions): Project {
  connectToRead(path).close() // found whole before anything is changed
  requireWritable(path)
  const lock = lockProject(path)
  try {
    return projectOn(path, connectToWrite(recordIn(path)), { ...options, lock })
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Opened extends ProjectOptions {
  /** Held while the project is open to write. */
  readonly lock?: { release(): void }
}

function projectOn(path: string, sqlite: Database, { lock, clock = () => new Date(), annotator = 'anonymous' }: Opened): Project {
  const queries = queriesOn(sqlite)
  const chain = chainOn(sqlite)
  const record = recordOf(queries, chain)
  const facts = factsOf(queries, chain)
  const { commit, flush } = commitsTo(sqlite)

  const read = <T>(query: () => T): Promise<T> => withProjectErrors(path, () => sqlite.transaction(query)())

  const write = (change: (time: string) => void): Promise<void> =>
    withProjectErrors(path, () => {
      if (lock) return commit(() => change(clock().toISOString()))
      throw new AlisError('store-failed', `${path}: must be open to write, got it open to read`, 'Open it again to write.')
    })

  return {
    name: 'sqlite',
    path,

    begin: (run) => write((time) => record.begin(run, time)),
    grow: (poolSize) => write((time) => record.grow(poolSize, time)),
    openRound: (opening) => write((time) => record.openRound(opening, time)),
    answer: (round, id, label, by = {}) => write((time) => record.answer(round, id, label, by.annotator ?? annotator, time)),
    retract: (round, id, by = {}) => write((time) => record.retract(round, id, by.annotator ?? annotator, time)),
    revise: (round, id, label, by = {}) => write((time) => record.revise(round, id, label, by.annotator ?? annotator, time)),
    closeRound: (round, after) => write((time) => record.closeRound(round, after, time)),
    rounds: () => read(record.rounds),
    answers: () => read(record.answers),

    remember: (name, value) => write((time) => facts.remember(name, value, time)),
    recall: <T>(name: string) => read(() => facts.recall<T>(name)),
    keepModel: (model, round) => write((time) => facts.keepModel(model, round, time)),
    models: () => read(facts.models),
    model: (id) => read(() => facts.model(id)),
    keepLook: (look) => write((time) => facts.remember('look', look, time)),
    looks: () => read(() => facts.history<KeptLook>('look')),
    keepCertificate: (certificate) => write((time) => facts.keepCertificate(certificate, time)),
    certificates: () => read(facts.certificates),
    event: (kind, detail) => write((time) => facts.event(kind, detail, time)),
    events: (until) => read(() => facts.events(until)),
    head: (then) => read(() => chain.head(then)),

    backup: (to, progress) => backup(path, to, progress),
    close: () =>
      withProjectErrors(path, () => {
        try {
          if (sqlite.open) flush()
          sqlite.close()
        } finally {
          lock?.release()
        }
      }),
  }
}

/** Copies the project as it stood when asked: the view of a reader stays the same, whatever is written meanwhile. */
async function backup(path: string, to: string, progress?: (share: number) => void): Promise<void> {
  const target = projectPath(to)
  const source = await withProjectErrors(path, () => connectToRead(path))
  try {
    source.exec('BEGIN')
    versionOf(source) // the first look fixes the view
    await withProjectErrors(target, () =>
      makeProject(target, async (file) => {
        await copy(source, file, progress)
        copyScores(path, target) // after the record, which speaks of none that are not there yet
      }),
    )
  } finally {
    source.close()
  }
}

async function copy(source: Database, file: string, report?: (share: number) => void): Promise<void> {
  await source.backup(file, {
    progress({ totalPages, remainingPages }) {
      report?.(1 - remainingPages / totalPages)
      return 1000 // pages, that is 4 MB, until others get a turn
    },
  })
  report?.(1)
}

/** Does some work, with errors of SQLite and the file system put as those of the project. */
async function withProjectErrors<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw projectError(path, error)
  }
}

/** What a project knows beside the record of its run, in tables. */
function factsOf({ all, first }: Queries, { put, countOf }: Chain) {
  return {
    remember(name: string, value: unknown, time: string): void {
      const json = JSON.stringify(value)
      requireInput(json !== undefined, `remember: ${name} must be something that JSON can hold, got ${typeof value}`)
      put('facts', { name, value: json, time })
    },
    recall<T>(name: string): T | undefined {
      const newest = first(query.selectFrom('facts').select('value').where('name', '=', name).orderBy('seq', 'desc').limit(1))
      return newest && JSON.parse(newest.value)
    },
    /** All that was ever on record of this name, the oldest first. */
    history<T>(name: string): T[] {
      const rows = all(query.selectFrom('facts').select('value').where('name', '=', name).orderBy('seq'))
      return rows.map(({ value }) => JSON.parse(value))
    },

    keepModel(model: Model, round: number, time: string): void {
      const { id } = model
      const known = query.selectFrom('models').select('seq').where('id', '=', id)
      if (!first(known)) put('models', { id, round, json: JSON.stringify(model), time })
    },
    models(): KeptModel[] {
      const rows = all(query.selectFrom('models').select(['json', 'round', 'time']).orderBy('seq'))
      return rows.map(({ json, ...when }) => ({ model: keptModel(JSON.parse(json)), ...when }))
    },
    model(id: string): Model | undefined {
      const kept = first(query.selectFrom('models').select('json').where('id', '=', id))
      return kept && keptModel(JSON.parse(kept.json))
    },

    keepCertificate({ seal, text }: SealedText, time: string): void {
      const known = query.selectFrom('certificates').select('seq').where('seal', '=', seal)
      if (!first(known)) put('certificates', { seal, text, time })
    },
    certificates: (): KeptCertificate[] => all(query.selectFrom('certificates').select(['seal', 'text', 'time']).orderBy('seq')),

    event(kind: string, detail: unknown, time: string): void {
      put('events', { kind, detail: JSON.stringify(detail) ?? null, time })
    },
    events(until?: number): ProjectEvent[] {
      const happened = query.selectFrom('events').select(['kind', 'detail', 'time']).orderBy('seq')
      const rows = all(until === undefined ? happened : happened.limit(countOf('events', until)))
      return rows.map(({ kind, detail, time }) => ({ kind, ...(detail !== null && { detail: JSON.parse(detail) }), time }))
    },
  }
}
