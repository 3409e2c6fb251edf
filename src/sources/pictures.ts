import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { closing } from '../core/closing.ts'
import { openZip } from './zip.ts'

export const isPicture = (name: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(name)

interface Picture {
  /** Below the folder or in the archive. */
  readonly name: string
  readonly bytes: number
}

const isHidden = (name: string) => name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

/** The pictures of a folder, or of a ZIP archive, with those of folders inside, by name. */
export async function picturesIn(path: string, isFolder: boolean): Promise<Picture[]> {
  const found = isFolder ? await picturesBelow(path) : await picturesPacked(path)
  return found.filter(({ name }) => isPicture(name) && !isHidden(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function picturesBelow(path: string): Promise<Picture[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && isPicture(entry.name))
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const full = join(parentPath, name)
      return { name: full.slice(path.replace(/[/\\]+$/, '').length + 1).replaceAll('\\', '/'), bytes: (await stat(full)).size }
    }),
  )
}

const picturesPacked = (path: string): Promise<Picture[]> =>
  closing(openZip(path), async ({ entries }) => [...entries.values()].map(({ name, bytes }) => ({ name, bytes })))

/**
 * A table of pictures: where each is, from the folder that holds theirs or the archive; the folder inside, where there are several; and
 * its size, which is all that is learned from without a model for pictures.
 */
export async function pictureTable(path: string, isFolder: boolean): Promise<string[][]> {
  const pictures = await picturesIn(path, isFolder)
  const folders = pictures.map(({ name }) => name.split('/').slice(0, -1).join('/'))
  const hasFolders = new Set(folders).size > 1
  const header = ['id', 'picture', ...(hasFolders ? ['folder'] : []), 'bytes']
  const rows = pictures.map(({ name, bytes }, k) => [
    name,
    `${basename(path)}/${name}`,
    ...(hasFolders ? [folders[k]!] : []),
    String(bytes),
  ])
  return [header, ...rows]
}
