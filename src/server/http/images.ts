import { open, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { closing } from '../../core/closing.ts'
import { isPicture } from '../../sources/pictures.ts'
import { openZip } from '../../sources/zip.ts'
import { Refusal } from '../failures.ts'
import type { Session } from '../session/session.ts'
import { contentTypeOf } from './page-files.ts'

const mostBytes = 50_000_000

/** The picture a point names: a file of a known kind that lies below the directory of its pool, links followed. */
export async function imageOf(session: Session, id: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const missing = () =>
    new Refusal(404, 'not-found', `image: a picture below the directory of the pool is required for ${id}, got none`)
  const { view, directory } = session.loaded() ?? {}
  if (view?.kind !== 'image' || directory === undefined) throw missing()
  const [fields] = await session.worker().fields([id])
  const cell = fields?.[view.column]?.trim()
  if (!cell || !isPicture(cell)) throw missing()
  const { file: name, inside } = placeOf(cell)
  const [root, path] = await Promise.all([realpath(directory), realpath(resolve(directory, name))]).catch(() => {
    throw missing()
  })
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) throw missing()
  if (inside !== undefined) return { bytes: await packedPicture(path, inside, missing), type: contentTypeOf(cell) }
  if (!isPicture(path)) throw missing()
  const file = await open(path, 'r')
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > mostBytes) throw missing()
    return { bytes: new Uint8Array(await file.readFile()), type: contentTypeOf(cell) }
  } finally {
    await file.close()
  }
}

/** A picture in an archive is named like one in a folder: photos.zip/cats/1.png. */
function placeOf(cell: string): { readonly file: string; readonly inside?: string } {
  const [, file, inside] = /^(.*?\.zip)\/(.+)$/i.exec(cell) ?? []
  return file === undefined || inside === undefined ? { file: cell } : { file, inside }
}

async function packedPicture(path: string, inside: string, missing: () => Refusal): Promise<Uint8Array<ArrayBuffer>> {
  if (!/\.zip$/i.test(path)) throw missing()
  return closing(openZip(path), async (zip) => {
    const entry = zip.entries.get(inside)
    if (!entry || entry.bytes > mostBytes) throw missing()
    return new Uint8Array(await zip.read(entry))
  })
}
