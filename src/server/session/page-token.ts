import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The secret of a project's page: the same after a restart, so that an open page goes on. Only its owner may read the file. */
export async function pageToken(project: string, fresh: string): Promise<string> {
  const path = join(project, 'page.token')
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined && /^[\w-]{43}$/.test(known)) {
    await chmod(path, 0o600)
    return known
  }
  await rm(path, { force: true }) // written over, it would keep the mode it has
  await writeFile(path, fresh, { mode: 0o600 })
  return fresh
}
