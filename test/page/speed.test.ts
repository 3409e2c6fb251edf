import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { record, saved, shownPoint } from './labelling.ts'
import { labelDigits } from './server.ts'
import { keyToPaint } from './speed.ts'
import { opened, served } from './testing.ts'

it('paints the next point after every key, fifty times', async () => {
  const { page } = await opened(await served(labelDigits('--start', '55')))
  expect(await keyToPaint(page, 50)).toHaveLength(50) // a bench says how fast: npm run bench:page
  await saved(page)
  expect((await record.project(page)).answers).toBe(50)
})

it('is small before it draws plots', async () => {
  const server = await served(labelDigits())
  const { page } = await opened(server)
  await shownPoint(page)
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  })
  await page.reload()
  await shownPoint(page)
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0)
  expect(bytes).toBeGreaterThan(30_000) // so much that they were counted at all
  expect(bytes).toBeLessThanOrEqual(150_000)
})
