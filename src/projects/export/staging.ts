import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { requireApart } from './output-file.ts'
import { refuseTo } from './write-failures.ts'

/**
 * Fills a directory all at once: everything is written beside it first, is on disk, and then moved. If anything fails the directory
 * stays as it was. Files that are there already under other names are left alone.
 */
export async function fillDirectory(
  directory: string,
  { force, inputs = [] }: { readonly force: boolean; readonly inputs?: readonly string[] },
  write: (folder: string) => Promise<void>,
): Promise<void> {
  await requireEmpty(directory, force)
  await mkdir(dirname(directory), { recursive: true }).catch(refuseTo(directory))
  await removeLeft(directory)
  const staging = await mkdtemp(`${directory}.part-${process.pid}-`).catch(refuseTo(directory))
  try {
    await write(staging)
    await moveAll(staging, directory, inputs)
  } catch (error) {
    refuseTo(directory)(error)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** What exports left that were killed. Those of processes that live are theirs. */
async function removeLeft(directory: string): Promise<void> {
  const parent = dirname(directory)
  const begins = `${basename(directory)}.part-`
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = name.startsWith(begins) ? /^(\d+)-\w{6}$/.exec(name.slice(begins.length))?.[1] : undefined
    if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // somebody else's
  }
}

async function requireEmpty(directory: string, force: boolean): Promise<void> {
  const found = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    return refuseTo(directory)(error)
  })
  requireInput(
    force || found.length === 0,
    `${directory}: a new or empty directory is required, got one with ${found.length} ${found.length === 1 ? 'file' : 'files'}`,
    'Choose another with --out, or replace what is there with --force.',
  )
}

async function moveAll(from: string, to: string, inputs: readonly string[]): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile())
  for (const entry of files) requireApart(join(to, relative(from, join(entry.parentPath, entry.name))), inputs, '--out')
  for (const entry of files) {
    const file = join(entry.parentPath, entry.name)
    await synced(file)
    const target = join(to, relative(from, file))
    await mkdir(dirname(target), { recursive: true })
    await rename(file, target)
    await synced(dirname(target)) // a rename is on disk when its directory is
  }
}

async function synced(path: string): Promise<void> {
  await closing(open(path, 'r'), (handle) => handle.sync())
}
