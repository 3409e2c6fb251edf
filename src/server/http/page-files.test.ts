import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDirectory } from '../../../test/endings.ts'
import { pageFiles } from './page-files.ts'

function builtPage() {
  const folder = join(freshDirectory(), 'web/')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), 'the page')
  writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets/main-1a.js'), 'script')
  writeFileSync(join(folder, '../secret.js'), 'secret')
  return { folder, app: pageFiles(folder) }
}

describe('the page', () => {
  it.each(['/', '/start', '/label', '/progress', '/certify', '/certify/sha256:1', '/data'])('is what %s shows', async (path) => {
    const reply = await builtPage().app.request(path)
    expect([reply.status, await reply.text()]).toEqual([200, 'the page'])
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
  })

  it('has files, of which those named by their content are kept by browsers', async () => {
    const { app } = builtPage()
    const script = await app.request('/assets/main-1a.js')
    expect(await script.text()).toBe('script')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    const icon = await app.request('/icon.svg')
    expect(icon.headers.get('content-type')).toBe('image/svg+xml')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
  })

  it.each([
    '/secret.js',
    '/../secret.js',
    '/..%2fsecret.js',
    '/assets/../../secret.js',
    '/assets',
    '/certify/a/b',
    '/nothing',
    '//',
  ])('has nothing at %s', async (path) => {
    const reply = await builtPage().app.request(`http://here${path}`)
    expect([reply.status, await reply.text()]).toEqual([404, 'Not found'])
  })

  it('follows no link out of its folder', async () => {
    const { folder, app } = builtPage()
    symlinkSync(join(folder, '../secret.js'), join(folder, 'link.js'))
    expect((await app.request('/link.js')).status).toBe(404)
  })

  it('is found when it is built while the server runs', async () => {
    const { folder, app } = builtPage()
    expect((await app.request('/late.js')).status).toBe(404)
    writeFileSync(join(folder, 'late.js'), 'late')
    expect(await (await app.request('/late.js')).text()).toBe('late')
  })

  it('says how to build it where it is not', async () => {
    const reply = await pageFiles(join(freshDirectory(), 'nothing/')).request('/label')
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('npm run build')])
  })
})
