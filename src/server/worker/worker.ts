// The thread that holds the pool: it fits, scores and draws, and answers questions about points in between.

import { stat } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { connect } from '../../core/thread-calls.ts'
import type { ColumnRole, Roles, Wishes } from '../../features/roles.ts'
import { planForPage } from '../../projects/audit-plan.ts'
import { readingOf, requireAudited } from '../../projects/audit-wishes.ts'
import { exportProject } from '../../projects/export/export-project.ts'
import { openFile } from '../../projects/pools/open-file.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import type { Class } from '../../protocol/project.ts'
import type { Inspection } from '../../protocol/start.ts'
import type { Table } from '../../sources/table.ts'
import type { Project } from '../../stores/project.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import { contentOf, displayOf, type PointDisplay } from './point-view.ts'
import { beginPool, loadPool, loadPredictionPool, type WorkerContext, type WorkerPool } from './worker-pool.ts'
import type { Loaded, ParentMethods, WorkerMethods } from './worker-protocol.ts'

let pool: WorkerPool | undefined

const stopping = new AbortController()
const reading = new Set<Promise<unknown>>()

const methods: WorkerMethods = {
  inspect: (path, wishes) => tracked(inspect(path, wishes, stopping.signal)),
  planAudit(path, wishes) {
    requireAudited(wishes)
    const loading = { signal: stopping.signal }
    return tracked(planForPage(path, readingOf(wishes), wishes, { loading, wish: context.wish }))
  },
  begin: (path, beginning) => use(beginPool(projectAt(path), context, beginning)),
  load: (path) => use(loadPool(projectAt(path), context)),
  loadPredictions: (predicted) => use(loadPredictionPool(predicted, context)),
  learn: (plan) => ready().learn(plan),
  audit: (model, options) => ready().audit(model, options),
  forecastInputs: (model) => ready().forecastInputs(model),
  look: (model) => tracked(ready().look(model)),
  contents: async (ids) => {
    const { display, contents } = ready()
    return (await tracked(contents(ids))).map((content) => contentOf(content, display))
  },
  fields: async (ids) => (await tracked(ready().contents(ids))).map(({ fields }) => fields),
  predictions: (query) => tracked(ready().predictions(query)),
  /** What `alis export` does, in place of what an earlier export left there. */
  async export(project, request) {
    const { out, files, model } = await tracked(exportProject(project, { ...request, force: true, signal: stopping.signal }))
    return {
      ...(model && { model }),
      folder: out,
      files: files.map(({ file, rows }) => ({ file, ...(rows !== undefined && { rows }) })),
    }
  },
  /** Stops what is being read. The thread then ends by itself, when nothing is left to do: ending one while DuckDB reads ends the process. */
  async close() {
    stopping.abort()
    await Promise.allSettled(reading)
    await pool?.close()
    parentPort!.close()
  },
}

function tracked<T>(work: Promise<T>): Promise<T> {
  reading.add(work)
  const done = () => void reading.delete(work)
  work.then(done, done)
  return work
}

const { remote: parent } = connect<ParentMethods>(parentPort!, methods)
const context: WorkerContext = { parent, signal: stopping.signal, wish: workerData ?? {} }

function ready(): WorkerPool {
  requireInput(pool !== undefined, 'pool: must be loaded first, got none')
  return pool
}

async function use(loading: Promise<WorkerPool>): Promise<Loaded> {
  pool = await tracked(loading)
  return pool.loaded
}

/** The project in the main thread, as far as beginning and loading need it. */
function projectAt(path: string): Project {
  return new Proxy(parent, {
    get: (target, key) => (key === 'path' ? path : Reflect.get(target, key)),
  }) as unknown as Project
}

/** What is understood of a file. Nothing is drawn or written. */
export async function inspect(path: string, wishes: Wishes, signal: AbortSignal): Promise<Inspection> {
  const found = await stat(path).catch(() => undefined)
  requireInput(found?.isFile() ?? false, `${path}: must be a file, got nothing there`, 'Check the spelling of the path.')
  const file = await openFile(path, wishes, [], { signal })
  const { roles } = file
  return closing(file.table, async (table) => {
    const display = await displayOf(file, wishes.ignore)
    const answers = roles.find((role) => role.column.name === wishes.label) ?? roles.find((role) => looksLikeAnswers(role))
    return {
      path,
      bytes: found!.size,
      rows: table.rows,
      columns: roles.map((role) => ({
        name: role.column.name,
        role: role.role === 'score' ? 'ignored' : role.role, // the page begins projects that learn
        reason: role.reason,
        isShown: role.isShown,
        looksLikeAnswers: looksLikeAnswers(role),
        examples: role.column.examples.slice(0, 5).map((example) => example.slice(0, 200)),
      })),
      view: display.view,
      samples: display.view.kind === 'bitmap' ? await samplesOf(table, display) : [],
      classes: answers ? await classesIn(table, answers) : [],
      question: questionFor(roles, display.view.kind),
      project: projectNameFor(path),
    }
  })
}

/** A column of few values whose name says what it is for; it would give itself away if it were learned from. */
function looksLikeAnswers({ column: { name, distinct }, role }: ColumnRole): boolean {
  const isNamedSo = /^(?:label|labels|class|classes|target|y|truth|answer|answers|category|digit)$/i.test(name)
  return role === 'label' || (isNamedSo && distinct >= 2 && distinct <= mostClasses)
}

async function samplesOf(table: Table, display: PointDisplay): Promise<number[][]> {
  const rows = Array.from({ length: Math.min(12, table.rows) }, (_, k) => k)
  const picked = await table.pick(rows, display.cells)
  return picked.map((cells) => {
    const fields = Object.fromEntries(display.cells.map((name, j) => [name, cells[j] ?? '0']))
    return contentOf({ id: '', fields }, display).cells!
  })
}

async function classesIn(table: Table, { column }: ColumnRole): Promise<Class[]> {
  if (column.distinct > mostClasses) return []
  const values = [...new Set(await table.strings(column.name))].filter((value): value is string => value !== null && value !== '')
  const areNumbers = values.every((value) => Number.isFinite(Number(value)))
  return keyed(values.sort((a, b) => (areNumbers ? Number(a) - Number(b) : 0) || (a < b ? -1 : 1)).slice(0, mostClasses))
}

function questionFor(roles: Roles, kind: string): string {
  if (kind === 'image' || kind === 'bitmap') return 'What is this?'
  return roles.some(({ role, isShown }) => role === 'text' && isShown) ? 'What is this about?' : 'Which class is this?'
}
