import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** Where the build puts the page, seen from the sources and from the build alike. */
const folder = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

const views = new Set(['/', '/start', '/label', '/progress', '/certify', '/data'])

/** The page and its files: those that are there, by their names in a list, so that no path leads anywhere else. */
export function pageFiles(): Hono {
  let files = new Set<string>()
  const find = async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    files = new Set(found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => pathIn(parentPath, name)))
  }
  return new Hono().get('*', async (c) => {
    const { path } = c.req
    const isView = views.has(path) || /^\/certify\/[^/]+$/.test(path)
    const wanted = isView ? '/index.html' : path
    if (isView || !files.has(wanted)) await find()
    if (!files.has(wanted)) return isView ? c.text(notBuilt, 503) : c.text('Not found', 404)
    const body = await readFile(join(folder, wanted))
    const isNamedByContent = path.startsWith('/assets/')
    return c.body(body, 200, {
      'Content-Type': types[extname(wanted)] ?? 'application/octet-stream',
      'Cache-Control': isNamedByContent ? 'private, max-age=31536000, immutable' : 'no-cache',
    })
  })
}

const pathIn = (parent: string, name: string) => `/${join(parent, name).slice(folder.length).replaceAll('\\', '/')}`

const notBuilt = `The page has not been built: dist/web is missing.

  npm run build

makes it. The API at /api/v1 works without it.
`
