import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { closing, orClosed } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { Wishes } from '../../features/roles.ts'
import { auditOnRecord, keepAudit } from '../../projects/audit-facts.ts'
import type { AuditWishes, PageAudit } from '../../projects/audit-plan.ts'
import { knownSettings, openOrCreate } from '../../projects/settings.ts'
import type { Prices } from '../../protocol/audits.ts'
import type { Exported, ExportRequest } from '../../protocol/data.ts'
import type { BeginWishes, Inspection } from '../../protocol/start.ts'
import { splitReading } from '../../sources/file-reading.ts'
import type { Project } from '../../stores/project.ts'
import { Refusal } from '../failures.ts'
import type { RunningWorker, StartWorker } from '../worker/start-worker.ts'
import type { ParentMethods } from '../worker/worker-protocol.ts'
import { broadcast } from './broadcast.ts'
import { newAudit, newProject, pathInside } from './new-project.ts'
import { openSession, type Session } from './session.ts'
import type { Labelling, Source } from './state.ts'

export interface HostOptions {
  /** Where files are looked for and projects are made. */
  readonly directory: string
  /** Goes on record with every answer. */
  readonly annotator?: string | undefined
  readonly startWorker: StartWorker
  log(error: unknown): void
}

export type ProjectHost = ReturnType<typeof projectHost>

/** What all requests share: the session, once a project is open; the pages that listen; and a worker that inspects files before. */
export function projectHost({ directory, annotator, startWorker, log }: HostOptions) {
  let session: Session | undefined
  let opening: Promise<Session> | undefined
  const inspector = fileInspector(directory, startWorker)
  const streams = new Set<() => void>()
  const sent = sentFiles(directory)
  const events = broadcast((page) => session?.release(page))

  function requireNoProject(): void {
    if (session ?? opening) throw new Refusal(409, 'project-open', 'project: none may be open yet, got one')
  }

  async function open(path: string, source: Source): Promise<void> {
    requireNoProject()
    opening = openNow(path, source)
    try {
      session = await opening
    } finally {
      opening = undefined
    }
  }

  async function openNow(path: string, wanted: Source): Promise<Session> {
    const opened = await openOrCreate(resolve(directory, path), annotator === undefined ? {} : { annotator })
    return orClosed(opened, async (project) => {
      const source = wanted.kind === 'known' ? await knownSource(project, path) : wanted
      await inspector.stop()
      return openSession({ project, name: path, source, events, startWorker, log })
    })
  }

  /** Waits until the pool is ready. A project that could not be begun is removed again, so that another can be begun. */
  async function whenReady(): Promise<void> {
    const now = session
    try {
      await now?.ready
    } catch (error) {
      if (now && (await isUnbegun(now.project))) {
        session = undefined
        await now.close()
        await rm(now.project.path, { recursive: true, force: true })
      }
      throw error
    }
  }

  return {
    directory,
    annotator,
    events,
    /** For each stream of events to a page, the function that ends it. */
    streams,
    session: () => session,
    open,
    requireNoProject,
    whenReady,

    inspect: (path: string, wishes: Wishes): Promise<Inspection> => sent.read(path, () => inspector.inspect(path, wishes)),
    received: sent.add,
    /** What an audit would cost in answers. */
    async price(path: string, wishes: AuditWishes): Promise<Prices> {
      const { points, classes, forecasts } = await inspector.planAudit(path, wishes)
      return { points, classes: [...classes], prices: [...forecasts] }
    },
    async begin(begin: BeginWishes): Promise<void> {
      const source = await sourceOf(begin, directory, inspector)
      await open(begin.project, source)
      if (source.kind !== 'known') await whenReady()
    },

    ...exportsOf(directory),

    async close(): Promise<void> {
      await inspector.stop()
      await sent.removeUnread()
      await (await opening?.catch(() => undefined))?.close()
      await session?.close()
    },
  }
}

/** Files that a page has sent: one stays only if it can be read, in one way or another. Until the next one comes there is time to say how. */
function sentFiles(directory: string) {
  const waiting = new Set<string>() // not read yet
  const unread = new Set<string>() // those of them that could not be

  async function removeUnread(): Promise<void> {
    for (const path of unread) await rm(pathInside(directory, path), { force: true })
    unread.clear()
  }

  return {
    async add(path: string): Promise<void> {
      await removeUnread()
      waiting.add(path)
    },
    /** Reads a path, which may say how to read the file. */
    async read<T>(path: string, reading: () => Promise<T>): Promise<T> {
      const file = waiting.has(path) ? path : splitReading(path).file
      const found = await reading().catch((error) => {
        if (waiting.has(file)) unread.add(file)
        throw error
      })
      waiting.delete(file)
      unread.delete(file)
      return found
    },
    removeUnread,
  }
}

/** A project that is there: one that learns, or an audit that a page was opened on. */
async function knownSource(project: Project, path: string): Promise<Source> {
  if ((await project.recall('settings')) !== undefined) return { kind: 'known' }
  const audit = await auditOnRecord(project)
  const labelling = await project.recall<Labelling>('labelling')
  requireInput(
    audit !== undefined && labelling !== undefined,
    `${path}: must be a project that learns or was begun on a page, got one without a pool`,
    'Begin one by naming a pool; alis audit goes on with an audit of predictions.',
  )
  return { kind: 'predictions', predicted: { path: audit.path, reading: audit.reading }, audit: audit.options, labelling }
}

async function sourceOf(begin: BeginWishes, directory: string, inspector: FileInspector): Promise<Source> {
  const { project } = begin
  const isThere = () => existsSync(pathInside(directory, project))
  if (!('path' in begin)) {
    requireInput(isThere(), `${project}: must be a project, got nothing there`)
    return { kind: 'known' }
  }
  requireInput(project.endsWith('.alis'), `project: a name that ends in .alis is required, got ${project}`)
  requireInput(!isThere(), `${project}: must be a new project, got one that is there`, 'Choose another name.')
  const path = pathInside(directory, begin.path)
  if (!('audit' in begin)) return newProject(begin, path)
  const planned = await inspector.planAudit(begin.path, begin.audit)
  const keep = () =>
    closing(openOrCreate(resolve(directory, project)), (made) => keepAudit(made, path, planned.facts, begin.seed))
  return newAudit(begin, path, planned, keep)
}

/** A project of which nothing would be lost. */
const isUnbegun = async (project: Project): Promise<boolean> =>
  (await knownSettings(project)) === undefined && (await project.rounds()).length === 0

type FileInspector = ReturnType<typeof fileInspector>

/** A worker that looks into files, for as long as no project is open: that needs none. */
function fileInspector(directory: string, startWorker: StartWorker) {
  let worker: RunningWorker | undefined
  const methods = () => {
    worker ??= startWorker({} as ParentMethods, () => (worker = undefined))
    return worker.methods
  }
  /** What went wrong, with paths as the page knows them. */
  const inWords = (error: unknown): never => {
    if (!(error instanceof AlisError)) throw error
    const { code, message, hint } = error
    throw new AlisError(code, message.replaceAll(`${directory}${sep}`, ''), hint, { cause: error })
  }
  return {
    async inspect(path: string, wishes: Wishes): Promise<Inspection> {
      const full = pathInside(directory, path)
      const found = await methods().inspect(full, wishes).catch(inWords)
      const shown = (path: string) => relative(directory, path)
      return { ...found, path: shown(found.path), ways: waysFrom(found.ways, shown) }
    },
    planAudit: async (path: string, wishes: AuditWishes): Promise<PageAudit> =>
      methods().planAudit(pathInside(directory, path), wishes).catch(inWords),
    async stop(): Promise<void> {
      await worker?.stop()
      worker = undefined
    },
  }
}

/** With paths as the page knows them. */
const waysFrom = ({ sheets, encodings, comma }: Inspection['ways'], shown: (path: string) => string): Inspection['ways'] => ({
  sheets: sheets.map((way) => ({ ...way, path: shown(way.path) })),
  encodings: encodings.map((way) => ({ ...way, path: shown(way.path) })),
  ...(comma && { comma: { ...comma, path: shown(comma.path) } }),
})

/** Exports of the open project, and the files of the last one. */
function exportsOf(directory: string) {
  let exported: Exported | undefined
  return {
    async export(request: ExportRequest, { worker, project }: Session): Promise<Exported> {
      exported = await worker().export(project.path, request)
      return { ...exported, folder: relative(directory, exported.folder) || exported.folder }
    },
    exportedFile(file: string): string {
      if (!exported?.files.some((each) => each.file === file))
        throw new Refusal(404, 'not-found', `export: a file of the last export is required, got ${basename(file)}`)
      return join(exported.folder, file)
    },
  }
}
