import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { closing } from '../../core/closing.ts'
import { AlisError } from '../../core/errors.ts'
import type { ColumnModel } from '../../core/model.ts'

/** What is known of a model whose scores are kept in a file of their own. */
export interface KeptScores {
  /** The identity of the labels that it was fitted to. */
  readonly labels: string
  readonly model: ColumnModel
}

/** A folder with the scores of every model: a Parquet file each, and beside it whose they are. */
export interface ScoresFolder {
  find(isWanted: (kept: KeptScores) => boolean): Promise<(KeptScores & { readonly path: string }) | undefined>
  /** Has the file written, and puts it on record: both are on disk when this resolves. */
  keep(kept: KeptScores, write: (path: string) => Promise<void>): Promise<void>
}

const nameOf = ({ labels }: Pick<KeptScores, 'labels'>) => labels.replace('sha256:', '').slice(0, 32)

export function scoresFolder(folder: string): ScoresFolder {
  let known: Promise<KeptScores[]> | undefined
  return {
    async find(isWanted) {
      known ??= readAll(folder)
      const found = (await known).find(isWanted)
      return found && { ...found, path: join(folder, `${nameOf(found)}.parquet`) }
    },
    async keep(kept, write) {
      known ??= readAll(folder)
      const all = await known
      const path = join(folder, nameOf(kept))
      try {
        await mkdir(folder, { recursive: true })
        await atOnce(`${path}.parquet`, write)
        await atOnce(`${path}.json`, (part) =>
          closing(open(part, 'w'), (handle) => handle.writeFile(`${JSON.stringify(kept)}\n`)),
        )
        await synced(folder) // names are on disk when their folder is
      } catch (error) {
        if (error instanceof AlisError) throw error
        const got = (error as Error).message.split('\n')[0]
        throw new AlisError('store-failed', `${folder}: must be a place to write scores to, got "${got}"`, undefined, {
          cause: error,
        })
      }
      all.push(kept)
    },
  }
}

async function readAll(folder: string): Promise<KeptScores[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as KeptScores))
}

/** Under another name until it is whole and on disk. */
async function atOnce(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}.part`
  await write(part)
  await synced(part)
  await rename(part, path)
}

async function synced(path: string): Promise<void> {
  await closing(open(path, 'r'), (handle) => handle.sync())
}
