import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { getMimeType, mimes } from 'hono/utils/mime'

/** Where the build puts the page, seen from the sources and from the build alike. */
const built = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

const views = new Set(['/', '/start', '/label', '/progress', '/certify', '/data'])

/** The page and its files, by their names in a list of the folder: no path of a request leads anywhere else. */
export function pageFiles(folder = built): Hono {
  let files = new Set<string>()
  const list = async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    files = new Set(paths.map((path) => `/${path.replaceAll('\\', '/')}`))
  }
  return new Hono().get('*', async (c) => {
    const { path } = c.req
    const isView = views.has(path) || /^\/certify\/[^/]+$/.test(path)
    const wanted = isView ? '/index.html' : path
    if (isView || !files.has(wanted)) await list()
    if (!files.has(wanted)) return isView ? c.text(notBuilt, 503) : c.text('Not found', 404)
    const body = await readFile(join(folder, wanted))
    const isNamedByContent = path.startsWith('/assets/')
    return c.body(body, 200, {
      'Content-Type': contentTypeOf(wanted),
      'Cache-Control': isNamedByContent ? 'private, max-age=31536000, immutable' : 'no-cache',
    })
  })
}

const notBuilt = `The page has not been built: dist/web is missing.

  npm run build

makes it. The API at /api/v1 works without it.
`

const types = { ...mimes, svg: 'image/svg+xml' } // of any encoding: XML says its own

export const contentTypeOf = (name: string): string => getMimeType(name, types) ?? 'application/octet-stream'
