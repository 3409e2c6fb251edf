import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnswerPage } from '../../src/protocol/data.ts'
import type { Certificate } from '../../src/questions/certificate.ts'
import { openProject } from '../../src/stores/sqlite.ts'
import { truth } from '../digits.ts'
import { alisHere } from '../in-process.ts'
import { earlierOutcomeOf } from '../server/fixture.ts'
import { get, press, record, type Shown, saved, shown, shownPoint, wholeRound } from './labelling.ts'
import { freshDirectory, labelDigits, type Server } from './server.ts'
import { opened, served } from './testing.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
let server: Server
beforeAll(async () => {
  server = await served(labelDigits('--start', '40', '--budget', '200'))
})

const sheet = (page: Page) => page.getByRole('article', { name: 'Certificate' })

/** Answers so many draws of the audit, or all until its certificate is shown. */
async function audit(page: Page, most = Number.POSITIVE_INFINITY): Promise<void> {
  let now: Shown = { point: await shownPoint(page) }
  for (let answers = 0; answers < most && !(await sheet(page).isVisible()); ) {
    if (now.point !== undefined) answers++
    now = now.point === undefined ? await shown(page, now) : await press(page, now.point)
  }
}

/** The certificate as a person gets it, and what `alis verify` says of it. */
async function downloaded(page: Page) {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download certificate.json' }).click()
  const file = join(server.directory, `downloaded-${(await record.project(page)).certificates.length}.json`)
  await (await waiting).saveAs(file)
  return { file, outcome: await alisHere(['verify', file, '--project', join(server.directory, 'digits.alis')]) }
}

describe('an audit', () => {
  it('goes by the same keys to a certificate that verify accepts', async () => {
    const { page } = await opened(server)
    await wholeRound(page)
    await shownPoint(page)
    await page.getByRole('link', { name: 'Certify' }).click()
    await page.getByRole('radio', { name: /±5 %/ }).check()
    await page.getByText(/^About [\d,]+ answers/).waitFor()
    await page.getByText('Other numbers').click()
    await page.getByLabel('At most').fill('30 answers')
    await page.getByRole('button', { name: /^Keep the model, ask about [\d,]+ more$/ }).click()
    await page.getByRole('complementary', { name: 'The range so far' }).waitFor()
    await audit(page)

    const [certificate] = (await record.project(page)).certificates
    expect(certificate).toMatchObject({ metric: 'error', level: 0.95, answers: 30, isRevised: false })
    await sheet(page).getByRole('heading', { name: 'What it says', exact: true }).waitFor()
    await sheet(page).getByRole('heading', { name: 'What it does not say' }).waitFor()
    await sheet(page).getByText('alis verify').waitFor()
    const { outcome } = await downloaded(page)
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('Verified') })
  })

  it('leaves the model as it is, and can be gone on with and stopped, which asks first', async () => {
    const { page } = await opened(server)
    await page.getByRole('heading', { name: 'This model is certified, and stays as it is.' }).waitFor()
    const before = await record.project(page)
    expect(before).toMatchObject({ isCertified: true, phase: { kind: 'done' }, model: { id: before.certificates[0]!.model } })
    await page.getByRole('link', { name: 'Narrow its range' }).click()
    await page.getByText(/^Goes on from the certificate of this model/).waitFor()
    await page.getByRole('button', { name: /^Go on, ask/ }).click()
    const stop = page.getByRole('button', { name: 'Stop and write the certificate' })
    await stop.waitFor()
    await shownPoint(page)
    await audit(page, 12)
    await saved(page)
    await stop.click()
    await page
      .getByRole('region', { name: 'Stop here?' })
      .getByText(/^The certificate will say what stands here/)
      .waitFor()
    await page.getByRole('button', { name: 'Go on answering' }).click()
    await stop.click()
    await page.getByRole('button', { name: 'Write the certificate' }).click()
    await sheet(page).waitFor()
    expect((await record.project(page)).certificates.map(({ answers }) => answers)).toContain(42)
    expect((await downloaded(page)).outcome.code).toBe(0)
  })

  it('is what Data shows and an export delivers, also after another model has learned on', async () => {
    const { page } = await opened(server)
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByRole('tab', { name: /^Predictions/ }).click()
    await page.getByText(/^By the model after round 1, certified\./).waitFor()
    await page.getByRole('link', { name: 'Label', exact: true }).click()
    await page.getByRole('button', { name: 'Let it learn on' }).click()
    await shownPoint(page)
    const { model, certificates } = await record.project(page)
    const certified = certificates.at(-1)!.model
    expect(model!.id).not.toBe(certified)

    await page.getByRole('link', { name: 'Progress' }).click()
    await page.getByText('It has learned since the certificate, and is not certified.').waitFor()
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByRole('tab', { name: /^Predictions/ }).click()
    await page.getByText(/^By the model after round 1, certified\./).waitFor()
    await page.getByRole('radio', { name: 'The newest, not certified' }).click()
    await page.getByText(/^By the model after round \d, not certified\./).waitFor()
    await page.getByRole('radio', { name: 'The certified model, after round 1' }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await page
      .getByText('The certified model, the one after round 1. A newer one has learned since; it is not certified.')
      .waitFor()
    await page.getByRole('button', { name: 'Write the files' }).click()
    await page.getByText('The model after round 1, certified.', { exact: true }).waitFor()
    const file = JSON.parse(readFileSync(join(server.directory, 'digits-export', 'model.json'), 'utf8'))
    expect([file.model.id, file.certificate.seal]).toEqual([certified, certificates.at(-1)!.seal])
    const status = await alisHere(['status', join(server.directory, 'digits.alis'), '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject({ model: model!.id, certified: { model: certified, isNewest: false } })
  })

  it('ends the open round at the last point that was shown, can be left, and learning goes on', async () => {
    const { page } = await opened(server)
    await press(page, await shownPoint(page))
    await press(page, await shownPoint(page))
    await saved(page)
    const { round, points } = await record.round(page)
    const seen = points.findIndex(({ answer }) => answer === undefined) + 1 // the one that is shown
    await page.getByRole('link', { name: 'Certify' }).click()
    await page.getByRole('button', { name: /^Keep the model/ }).click()
    const drawn = await shownPoint(page)
    await press(page, drawn)
    const closed = (await (await openProject(join(server.directory, 'digits.alis'), { mode: 'read' })).rounds())[round]!
    expect(closed.draws.map(({ id }) => id)).toEqual(points.slice(0, seen).map(({ id }) => id))
    expect(closed).toMatchObject({ isClosed: true, size: points.length })
    await page.getByRole('link', { name: 'Label', exact: true }).click()
    await page.getByRole('heading', { name: 'The model is being certified.' }).waitFor()
    await page.getByRole('link', { name: 'Go on in Certify' }).click()
    await page.getByRole('button', { name: 'Back to learning' }).click()
    await page.waitForURL('**/label')
    await shownPoint(page)
    expect((await record.project(page)).phase).toMatchObject({ kind: 'asking', purpose: 'learn' })
  })
})

describe('an answer that is revised', () => {
  async function revise(page: Page, id: string): Promise<void> {
    await page.goto(`${server.origin}/data`)
    await page.getByRole('searchbox').fill(id)
    await page.getByRole('button', { name: `Revise ${id}` }).click()
    await page.getByText('is closed. The new answer becomes a new fact').waitFor()
    await page.keyboard.press(truth.get(id) === '4' ? '6' : '4')
    await page
      .getByRole('row', { name: new RegExp(id) })
      .getByText('revised', { exact: true })
      .waitFor()
  }

  it('is marked so in its row, its round and its certificate', async () => {
    const { page } = await opened(server)
    await shownPoint(page)
    const { rounds, certificates } = await record.project(page)
    expect(certificates.some(({ isRevised }) => isRevised)).toBe(false)
    const [learned] = Object.keys(await record.labels(page, rounds[0]!.round))
    await revise(page, learned!) // which the model has learned from, and what is said of it starts from

    const [{ seal }] = certificates.toSorted((a, b) => a.time.localeCompare(b.time)) as [(typeof certificates)[0]]
    const { rounds: measured } = await get<Certificate>(page, `/certificates/${encodeURIComponent(seal)}`)
    await revise(page, measured[0]!.draws[0]!.id)
    const now = (await record.project(page)).certificates
    expect(now.filter(({ isRevised }) => isRevised).map((one) => one.seal)).toEqual(now.map((one) => one.seal))
    await page.goto(`${server.origin}/certify/${encodeURIComponent(seal)}`)
    await sheet(page).getByText('Void: answers were revised since.').waitFor()
    await page.goto(`${server.origin}/certify`)
    await page.locator('.tag', { hasText: 'Void: answers were revised since' }).first().waitFor()
  })
})

describe('an answer that is revised on the way', () => {
  it('begins the audit anew with it, at the same point', async () => {
    const { page } = await opened(server)
    await shownPoint(page)
    await page.getByRole('link', { name: 'Certify' }).click()
    await page.getByRole('button', { name: /^Keep the model/ }).click()
    await page.getByRole('complementary', { name: 'The range so far' }).waitFor()
    await audit(page, 13)
    await saved(page)
    const before = (await record.project(page)).audit!
    const point = await shownPoint(page)
    const { rows } = await get<AnswerPage>(page, '/answers?limit=13')
    const { content } = rows.at(-1)! // of the first batch
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByRole('searchbox').fill(content.id)
    await page.getByRole('button', { name: `Revise ${content.id}` }).click()
    await page.getByText('certificates that rest on the old answer are void').waitFor()
    await page.keyboard.press('u')
    await page
      .getByRole('row', { name: new RegExp(content.id) })
      .getByText('revised', { exact: true })
      .waitFor()
    await page.getByRole('link', { name: 'Certify' }).click()
    expect(await shownPoint(page)).toBe(point)
    const now = (await record.project(page)).audit!
    expect([now.answers, now.unknown, now.steps.length]).toEqual([13, 1, before.steps.length])
    expect(now.steps[0]).not.toEqual(before.steps[0])
    await page.getByRole('button', { name: 'Back to learning' }).click()
    await page.waitForURL('**/label')
  })
})

describe('a certificate of an earlier release', () => {
  it('is listed and shown, with what is to be known of it', async () => {
    const directory = freshDirectory()
    await (await served(labelDigits(), directory)).end('SIGTERM')
    const project = await openProject(join(directory, 'digits.alis'))
    const outcome = earlierOutcomeOf('sha256:m', { metric: 'recall', positive: '3' })
    await project.keepCertificate(outcome)
    await project.close()
    const again = await served(['label', '--project', 'digits.alis'], directory)
    const { page } = await opened(again)
    await shownPoint(page)
    await page.goto(`${again.origin}/certify`)
    await page.getByText('From an earlier release; cannot be verified by this one. Its interval did not hold').waitFor()
    await page.getByRole('link', { name: 'Recall: 10 % to 30 %' }).click()
    await sheet(page).getByText('From an earlier release; cannot be verified by this one.').waitFor()
    expect(await sheet(page).getByText('How to check it').count()).toBe(0)
  })
})

describe('somebody else’s predictions', () => {
  it('are audited by hand to a certificate that verify accepts', async () => {
    const directory = freshDirectory()
    const rows = Array.from({ length: 60 }, (_, k) => `m${k},"Message <b>${k}</b>, say",${k % 3 === 0 ? 'spam' : 'ham'}`)
    writeFileSync(join(directory, 'guesses.csv'), ['id,text,guess', ...rows, ''].join('\n'))
    const args = ['audit', 'guesses.csv', '--prediction', 'guess', '--metric', 'error,recall:spam', '--budget', '12']
    const { page } = await opened(await served([...args, '--batch', '6', '--seed', '3'], directory))
    expect(await page.getByRole('navigation', { name: 'Project' }).getByRole('link').allTextContents()).not.toContain('Label')

    let now: Shown = { point: await shownPoint(page) }
    expect(await page.locator('.point').textContent()).toContain(`Message <b>${now.point!.slice(1)}</b>, say`)
    expect(await page.locator('.point').textContent()).not.toMatch(/ham|spam/) // no hints before the answer
    while (!(await sheet(page).isVisible())) {
      if (now.point !== undefined) await page.keyboard.press('1')
      now = await shown(page, now)
    }
    const table = sheet(page).getByRole('table').filter({ hasText: 'Surely between' })
    expect(await table.getByRole('rowheader').allTextContents()).toEqual(['Error', 'Recall of spam'])
    const project = await record.project(page)
    expect(project).toMatchObject({ purpose: 'audit', phase: { kind: 'done' }, certificates: [{ answers: 12 }] })
    const words = project.certificates[0]!.verify!.split(' ').slice(1)
    expect(await alisHere(words, { cwd: directory })).toMatchObject({ code: 0, stdout: expect.stringContaining('Verified') })

    // What was predicted is shown of answered points, and of no others.
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByRole('tab', { name: 'Predictions' }).click()
    await page.getByText('The 48 rows without an answer are hidden').waitFor()
    await page.getByRole('tab', { name: 'Predictions 12' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(1 + 12)
    await page
      .getByRole('button', { name: /^Read m/ })
      .first()
      .click()
    await page.getByRole('region', { name: 'Columns' }).getByText('Message').waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('button', { name: 'Write the files' }).click()
    await page.getByText('Written to').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Export')
  })
})

describe('a report', () => {
  it('shows what an audit has found, every error in full, and prints', async () => {
    const directory = freshDirectory()
    const rows = Array.from(
      { length: 80 },
      (_, k) => `m${k},"Message ${k}",${k % 2 ? 'web' : 'app'},${k % 4 === 0 ? 'spam' : 'ham'}`,
    )
    writeFileSync(join(directory, 'guesses.csv'), ['id,text,channel,guess', ...rows, ''].join('\n'))
    const args = [
      'audit',
      'guesses.csv',
      '--prediction',
      'guess',
      '--by',
      'channel',
      '--budget',
      '20',
      '--batch',
      '10',
      '--seed',
      '3',
    ]
    const { page, context } = await opened(await served(args, directory))
    await context.addInitScript(axe)
    for (let k = 0; k < 10; k++) {
      const point = await shownPoint(page)
      await page.keyboard.press('1') // ham, whatever was predicted
      await shown(page, { point })
    }
    await saved(page)
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Report' }).click()
    await page.getByRole('heading', { name: /^The predictions are wrong on about/ }).waitFor()
    for (const name of ['By class', 'What is mistaken for what', 'Where it is worse', /errors? found so far$/])
      await page.getByRole('heading', { name }).waitFor()
    const error = page.getByRole('button', { name: /^Read m/ }).first()
    await error.click()
    const id = /m(\d+)/.exec((await error.textContent())!)![1]!
    await page.getByRole('region', { name: 'Columns' }).getByText(`Message ${id}`, { exact: true }).waitFor()
    expect(Number(id) % 4).toBe(0) // predicted spam, answered ham
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 390]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        await page.reload()
        await page.getByRole('heading', { name: 'By class' }).waitFor()
        const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults
        found.push(...violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id))
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
    expect(found).toEqual([])
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000)

    await page.getByRole('link', { name: 'Go on answering' }).click()
    await page.getByRole('button', { name: 'Stop and write the certificate' }).click()
    await page.getByRole('button', { name: 'Write the certificate' }).click()
    await sheet(page).getByRole('heading', { name: 'By class' }).waitFor()
    const order = await sheet(page).getByRole('heading', { level: 2 }).allTextContents()
    expect(order).toEqual([
      ...['What was asked', 'By class', 'What it says', 'What it does not say', 'Who answered', 'Which files'],
      'How to check it',
    ])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
