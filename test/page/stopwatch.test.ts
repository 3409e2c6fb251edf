import { expect, it } from 'vitest'
import { record, type Shown, shown, shownPoint } from './labelling.ts'
import { opened, served } from './testing.ts'

const perAnswer = 4 // seconds that a person takes
const spam = (k: number) => (k * 7) % 5 < 2
const words = { true: ['prize', 'winner', 'free', 'offer'], false: ['meeting', 'invoice', 'thanks', 'tomorrow'] }
const mails = Array.from({ length: 400 }, (_, k) => {
  const own = words[`${spam(k)}`]
  return `m${k},"Hello, ${own[k % 4]} and ${own[(k * 3 + 1) % 4]}, number ${k % 17} of the week"`
})
const buffer = Buffer.from(['id,text', ...mails, ''].join('\n'))

it('from a file of 400 mails to a certificate of ±10 % within ten minutes, at four seconds an answer', async () => {
  const { page } = await opened(await served(['label']))
  const start = process.cpuUsage()
  await page.getByLabel('Choose a file').setInputFiles({ name: 'mails.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Add answers, separated by commas').fill('ham, spam,')
  await page.getByRole('button', { name: 'Begin' }).click()

  let answers = 0
  const answer = async (point: string) => {
    await page.keyboard.press(spam(Number(point.slice(1))) ? '2' : '1')
    answers++
    return shown(page, { point })
  }
  for (let now: Shown = { point: await shownPoint(page) }; answers < 40; )
    now = now.point === undefined ? await shown(page, now) : await answer(now.point)
  await page.getByRole('link', { name: 'Certify' }).click()
  await page.getByRole('radio', { name: /^±10 %/ }).check()
  await page.getByRole('button', { name: /^Keep the model, ask about/ }).click()
  const sheet = page.getByRole('article', { name: 'Certificate' })
  for (let now: Shown = { point: await shownPoint(page) }; !(await sheet.isVisible()); )
    now = now.point === undefined ? await shown(page, now) : await answer(now.point)

  const [certificate] = (await record.project(page)).certificates
  expect(certificate!.high! - certificate!.low!).toBeLessThanOrEqual(0.2)
  const { user, system } = process.cpuUsage(start)
  expect(perAnswer * answers + (user + system) / 1e6).toBeLessThan(600)
})
