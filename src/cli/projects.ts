import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { requireInput } from '../core/errors.ts'
import type { Wishes } from '../features/roles.ts'
import type { Project } from '../stores/project.ts'
import type { LossName } from './learners.ts'
import { type LoadedData, loadData } from './session.ts'

/** What a project is about: written when it begins, and the same for good. */
export interface Settings {
  readonly pool: { readonly path: string; readonly hash: string }
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
  readonly delta: number
}

/** The project at a path, made if there is none yet. SQLite is loaded only where there is a project. */
export async function openOrCreate(path: string): Promise<Project> {
  const { createProject, openProject } = await import('../stores/sqlite.ts')
  return existsSync(path) ? openProject(path) : createProject(path)
}

/** A project that is there already, to go on with. */
export async function openToWrite(path: string): Promise<Project> {
  const { openProject } = await import('../stores/sqlite.ts')
  return openProject(path)
}

/** A project to look at, also while somebody else works on it. */
export async function openToRead(path: string): Promise<Project> {
  const { openProject } = await import('../stores/sqlite.ts')
  return openProject(path, { mode: 'read' })
}

export async function settingsOf(project: Project): Promise<Settings> {
  const settings = await project.recall<Settings>('settings')
  requireInput(
    settings !== undefined,
    `${project.path}: must have a pool, got an empty project`,
    'alis run <pool> --project NAME.alis begins one.',
  )
  return settings
}

/** The pool of a project, as it was read when it began. */
export function dataOf({ pool, wishes, positive, classes, test, seed }: Settings): Promise<LoadedData> {
  return loadData(pool.path, { ...wishes, positive, classes, test }, seed)
}

/** Writes down what a project is about, or checks that it still is. */
export async function keepSettings(project: Project, settings: Settings, { recipe, file }: LoadedData): Promise<void> {
  const known = await project.recall<Settings>('settings')
  if (known) return requireSamePool(project, known, file.table.hash)
  await project.remember('settings', settings)
  await project.remember('recipe', recipe)
  await project.event('begun', { pool: settings.pool.path })
}

/** Points and features must be those that the draws on record were made from. */
export function requireSamePool({ path }: Pick<Project, 'path'>, { pool }: Settings, hash: string): void {
  requireInput(
    pool.hash === hash,
    `${path}: the pool must be as it was when the project began, ${pool.hash.slice(0, 19)}…, got ${hash.slice(0, 19)}…`,
    `The draws on record are about ${pool.path} as it was. Put that file back, or begin another project.`,
  )
}

export const absolute = (path: string): string => resolve(path)
