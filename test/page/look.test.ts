import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digits } from '../digits.ts'
import { problems } from './axe.ts'
import { press, saved, shownPoint, wholeRound } from './labelling.ts'
import { freshDirectory, labelDigits } from './server.ts'
import { opened, served } from './testing.ts'

describe('axe finds nothing serious', () => {
  it('on Label, Progress, Certify, Data, and what stands between them', async () => {
    const server = await served(labelDigits('--start', '20', '--budget', '200'))
    const { page } = await opened(server)
    const found: string[] = []
    const look = async (where: string) => void found.push(...(await problems(page, where)))
    const go = (name: string) => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name }).click()
    const title = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()

    await shownPoint(page)
    await look('Label')
    await go('Progress')
    await title('Nothing to show yet.')
    await look('Progress, empty')
    await go('Label')
    await page.keyboard.press('g')
    await look('Guidelines')
    await page.keyboard.press('?')
    await look('Keys')
    await page.keyboard.press('Escape')
    await wholeRound(page)
    await wholeRound(page)
    await shownPoint(page)
    await page.keyboard.press('u')
    await go('Progress')
    await page.locator('figure svg').first().waitFor()
    await look('Progress')
    await page.getByText('How do we know?').click()
    for (const table of await page.getByText('Show as a table').all()) await table.click()
    await look('Progress, tables')

    await go('Data')
    await page.getByRole('table').waitFor()
    await page
      .getByRole('button', { name: /^Revise / })
      .last()
      .click()
    await look('Data, revising')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await look('Export')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: /^Predictions/ }).click()
    await page.getByText(/^By the model after round/).waitFor()
    await look('Predictions')

    await go('Certify')
    await page.getByText(/^About [\d,]+ answers|^Out of reach/).waitFor()
    await look('Certify')
    await page.getByText('Other numbers').click()
    await page.getByLabel('At most').fill('10')
    await look('Certify, all of it')
    await page.getByRole('button', { name: /^Keep the model/ }).click()
    await press(page, await shownPoint(page))
    await look('Audit')
    await saved(page)
    await page.getByRole('button', { name: 'Stop and write the certificate' }).click()
    await look('Stop?')
    await page.getByRole('button', { name: 'Write the certificate' }).click()
    await page.getByRole('article', { name: 'Certificate' }).waitFor()
    await look('Certificate')
    await go('Label')
    await title('This model is certified, and stays as it is.')
    await look('Certified')
    expect(found).toEqual([])
  })

  it('on Start, with everything open', async () => {
    const directory = freshDirectory()
    copyFileSync(digits, join(directory, 'digits.csv'))
    const { page } = await opened(await served(['label'], directory))
    const found: string[] = []
    const look = async (where: string) => {
      for (const closed of await page.locator('details:not([open]) > summary').all())
        if (await closed.isVisible()) await closed.click()
      found.push(...(await problems(page, where)))
    }
    await page.getByText('Drop a file here').waitFor()
    await look('Start')
    await page.getByLabel('The path of a file in this folder').fill('digits.csv')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByRole('heading', { name: 'Here is what was understood.' }).waitFor()
    await look('Understood')
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('button', { name: /^Predictions to check/ }).click()
    await page.getByRole('radio', { name: /^±5/ }).waitFor()
    await look('Audit')
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('Choose a file').setInputFiles({ name: 'mails.csv', mimeType: 'text/csv', buffer: Buffer.from(mails) })
    await page.getByLabel('Add answers, separated by commas').fill('Billing, Delivery, Technical, Cancellation,')
    await look('Understood, of mails')
    await page.getByRole('button', { name: 'Begin' }).click()
    await shownPoint(page)
    await look('Label, of mails')
    expect(found).toEqual([])
  })
})

/** Columns that are wide, and values that are long: what must not lie beside a phone. */
const mails = [
  'id,from,received,subject,body',
  ...Array.from(
    { length: 60 },
    (_, k) =>
      `m${k},person${k}@example.org,2026-03-0${1 + (k % 9)},Subscription and the last invoice ${k % 7},"${`A sentence about order ${k}. `.repeat(6)}"`,
  ),
].join('\n')

type Shift = PerformanceEntry & { readonly sources: readonly { readonly node: Node | null }[] }

describe('between two points', () => {
  it('nothing moves', async () => {
    const { page } = await opened(await served(labelDigits('--start', '30')))
    const first = await shownPoint(page)
    await press(page, first) // the list of last answers is there from now on
    await page.evaluate(() => {
      const moved: string[] = []
      Object.assign(globalThis, { moved })
      // Input explains a shift to the browser, not to the eye: all count but those of the list that grows at its top.
      const watch = new PerformanceObserver((list) => {
        const nodes = (list.getEntries() as Shift[]).flatMap(({ sources }) => sources.map(({ node }) => node))
        const elements = nodes.map((node) => (node instanceof Element ? node : node?.parentElement))
        for (const element of elements) if (!element?.closest('.last-ten')) moved.push(element?.outerHTML.slice(0, 100) ?? '?')
      })
      watch.observe({ type: 'layout-shift' })
    })
    const places = new Set<string>()
    for (let k = 0; k < 20; k++) {
      const boxes = ['.point', '.choices', '.actions', '.track'].map((name) => page.locator(name))
      places.add(JSON.stringify(await Promise.all(boxes.map((box) => box.boundingBox()))))
      await press(page, await shownPoint(page))
    }
    expect([...places], 'where everything was').toEqual([...places].slice(0, 1))
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([])
  })
})

it('keeps to the theme that was chosen', async () => {
  const server = await served(labelDigits())
  const { page } = await opened(server, { colorScheme: 'light' })
  await shownPoint(page)
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await paper()
  await page.getByRole('button', { name: 'Light or dark' }).click()
  const dark = await paper()
  expect(dark).not.toBe(light)
  await page.reload()
  await shownPoint(page)
  expect(await paper()).toBe(dark)
})
