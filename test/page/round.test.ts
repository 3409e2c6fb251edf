import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { counted } from '../../src/text/wording.ts'
import { truth } from '../digits.ts'
import { answerByKey, press, record, type Shown, saved, shown, shownPoint, truths } from './labelling.ts'
import { labelDigits, type Server } from './server.ts'
import { opened, served } from './testing.ts'

let server: Server
beforeAll(async () => {
  server = await served(labelDigits())
})

const said = (page: Page, words: string) => page.locator('[aria-live=polite]', { hasText: words }).waitFor({ state: 'attached' })
const hasFocus = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

describe('a round', () => {
  it('goes by keyboard alone, from the first point to the next round', async () => {
    const { page } = await opened(server)
    await shownPoint(page)
    const { round, number, before, points } = await record.round(page)
    const ids = points.map(({ id }) => id)

    let now = await shown(page)
    for (const [k, id] of ids.entries()) {
      expect(now).toEqual({ point: id }) // draw order
      now = await press(page, id)
      if (k === ids.length - 1) break
      await said(page, `${truth.get(id)}. ${counted(before + k + 1, 'answer')}.`)
      expect(await hasFocus(page)).toBe(`Point ${ids[k + 1]}`)
    }
    const first = await shownPoint(page) // the next ones follow by themselves
    expect(await record.labels(page, round)).toEqual(truths(ids))
    expect((await record.round(page)).points[0]!.id).toBe(first)
    expect((await record.project(page)).rounds.at(-1)).toMatchObject({ number, answers: ids.length })
  })

  it('goes by pointer alone', async () => {
    const { page } = await opened(server)
    await shownPoint(page)
    const { round, points } = await record.round(page)
    const ids = points.map(({ id }) => id)
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click()

    await click('5')
    await shown(page, { point: ids[0]! })
    await click('Undo')
    expect(await shown(page, { point: ids[1]! })).toEqual({ point: ids[0] })
    await click('Later')
    await shown(page, { point: ids[0]! })
    await click('Cannot tell')
    for (let now = await shown(page, { point: ids[1]! }); ids.includes(now.point ?? ''); now = await shown(page, now))
      await click(truth.get(now.point!)!)
    expect(await record.labels(page, round)).toEqual({ ...truths(ids), [ids[1]!]: null })
  })

  it('goes by thumb on a narrow screen, with everything in reach', async () => {
    const { page } = await opened(server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    let now: Shown = { point: await shownPoint(page) }
    const { round, points } = await record.round(page)
    const choice = (name: string) => page.getByRole('button', { name, exact: true })

    for (const name of [...'0123456789', 'Undo', 'Later', 'Cannot tell']) {
      const box = (await choice(name).boundingBox())!
      expect(Math.min(box.width, box.height), name).toBeGreaterThanOrEqual(44)
      expect(box.y + box.height, name).toBeLessThanOrEqual(844)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    while (points.some(({ id }) => id === now.point)) {
      await choice(truth.get(now.point!)!).tap()
      now = await shown(page, now)
    }
    expect(await record.labels(page, round)).toEqual(truths(points.map(({ id }) => id)))
    const list = page.getByRole('button', { name: 'Last answers' })
    await list.tap()
    expect(await page.locator('.last-ten li').count()).toBe(10)
    await page.getByRole('heading', { name: 'How wrong, by answers' }).waitFor()
    await list.tap()
    await page.locator('.last-ten').waitFor({ state: 'hidden' })
  })

  it('can be undone, put off, and left open where nobody can tell', async () => {
    const { page } = await opened(server)
    await shownPoint(page)
    const { round, number, before, points } = await record.round(page)
    const [a, b, c] = points.map(({ id }) => id) as [string, string, string]
    const n = points.length

    await page.keyboard.press('0')
    await page.keyboard.press('1')
    await said(page, `1. ${before + 2} answers.`)
    await page.keyboard.press('Backspace')
    await said(page, `Undone. ${before + 1} answers.`)
    await page.keyboard.press('ControlOrMeta+z')
    await said(page, `Undone. ${before} answers.`)
    expect(await shownPoint(page)).toBe(a)
    await saved(page)
    expect(await record.labels(page, round)).toEqual({})

    await page.keyboard.press('Space')
    await said(page, 'Later, at the end of these.')
    expect(await shownPoint(page)).toBe(b)
    await page.keyboard.press('u')
    await said(page, `Cannot tell. ${before + 1} answers.`)
    const last = await answerByKey(page, n - 2)
    expect(last).toEqual({ point: a }) // put off: the last of the round

    await press(page, a)
    const next = { point: await shownPoint(page) } // of the next round
    expect(await record.labels(page, round)).toEqual({ ...truths(points.map(({ id }) => id)), [b]: null })

    // The round is closed now: what undo opens is a revision.
    await page.keyboard.press('Backspace')
    expect(await shown(page, next)).toEqual({ point: a })
    await page.getByText(`Round ${number} is closed. The new answer becomes a new fact`).waitFor()
    const other = truth.get(a) === '3' ? '5' : '3'
    await page.keyboard.press(other)
    expect(await shown(page, { point: a })).toEqual(next)
    await saved(page)
    expect(await record.labels(page, round)).toMatchObject({ [a]: other, [c]: truth.get(c) })
  })
})

describe('keys', () => {
  it('that are held count once', async () => {
    const { page } = await opened(server)
    await shownPoint(page)
    const { before, points } = await record.round(page)
    for (let k = 0; k < 5; k++) await page.keyboard.down('8') // the second and later ones are repeats
    await page.keyboard.up('8')
    await said(page, `8. ${before + 1} answers.`)
    expect(await shownPoint(page)).toBe(points[1]!.id)
    await page.keyboard.press('Backspace')
    expect(await shownPoint(page)).toBe(points[0]!.id)
    await saved(page)
  })

  it('can be switched off, and are not printed then', async () => {
    const { page } = await opened(server)
    const point = await shownPoint(page)
    const unknown = page.getByRole('button', { name: 'Cannot tell' })
    expect(await unknown.locator('kbd').count()).toBe(1)
    await page.keyboard.press('?')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('complementary', { name: 'Keys' }).count()).toBe(0)
    expect(await unknown.locator('kbd').count()).toBe(0)
    for (const key of ['3', 'u', 'Space', 'g', '?']) await page.keyboard.press(key)
    expect(await shown(page)).toEqual({ point })
    expect(await page.locator('.panel').count()).toBe(0)

    await page.getByRole('button', { name: 'All keys' }).click()
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    expect(await hasFocus(page)).toBe(`Point ${point}`)
    await page.keyboard.press('3')
    expect(await shown(page, { point })).not.toEqual({ point })
    await page.keyboard.press('Backspace')
    await saved(page)
  })

  it('open and close the panels beside the point, which stays where the focus is', async () => {
    const { page } = await opened(server)
    const point = await shownPoint(page)
    for (const [key, name] of [
      ['g', 'Guidelines'],
      ['?', 'Keys'],
    ] as const) {
      const panel = page.getByRole('complementary', { name, exact: true })
      await page.keyboard.press(key)
      await panel.waitFor()
      expect(await shown(page)).toEqual({ point })
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      expect(await hasFocus(page)).toBe(`Point ${point}`)
    }
    const list = page.getByRole('heading', { name: 'Last answers' })
    await page.keyboard.press('p')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('p')
    await list.waitFor()
  })
})
