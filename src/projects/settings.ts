import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { requireInput } from '../core/errors.ts'
import type { StepWish } from '../core/feature-blocks.ts'
import { addressText, isClickHouse, parseAddress } from '../engines/clickhouse/address.ts'
import type { Wishes } from '../features/roles.ts'
import type { LearnerName } from '../learners/catalogue.ts'
import type { LossName } from '../losses/catalogue.ts'
import { joinedHash } from '../sources/joined-table.ts'
import { isRemote } from '../sources/remote.ts'
import type { Table } from '../sources/table.ts'
import type { OpenOptions, Project, ProjectOptions } from '../stores/project.ts'
import { confirmServer, requireConfirmed } from './confirmed-servers.ts'
import type { SpokenData } from './load-pool.ts'
import type { PoolWish } from './pools/engine-choice.ts'
import type { Bits, DataOptions, LoadedData, Loading, PoolData } from './pools/pool-data.ts'

export interface PoolFile {
  readonly path: string
  readonly hash: string
}

export interface AddedFile extends PoolFile {
  /** Points of the pool from then on. */
  readonly poolSize: number
}

/** What a project is about: written when it begins, and the same for good. */
export interface Settings {
  readonly pool: PoolFile
  /** Files whose points joined the pool later; a fact of their own on record. */
  readonly added: readonly AddedFile[]
  readonly wishes: Wishes
  readonly positive?: string
  readonly classes: readonly string[]
  /** A share of the rows, or a file, set aside to test on. */
  readonly test?: number | string
  readonly seed: number
  readonly seedChosen: boolean
  readonly strategy: string
  readonly loss: LossName
  readonly l2: number
  readonly start: number
  readonly batch: number
  readonly weighting?: number
  /** Of strategy alis: the share that is drawn uniformly. */
  readonly know?: number
  readonly delta: number
  /** Bits of a feature where chances are made from it; 32 if left out. */
  readonly bits?: Bits
  /** What fits models; the plain one if left out. */
  readonly learner?: LearnerName
  /** Further features that were wished for. */
  readonly steps?: StepWish
}

/** Whether a project is there: a directory alone may be what a process that was killed left behind. */
const isThere = (path: string): boolean => existsSync(join(path, 'project.sqlite'))

/** The project at a path, made if there is none yet. SQLite is loaded only where there is a project. */
export async function openOrCreate(path: string, options: ProjectOptions = {}): Promise<Project> {
  const { createProject, openProject } = await import('../stores/sqlite.ts')
  return isThere(path) ? openProject(path, options) : createProject(path, options)
}

const open = async (path: string, options: OpenOptions) => (await import('../stores/sqlite.ts')).openProject(path, options)

/** A project that is there already, to go on with. */
export const openToWrite = (path: string, options: ProjectOptions = {}): Promise<Project> => open(path, options)

/** The project at a path to go on with, if there is one. */
export const openIfThere = async (path: string) => (isThere(path) ? openToWrite(path) : undefined)

/** A project to look at, also while another process works on it. */
export const openToRead = (path: string): Promise<Project> => open(path, { mode: 'read' })

/** The same, if there is one. */
export const lookIfThere = async (path: string) => (isThere(path) ? openToRead(path) : undefined)

/** Whether a project measures predictions from elsewhere. */
export const isAudit = async (project: Project): Promise<boolean> => (await project.recall('audit')) !== undefined

/** A project learns or audits: a record of both would be of neither. */
export async function requireLearning(project: Project): Promise<void> {
  requireInput(
    !(await isAudit(project)),
    `${project.path}: must be a project that learns, got one that audits`,
    'Begin another project.',
  )
}

export async function settingsOf(project: Project): Promise<Settings> {
  await requireLearning(project)
  const settings = await knownSettings(project)
  requireInput(
    settings !== undefined,
    `${project.path}: must have a pool, got an empty project`,
    'alis run <pool> --project NAME.alis begins one.',
  )
  return settings
}

/** What a project that has begun is about. */
export async function knownSettings(project: Project): Promise<Settings | undefined> {
  const settings = await project.recall<Omit<Settings, 'added'>>('settings')
  return settings && { ...settings, added: (await project.recall<AddedFile[]>('added')) ?? [] }
}

/** Why the rows of a pool cannot be gone through in the order of a file; undefined where they can. */
export function rowless({ pool, wishes }: Pick<Settings, 'pool' | 'wishes'>): string | undefined {
  if (isClickHouse(pool.path)) return 'a table on ClickHouse'
  if (wishes.elsewhere) return 'a model that is fitted elsewhere'
  return wishes.scores && 'scores in columns that are refreshed'
}

/** The pool of a project in memory, as its draws were made from it. */
export async function dataOf(project: Pick<Project, 'path'>, settings: Settings, loading?: Loading): Promise<LoadedData> {
  const why = rowless(settings)
  requireInput(
    why === undefined,
    `${project.path}: a pool in files that is learned from is required to import, got ${why}`,
    'Labels that are there already are given to the first run: --given.',
  )
  const [path, options, seed] = openingOf(settings)
  requireServers(project, settings)
  const { loadData } = await import('./pools/memory.ts')
  const data = await loadData(path, options, seed, { ...loading, folder: poolFolder(project) })
  await requireSamePool(project, settings, data.file.table)
  return data
}

/** The folder of what can be made again: features. */
export const poolFolder = ({ path }: Pick<Project, 'path'>) => join(path, 'pool')

/** The folder of what models said that were fitted elsewhere: it cannot be made again. */
export const scoresFolder = ({ path }: Pick<Project, 'path'>) => join(path, 'scores')

/** The same, wherever it lies best. */
export async function poolOf(
  project: Pick<Project, 'path'>,
  settings: Settings,
  loading?: Loading,
  wish?: PoolWish,
): Promise<SpokenData> {
  const [path, options, seed] = openingOf(settings)
  requireServers(project, settings)
  const { loadPool } = await import('./load-pool.ts') // and all engines: only where a pool is opened
  const data = await loadPool(path, options, seed, { ...loading, scores: scoresFolder(project) }, wish)
  await requireSamePool(project, settings, { hash: data.file.table.hash, close: data.close })
  return data
}

function openingOf(settings: Settings): [string, DataOptions, number] {
  const { pool, added, wishes, positive, classes, test, seed, bits, steps } = settings
  const options = { ...wishes, positive, classes, test, bits, steps, added: added.map(({ path }) => path) }
  return [pool.path, options, seed]
}

/** Refuses to ask a server for the pool, or for what was added to it, that only the project names. */
function requireServers(project: Pick<Project, 'path'>, { pool, added }: Settings): void {
  for (const { path } of [pool, ...added]) requireConfirmed(project.path, path)
}

/** Writes down what a project is about, or checks that it still is. */
export async function keepSettings(project: Project, settings: Settings, { recipe, file }: PoolData): Promise<void> {
  confirmServer(project.path, settings.pool.path) // just named, and not by the project
  const known = await knownSettings(project)
  if (known) return requireSamePool(project, known, file.table)
  const { added: _, ...begun } = settings
  await project.remember('settings', begun)
  await project.remember('recipe', recipe)
  await project.event('begun', { pool: settings.pool.path })
}

/** Points and features must be those that the draws on record were made from. Closes a table that is another. */
export async function requireSamePool(
  { path }: Pick<Project, 'path'>,
  { pool, added }: Settings,
  table: Pick<Table, 'hash' | 'close'>,
): Promise<void> {
  const hash = joinedHash([pool, ...added])
  if (hash !== table.hash) await table.close()
  const files = [pool, ...added].map((file) => file.path).join(', ')
  requireInput(
    hash === table.hash,
    `${path}: the pool must be as it was when the project began, ${hash.slice(0, 19)}…, got ${table.hash.slice(0, 19)}…`,
    `The draws on record are about ${files} as it was. Put that file back, or begin another project.`,
  )
}

/** A path that holds wherever one is, or an address in one spelling. */
export const absolute = (path: string): string =>
  isClickHouse(path) ? addressText(parseAddress(path)) : isRemote(path) ? path : resolve(path)
