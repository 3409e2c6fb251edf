// The page among the examples, bundled as people would: a file is dropped, points are labelled, and nothing is asked of anybody else.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bundled } from '../../scripts/bundle.js'
import { openPage } from './testing.ts'

const at = (name: string) => new URL(`../../examples/browser/${name}`, import.meta.url)

it('labels a CSV file in the browser, and says how good the model is', async () => {
  const script = await bundled(at('page.ts').pathname)
  const html = readFileSync(at('index.html'), 'utf8').replace('./page.ts', '/page.js')
  const page = await openPage({ '/': html, '/page.js': script })
  const rows = Array.from({ length: 40 }, (_, i) => `"a, ${i}",${i},${(i * 7) % 40}`)
  await page.setInputFiles('#file', {
    name: 'pool.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,size,weight', ...rows].join('\n')),
  })
  await expect.poll(() => page.locator('#point').innerText()).not.toBe('')
  for (let answer = 0; answer < 10; answer++) {
    const point = await page.locator('#point').innerText()
    expect(point).toMatch(/name\s+a, \d+\s+size\s+\d+\s+weight\s+\d+/)
    await page.getByRole('button', { name: Number(/size\s+(\d+)/.exec(point)![1]) < 20 ? 'no' : 'yes', exact: true }).click()
    await expect.poll(() => page.locator('#point').innerText()).not.toBe(point)
  }
  await expect
    .poll(() => page.locator('#now').innerText())
    .toMatch(/^10 labels: the model is wrong on about \d+ % of the others, surely between/)
  expect(await page.locator('#save a').getAttribute('href')).toMatch(/^data:text\/csv,row%2Clabel%0A\d+%2C(?:no|yes)/)
  expect(html).toContain("default-src 'none'") // and a request to elsewhere is a fault of any page that tests open
})
