import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { requireInput } from '../core/errors.ts'
import { lockProject } from './sqlite-lock.ts'
import { requirePlain } from './sqlite-shape.ts'

export function projectPath(path: string): string {
  requireInput(path.endsWith('.alis'), `project: a name that ends in .alis is required, got ${path}`, `For example ${path}.alis.`)
  return resolve(path)
}

/** The file of a project that holds everything that must not be lost. */
export const recordIn = (directory: string): string => join(directory, 'project.sqlite')

/**
 * Makes the directory of a project around the file that `write` makes. The file is made under another name and renamed
 * when it is whole and on disk: a project is there or it is not, whenever the power goes.
 */
export async function makeProject(directory: string, write: (file: string) => void | Promise<void>): Promise<void> {
  const parent = dirname(directory)
  requireInput(isDirectory(parent), `project: the directory ${parent} must be there, got none`)
  requireInput(isDirectory(directory) || !existsSync(directory), `project: a directory is required, got the file ${directory}`)
  requireFree(directory)
  requirePlain(directory)
  mkdirSync(directory, { recursive: true })
  const lock = lockProject(directory)
  const unfinished = `${recordIn(directory)}.new`
  try {
    requireFree(directory) // no other process was quicker
    discard(unfinished) // what an attempt that was cut short left behind
    for (const part of ['pool', 'certificates']) mkdirSync(join(directory, part), { recursive: true })
    await write(unfinished)
    syncToDisk(unfinished)
    renameSync(unfinished, recordIn(directory))
    syncToDisk(directory) // a name is on disk only when its directory is
    syncToDisk(parent)
  } catch (error) {
    discard(unfinished)
    throw error
  } finally {
    lock.release()
  }
}

/** What models said that were fitted elsewhere: files that are whole and never change. */
export function copyScores(from: string, to: string): void {
  const names = isDirectory(join(from, 'scores')) ? readdirSync(join(from, 'scores')) : []
  if (names.length === 0) return
  const folder = join(to, 'scores')
  mkdirSync(folder, { recursive: true })
  for (const name of names.filter((each) => !each.endsWith('.part'))) {
    copyFileSync(join(from, 'scores', name), join(folder, name))
    syncToDisk(join(folder, name))
  }
  syncToDisk(folder)
}

function requireFree(directory: string): void {
  const isFree = !existsSync(recordIn(directory))
  requireInput(isFree, `project: a name that is not taken is required, got ${directory}`, 'Open it, or choose another name.')
}

function discard(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

function syncToDisk(path: string): void {
  if (isDirectory(path) && process.platform === 'win32') return // which writes names by itself, and opens no directory
  const handle = openSync(path, isDirectory(path) ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
