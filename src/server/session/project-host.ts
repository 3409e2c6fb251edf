import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker as Thread } from 'node:worker_threads'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { Wishes } from '../../features/roles.ts'
import type { EngineWish } from '../../projects/pools/engine-choice.ts'
import { knownSettings, openOrCreate } from '../../projects/settings.ts'
import type { Exported } from '../../protocol/data.ts'
import type { Begin, Inspection } from '../../protocol/start.ts'
import type { TableFormat } from '../../sources/write-table.ts'
import { Refusal } from '../failures.ts'
import { strategyBy } from '../strategies.ts'
import type { Parent, Worker } from '../worker/worker-protocol.ts'
import { connect } from '../worker/worker-rpc.ts'
import { type Feed, feed } from './feed.ts'
import { openSession, type Session } from './session.ts'
import type { Hire, Hired } from './session-loop.ts'
import type { Source } from './state.ts'

export interface HouseOptions {
  /** Where files are looked for and projects are made. */
  readonly directory: string
  readonly annotator?: string | undefined
  /** The secret of the page, unless the project has one already. */
  readonly token: string
  /** Where pools are to lie. */
  readonly wish?: EngineWish | undefined
  log(error: unknown): void
}

export type House = ReturnType<typeof house>

const workerFile = new URL(import.meta.url.endsWith('.ts') ? '../worker/worker.ts' : '../worker/worker.js', import.meta.url)

/** What all requests share: the session, once there is one; the pages that listen; and whoever looks into files before. */
export function house({ directory, annotator, token: fresh, wish = {}, log }: HouseOptions) {
  const hire: Hire = (parent, died) => hireWith(wish, parent, died)
  let session: Session | undefined
  let opening: Promise<Session> | undefined
  let clerk: Hired | undefined
  let exported: Exported | undefined
  let token = fresh
  const streams = new Set<() => void>()
  const news: Feed = feed((page) => session?.release(page))

  /** Opens a project, or begins it. */
  async function open(path: string, source: Source): Promise<Session> {
    requireNoProject()
    opening = openNow(path, source)
    try {
      session = await opening
      return session
    } finally {
      opening = undefined
    }
  }

  async function openNow(path: string, source: Source): Promise<Session> {
    const project = await openOrCreate(resolve(directory, path))
    try {
      const isLearning = (await project.recall('settings')) !== undefined
      const hint = 'Begin one by naming a pool; alis audit goes on with an audit of predictions.'
      requireInput(isLearning || source.kind !== 'known', `${path}: must be a project that learns, got one without a pool`, hint)
      token = await tokenOf(project.path, fresh)
      await clerk?.fire()
      clerk = undefined
      return await openSession({ project, name: path, source, feed: news, annotator, hire, log })
    } catch (error) {
      await project.close()
      throw error
    }
  }

  /** Waits until the pool is ready. A project that could not be begun is taken away again, so that another can be. */
  async function settle(): Promise<void> {
    const now = session
    try {
      await now?.begun
    } catch (error) {
      if (now && (await knownSettings(now.project)) === undefined) await discard(now)
      throw error
    }
  }

  async function discard(now: Session): Promise<void> {
    session = undefined
    await now.close()
    await rm(now.project.path, { recursive: true, force: true })
  }

  function requireNoProject(): void {
    if (session ?? opening) throw new Refusal(409, 'project-open', 'project: none may be open yet, got one')
  }

  /** A path that was sent: only what lies in our directory is looked at. */
  function inside(path: string): string {
    const full = resolve(directory, path)
    const within = relative(directory, full)
    requireInput(
      within !== '' && !within.startsWith(`..${sep}`) && within !== '..',
      `${path}: must lie in ${directory}, got another place`,
    )
    return full
  }

  return {
    directory,
    feed: news,
    streams,
    session: () => session,
    token: () => token,
    open,
    requireNoProject,
    inside,

    async inspect(path: string, wishes: Wishes): Promise<Inspection> {
      const full = inside(path)
      clerk ??= hire(noParent, () => (clerk = undefined))
      return { ...(await clerk.worker.inspect(full, wishes)), path }
    },
    async begin(wanted: Begin): Promise<void> {
      if (!('path' in wanted)) {
        requireInput(existsSync(inside(wanted.project)), `${wanted.project}: must be a project, got nothing there`)
        await open(wanted.project, { kind: 'known' })
        return
      }
      requireInput(wanted.project.endsWith('.alis'), `project: a name that ends in .alis is required, got ${wanted.project}`)
      requireInput(
        !existsSync(inside(wanted.project)),
        `${wanted.project}: must be a new project, got one that is there`,
        'Choose another name.',
      )
      await open(wanted.project, sourceOf(wanted, inside(wanted.path)))
      await settle()
    },
    settle,

    async export(open: Session, format: TableFormat): Promise<Exported> {
      exported = await open.worker().export(open.project.path, format)
      return { ...exported, folder: relative(directory, exported.folder) || exported.folder }
    },
    exported(file: string): string {
      if (!exported?.files.some((each) => each.file === file))
        throw new Refusal(404, 'not-found', `export: a file of the last export is required, got ${basename(file)}`)
      return join(exported.folder, file)
    },

    async close(): Promise<void> {
      for (const end of [...streams]) end()
      await clerk?.fire()
      await (await opening?.catch(() => undefined))?.close()
      await session?.close()
    },
  }
}

function sourceOf(wanted: Extract<Begin, { path: string }>, path: string): Source {
  const { wishes, classes, question, guidelines, plan, start, loss = 'logistic', l2 = 1, weighting, seed } = wanted
  const keys = classes.map(({ key }) => key)
  requireInput(new Set(keys).size === keys.length, 'classes: every key must be another one, got one twice')
  requireInput(
    new Set(classes.map(({ name }) => name)).size === classes.length,
    'classes: every name must be another one, got one twice',
  )
  strategyBy(plan.strategy)
  const known = ['logistic', 'squared', 'squared-hinge'] as const
  const chosen = known.find((name) => name === loss)
  requireInput(chosen !== undefined, `loss: one of ${known.join(', ')} is required, got ${loss}`)
  const { label, ...rest } = wishes
  const ignore = [...(wishes.ignore ?? []), ...(label === undefined ? [] : [label])] // nobody who answers may see it
  return {
    kind: 'new',
    beginning: {
      path,
      wishes: { ...rest, ...(ignore.length > 0 && { ignore }) },
      classes: classes.map(({ name }) => name),
      plan,
      start,
      loss: chosen,
      l2,
      weighting,
      seed,
    },
    labelling: { question, guidelines, classes },
  }
}

const patience = 5_000 // ms, for what is being worked out: reading is stopped, fits are not

/** Starts a worker. It dies with us; if it dies before, whoever waits is told. */
function hireWith(wish: EngineWish, parent: Parent, died: (reason: unknown) => void): Hired {
  const thread = new Thread(workerFile, { execArgv: [], workerData: wish })
  const { theirs, hangUp } = connect<Worker>(thread, parent)
  let isFired = false
  const end = (reason: unknown) => {
    if (isFired) return
    isFired = true
    hangUp(new AlisError('engine-failed', 'worker: must stay alive, got its end', 'Try again.', { cause: reason }))
    died(reason)
  }
  thread.on('error', end)
  thread.on('exit', end)
  const ended = once(thread, 'exit').catch(() => {})
  return {
    worker: theirs,
    async fire() {
      isFired = true
      theirs.close().catch(() => {}) // its end is the answer
      await Promise.race([ended, pause(patience, undefined, { ref: false })])
      hangUp(new AlisError('engine-failed', 'worker: must stay alive, got its end'))
      await thread.terminate()
    },
  }
}

/** Looking into a file needs no project. */
const noParent = {} as Parent

/** The secret of a project's page: the same after a restart, so that a page that is open goes on. */
async function tokenOf(project: string, fresh: string): Promise<string> {
  const path = join(project, 'page.token')
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined && /^[\w-]{43}$/.test(known)) return known
  await writeFile(path, fresh, { mode: 0o600 })
  return fresh
}
