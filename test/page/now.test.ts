import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { digits, truth } from '../digits.ts'
import { alisHere } from '../in-process.ts'
import { problems } from './axe.ts'
import { press, record, saved, shownPoint, wholeRound } from './labelling.ts'
import { freshDirectory, labelDigits } from './server.ts'
import { opened, served } from './testing.ts'

const strip = (page: Page) => page.getByRole('region', { name: 'How good the model is now' })
const textOf = async (part: Locator) => ((await part.textContent()) ?? '').replace(/\s+/g, ' ')
const words = (page: Page) => textOf(strip(page).locator('p').first())
const band = (page: Page) => page.getByRole('slider', { name: 'How wrong, by answers' })
const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name, exact: true }).click()
const sentence =
  /^Right now the model is wrong on about [\d.]+ % of the [\d,]+ pictures nobody has answered yet, surely between [\d.]+ % and [\d.]+ %\.$/

/** A project of so many answers, made by the command, and a page on it. */
async function after(answers: number, ...more: string[]) {
  const directory = freshDirectory()
  const made = ['run', digits, '--project', 'digits.alis', '--label', 'digit', '--seed', '7', '--start', '50', '--batch', '50']
  const { code, stderr } = await alisHere([...made, '--budget', `${answers}`, '--learner', 'linear', '--quiet', ...more], {
    cwd: directory,
  })
  expect(code, stderr).toBe(0)
  return served(['label', '--project', 'digits.alis'], directory)
}

it('the strip says what is known, from the first answer on', async () => {
  const { page } = await opened(await served(labelDigits('--start', '50', '--batch', '50', '--budget', '150')))
  await shownPoint(page)
  expect(await words(page)).toBe('No range yet: too early for a guarantee. The first one stands here at 100 answers.')
  await page.keyboard.press('h')
  await page.getByRole('complementary', { name: 'How do we know?' }).getByText('Pictures are drawn by lot.').waitFor()
  await page.keyboard.press('Escape')

  await wholeRound(page)
  await shownPoint(page)
  expect(await words(page)).toMatch(/^No range yet: too early/) // there is a model, and nothing was drawn with it yet
  await go(page, 'Progress')
  await page.getByRole('heading', { name: 'Nothing to show yet.' }).waitFor()
  await go(page, 'Label')

  await wholeRound(page)
  await shownPoint(page)
  await expect.poll(() => words(page)).toMatch(sentence)
  await go(page, 'Progress')
  await band(page).waitFor()
  expect(await textOf(page.locator('h1'))).toMatch(/surely between/)
})

it('below 100 answers there is an estimate, and no guarantee', async () => {
  const directory = freshDirectory()
  const made = ['run', digits, '--project', 'digits.alis', '--label', 'digit', '--seed', '7', '--budget', '50', '--quiet']
  expect(await alisHere(made, { cwd: directory })).toMatchObject({ code: 0 })
  const { page } = await opened(await served(['label', '--project', 'digits.alis'], directory))
  await shownPoint(page)
  expect(await words(page)).toMatch(
    /^Right now the model is wrong on about [\d.]+ % of the 1,747 pictures nobody has answered yet\. Too early for a guarantee: the first range stands here at 100 answers\.$/,
  )
  expect(await strip(page).getByRole('button', { name: 'surely' }).count()).toBe(0)
  await go(page, 'Progress')
  await page.getByText('too early to guess').first().waitFor()
})

it('a strategy that picks has no range, and says why', async () => {
  const { page } = await opened(await after(100, '--strategy', 'uncertainty'))
  await shownPoint(page)
  expect(await words(page)).toBe('No range: these were not drawn by lot.')
  await strip(page).getByRole('button', { name: 'How do we know?' }).click()
  await page.getByText('The pictures to answer are picked, not drawn by lot').waitFor()
})

it('is shown at once after a reload, read by keyboard and pointer, and recomputed when an answer is revised', async () => {
  const server = await after(300)
  const { page } = await opened(server)
  await shownPoint(page)
  await expect.poll(() => words(page)).toMatch(sentence)
  const before = await words(page)
  await page.reload()
  await shownPoint(page)
  expect(await words(page)).toBe(before)
  expect(await textOf(strip(page).locator('.now-next'))).toMatch(/^A guess: [\d,]+( to [\d,]+)? more answers to ±\d+ %, about /)

  // Progress: the same sentence, its band, and every look in it.
  await go(page, 'Progress')
  await band(page).waitFor()
  expect(await textOf(page.locator('h1'))).toBe(before)
  const { looks } = (await record.project(page)).now!
  expect(looks.map(({ answers }) => answers)).toEqual([100, 150, 200, 250, 300])
  await band(page).focus()
  expect(await band(page).getAttribute('aria-valuetext')).toMatch(/^300 answers: about /)
  await page.keyboard.press('Home')
  expect(await band(page).getAttribute('aria-valuetext')).toMatch(/^100 answers: about .*surely between/)
  await page.keyboard.press('ArrowRight')
  await page.getByText(/^150 answers: about /).waitFor()
  const box = (await band(page).boundingBox())!
  await page.mouse.move(box.x + 5, box.y + 50)
  await page.getByText(/^100 answers: about /).waitFor()
  await page.mouse.move(0, 0)
  await page.getByText('Show as a table').first().click()
  expect(await page.getByRole('row', { name: /^\d+ \d/ }).count()).toBe(5)
  await page.getByRole('button', { name: 'surely' }).click()
  await page.getByRole('heading', { name: 'What each round says by itself' }).waitFor()
  expect(await problems(page)).toEqual([])

  // Six answers of the last round but one turn out wrong.
  const now = (await record.project(page)).now!
  const revised = Object.keys(await record.labels(page, 4)).slice(0, 6)
  expect(revised).toHaveLength(6)
  for (const id of revised) await revise(page, server.origin, id)
  await expect.poll(async () => (await record.project(page)).now).toMatchObject({ isBehind: false })
  const again = (await record.project(page)).now!
  expect(again.looks).toHaveLength(5)
  expect(again.looks.at(-1)).not.toMatchObject({ value: now.looks.at(-1)!.value })
  expect(again.looks.map(({ isRevised }) => isRevised)).toEqual([false, false, false, true, false])
  await go(page, 'Label')
  await shownPoint(page)
  expect(await words(page)).toMatch(sentence)
  expect(await problems(page)).toEqual([])
})

/** Gives another answer under Data. */
async function revise(page: Page, origin: string, id: string): Promise<void> {
  await page.goto(`${origin}/data`)
  await page.getByRole('searchbox').fill(id)
  await page.getByRole('button', { name: `Revise ${id}` }).click()
  await page.getByText('is closed. The new answer becomes a new fact').waitFor()
  await page.keyboard.press(truth.get(id) === '4' ? '6' : '4')
  await page
    .getByRole('row', { name: new RegExp(id) })
    .getByText('revised', { exact: true })
    .waitFor()
}

it('once a model is certified, says which number is about which model', async () => {
  const server = await after(100)
  const { page } = await opened(server)
  await shownPoint(page)
  await go(page, 'Certify')
  await page.getByRole('button', { name: /^Keep the model/ }).click()
  for (let k = 0; k < 10; k++) await press(page, await shownPoint(page))
  await saved(page)
  await page.getByRole('button', { name: 'Stop and write the certificate' }).click()
  await page.getByRole('button', { name: 'Write the certificate' }).click()
  await page.getByRole('article', { name: 'Certificate' }).waitFor()
  await go(page, 'Progress')
  await expect
    .poll(() => textOf(page.locator('h1')))
    .toMatch(
      /^The certified model is wrong on about [\d.]+ % of the [\d,]+ pictures nobody had answered or been asked about, surely between/,
    )
  await page.getByRole('link', { name: 'See the certificate' }).waitFor()
  expect((await record.project(page)).certificates[0]).toMatchObject({ after: 2 })
})
