// Makes the pictures of the README and the docs anew: `npm run pictures`. The digits and a sample of predictions with fixed seeds, answered by the truth.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digits } from '../test/digits.ts'
import { launch, visit } from '../test/page/browser.ts'
import { answerByKey, press, saved, shown, shownPoint, wholeRound } from '../test/page/labelling.ts'
import { labelDigits, startServer } from '../test/page/server.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'pictures')
const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }
const rounds = 5
mkdirSync(folder, { recursive: true })

const browser = await launch()
const servers = []
try {
  await takeProject(await open(labelDigits('--start', '40', '--batch', '40', '--budget', '400')))
  await takeStart()
  await takeAudit(await open(['label']))
} finally {
  await browser.close()
  for (const server of servers) await server.end()
}

async function open(args, directory) {
  const server = await startServer(args, directory)
  servers.push(server)
  return (await visit(browser, await server.address())).page
}

/** Some rounds of learning, then an audit to its certificate. */
async function takeProject(page) {
  const go = (name) => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name }).click()
  for (let k = 0; k < rounds; k++) await wholeRound(page)
  await answerByKey(page, 5)
  await page.keyboard.press('u')
  await page.keyboard.press('Space')
  await answerByKey(page, 6)
  await saved(page)
  await take(page, 'label')
  await page.setViewportSize(narrow)
  await takeOne(page, 'label.narrow', 'light')
  await page.setViewportSize(wide)

  await go('Progress')
  await page.locator('main svg').first().waitFor()
  await take(page, 'progress')
  await go('Data')
  await page.getByRole('table').waitFor()
  await take(page, 'data')

  await go('Certify')
  await page.getByRole('radio', { name: /±3 %/ }).check()
  await page.getByRole('button', { name: /^Keep the model/ }).click()
  await audit(page, 126)
  await take(page, 'certify')
  await page.getByRole('button', { name: 'Stop and write the certificate' }).click()
  await page.getByRole('button', { name: 'Write the certificate' }).click()
  await page.getByRole('article', { name: 'Certificate' }).waitFor()
  await page.locator('article svg').first().waitFor()
  await take(page, 'certificate')
}

async function takeStart() {
  const directory = join(tmpdir(), 'pools') // is in the picture
  mkdirSync(directory)
  try {
    copyFileSync(digits, join(directory, 'digits.csv'))
    const page = await open(['label'], directory)
    await page.getByText('Or begin with a sample').waitFor()
    await take(page, 'start')
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** The sample of predictions, from what is asked of them to the report. */
async function takeAudit(page) {
  await page.getByRole('button', { name: /^Predictions to check/ }).click()
  await page.getByRole('heading', { name: 'These look like predictions.' }).waitFor()
  await page.getByRole('button', { name: /^Begin, about/ }).waitFor()
  await take(page, 'audit-start')
  await page.getByText('Everything else').click()
  await page.getByLabel('Seed').fill('7')
  await page.getByRole('button', { name: /^Begin, about/ }).click()
  const topics = readMails()
  let now = { point: await shownPoint(page) }
  for (let answers = 0; answers < 110; answers++) {
    await page
      .getByRole('group', { name: 'Choose an answer' })
      .getByRole('button', { name: topics.get(now.point) })
      .click()
    do now = await shown(page, now)
    while (now.point === undefined)
  }
  await saved(page)
  await take(page, 'answer')
  await page.getByRole('link', { name: 'Report' }).click()
  await page.getByRole('heading', { name: 'Where it is worse' }).waitFor()
  await page.setViewportSize({ width: wide.width, height: 1700 })
  await page.locator('main svg').first().waitFor()
  await take(page, 'report')
}

/** The topic of each mail of the sample, which its first words tell: most of what both columns say of such mails. */
function readMails() {
  const [, ...rows] = readFileSync(join(folder, '..', '..', 'data', 'mail-predictions.csv'), 'utf8')
    .trim()
    .split('\n')
  const mails = rows.map((row) => {
    const [, id, text, first, second] = /^([^,]+),("[^"]*"|[^,]*),([^,]+),[^,]+,([^,]+),/.exec(row)
    return { id, like: text.replaceAll('"', '').split(' ').slice(0, 3).join(' '), said: [first, second] }
  })
  const topicOf = (like) => {
    const said = mails.filter((mail) => mail.like === like).flatMap((mail) => mail.said)
    const groups = [...Map.groupBy(said, (topic) => topic).values()].sort((a, b) => b.length - a.length)
    return groups[0][0]
  }
  return new Map(mails.map(({ id, like }) => [id, topicOf(like)]))
}

/** So many answers of the audit, over its batches. */
async function audit(page, most) {
  let now = { point: await shownPoint(page) }
  for (let answers = 0; answers < most; ) {
    if (now.point !== undefined) answers++
    now = now.point === undefined ? await shown(page, now) : await press(page, now.point)
  }
  await saved(page)
}

async function take(page, name) {
  for (const theme of ['light', 'dark']) await takeOne(page, `${name}.${theme}`, theme)
}

async function takeOne(page, name, theme) {
  await page.emulateMedia({ colorScheme: theme })
  await page.mouse.move(0, 0)
  await page.waitForFunction(() => document.querySelector('.is-hit') === null) // the keys pressed last
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  await page.screenshot({ path: join(folder, `${name}.png`), caret: 'hide' })
}
