import { open, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { Refusal } from '../failures.ts'
import type { Session } from '../session/session.ts'
import { contentTypeOf } from './page-files.ts'

const isPicture = (path: string) => /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(path)
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
  const [root, path] = await Promise.all([realpath(directory), realpath(resolve(directory, cell))]).catch(() => {
    throw missing()
  })
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep) || !isPicture(path)) throw missing()
  const file = await open(path, 'r')
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > mostBytes) throw missing()
    return { bytes: new Uint8Array(await file.readFile()), type: contentTypeOf(cell) }
  } finally {
    await file.close()
  }
}
