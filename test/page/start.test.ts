import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { AnswerPage } from '../../src/protocol/data.ts'
import { workbookOf } from '../sources/zip-of.ts'
import { get, record, type Shown, saved, shown, shownPoint } from './labelling.ts'
import { freshDirectory } from './server.ts'
import { opened, served } from './testing.ts'

/** Texts that would do something if anything took them for more than text. */
const hostile = [
  '<script>document.title = "broken in"</script>',
  '<img src=x onerror="document.title=\'broken in\'">',
  '<svg onload="document.title=\'broken in\'"><b>bold</b></svg>',
  '<a href="javascript:document.title=\'broken in\'">a link</a>',
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe>',
  '</textarea></p></main><style>body { display: none }</style>',
  '&lt;b&gt; &amp;amp; {{7*7}} %3Cscript%3E',
  'plain words, and more of them',
]
const long = Array.from({ length: 400 }, (_, k) => `Sentence ${k} of a very long text.`).join(' ')
const texts = [...hostile, long, 'short']
const pool = texts.map((text, k) => `${JSON.stringify({ id: `t${k}`, text })}\n`).join('')

/** From "what was understood" to the first point: names two classes and starts. */
async function begin(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Here is what was understood.' }).waitFor()
  await page.getByLabel('Add answers, separated by commas').fill('ham, spam,')
  await page.getByLabel('The question people are asked').fill('Is <b>this</b> spam?')
  await page.getByText('Everything else').click()
  await page.getByText('Loss, penalty, weights, seed').click()
  await page.getByLabel('Seed').fill('5')
  await page.getByRole('button', { name: 'Begin' }).click()
  await shownPoint(page)
}

const file = { name: 'texts.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(pool) }

describe('Start', () => {
  it('takes a file that is chosen, and its texts are text whatever is in them', async () => {
    const { page } = await opened(await served(['label']))
    await page.getByLabel('Choose a file').setInputFiles(file)
    await begin(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Is <b>this</b> spam?')

    const { points } = await record.round(page)
    const seen = new Set<string>()
    for (let now = await shown(page); now.point !== undefined; now = await shown(page, now)) {
      const text = texts[Number(now.point.slice(1))]!
      const box = page.getByRole('region', { name: 'Text' })
      expect(await box.textContent()).toBe(text)
      expect(await box.locator('p > *').count()).toBe(0) // nothing in it but text
      seen.add(text)
      await page.keyboard.press(seen.size % 2 ? '1' : '2')
    }
    expect(seen.size).toBe(points.length)
    expect(hostile.filter((text) => seen.has(text)).length).toBeGreaterThan(3)
    await saved(page)
    for (const view of ['data', 'data?tab=predictions', 'progress', 'certify']) {
      await page.goto(new URL(view, page.url()).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    expect(await page.title()).toBe('texts · ALIS')
  })

  it('takes a file that is dropped, refuses one that is none, and shows long text in a box that scrolls', async () => {
    const { page } = await opened(await served(['label']), { expected: /status of 4\d\d/ })
    await drop(page, 'empty.csv', '')
    await page.getByRole('heading', { name: 'This file could not be read.' }).waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await drop(page, 'texts.jsonl', pool)
    await begin(page)

    const foot = page.getByRole('group', { name: 'Choose an answer' })
    const places = new Set<string>()
    let wasLong = false
    for (let now = await shown(page); now.point !== undefined; now = await shown(page, now)) {
      const box = page.getByRole('region', { name: 'Text' })
      places.add(JSON.stringify(await foot.boundingBox()))
      if (texts[Number(now.point.slice(1))] === long) {
        wasLong = true
        const { inside, outside } = await box.evaluate((e) => ({ inside: e.scrollHeight, outside: e.clientHeight }))
        expect(inside).toBeGreaterThan(2 * outside)
        await box.press('PageDown')
        await page.waitForFunction(() => document.querySelector('.point section')!.scrollTop > 0)
        await page.setViewportSize({ width: 390, height: 844 })
        const { y, height } = (await page.getByRole('button', { name: 'Cannot tell' }).boundingBox())!
        expect(y + height).toBeLessThanOrEqual(844)
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
      await page.keyboard.press('1')
    }
    expect(wasLong).toBe(true)
    expect([...places]).toHaveLength(1)
  })
})

async function answerOne(page: Page): Promise<void> {
  const point = await shownPoint(page)
  await page.keyboard.press('1')
  await shown(page, { point })
}

describe('a sample', () => {
  it('begins in two presses, by keyboard alone; the page asks for a name once, and every answer has it', async () => {
    const { page } = await opened(await served(['label'], undefined, undefined, null))
    await page.getByRole('button', { name: /^Text messages/ }).press('Enter')
    await page.getByRole('heading', { name: 'Here is what was understood.' }).waitFor()
    await page.getByRole('button', { name: 'Begin' }).press('Enter')
    await page.getByRole('heading', { name: 'Who is answering?' }).waitFor()
    await page.keyboard.type(' Ada Lovelace ')
    await page.keyboard.press('Enter')
    await answerOne(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Is this spam?')

    await page.getByRole('button', { name: 'Answering as Ada Lovelace' }).click()
    await page.getByLabel('Your name, as it should stand beside your answers.').fill('Grace')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Answering as Grace' }).waitFor()
    await answerOne(page)
    await page.reload()
    await answerOne(page) // not asked again
    await saved(page)
    const { rows } = await get<AnswerPage>(page, '/answers')
    expect(rows.map(({ annotator }) => annotator)).toEqual(['Grace', 'Grace', 'Ada Lovelace'])
  })

  it('of predictions begins an audit that shows no prediction', async () => {
    const { page } = await opened(await served(['label']))
    await page.getByRole('button', { name: /^Predictions to check/ }).click()
    await page.getByRole('heading', { name: 'These look like predictions.' }).waitFor()
    await page.getByRole('button', { name: /^Begin, about \d+ answers$/ }).click()
    await shownPoint(page)
    const { purpose, points } = await record.round(page)
    expect(purpose).toBe('audit')
    for (const { content } of points) expect(content.fields.map(({ name }) => name)).toEqual(['body'])
    expect(await page.getByRole('group', { name: 'Choose an answer' }).getByRole('button').count()).toBe(4)
  })
})

describe('a story about models begins with its sample', () => {
  it.each([
    [
      'Answers of a language model',
      'These look like a judge’s verdicts.',
      'Can the judge be trusted?',
      ['question', 'answer'],
      /^Begin, about \d+ answers$/,
    ],
    ['Three models', 'These look like predictions.', 'Which column is best?', ['ticket'], /^Begin/],
  ])('%s', async (sample, heading, ask, read, begin) => {
    const { page } = await opened(await served(['demo', '--samples', '--answered', '0']))
    await page.getByRole('button', { name: new RegExp(`^${sample}`) }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.getByRole('checkbox', { name: new RegExp(ask.replace('?', '\\?')) }).check()
    await page.getByRole('button', { name: begin }).click()
    await shownPoint(page)
    const { purpose, points } = await record.round(page)
    expect(purpose).toBe('audit')
    for (const { content } of points) expect(content.fields.map(({ name }) => name)).toEqual(read)
  })
})

describe('everyday files', () => {
  it('are read as they are: another sheet, another encoding, numbers with a comma, no header, pictures', async () => {
    const { page } = await opened(await served(['label']), { expected: /status of 400/ })
    const send = async (name: string, buffer: Buffer) => {
      await page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
      return page.getByRole('heading', { level: 1, name: /^Here is what|^These look|could not be read/ }).textContent()
    }
    const again = () => page.getByRole('button', { name: 'Replace' }).click()
    const sheet = (word: string) =>
      [['id', 'body'], ...Array.from({ length: 9 }, (_, k) => [`m${k}`, `Something about ${word} ${k}`])]
        .map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`)
        .join('')
    await send('mails.xlsx', workbookOf({ Inbox: sheet('parcels'), Archive: sheet('letters') }))
    await page.getByText('Sheet “Inbox”, 9 rows').waitFor()
    await page.getByLabel('Sheet').selectOption({ label: 'Archive' })
    await page.getByText('Something about letters 0').first().waitFor()
    await again()

    const odd = Array.from({ length: 9 }, (_, k) => `${k};Im Caf\xe9 Gr\xfcn ${k};0,${k}\n`).join('')
    await send('odd.csv', Buffer.from(`id;body;share\n${odd}`, 'latin1'))
    await page.getByRole('radio', { name: /Café Grün 0.*Windows, western/ }).waitFor()
    await page.getByRole('button', { name: 'Read them as numbers' }).click()
    await page.getByText('Numbers are read with a decimal comma.').waitFor()
    await page.getByRole('radio', { name: /Cyrillic/ }).click()
    await page
      .getByRole('cell', { name: /^Im Cafй/ })
      .first()
      .waitFor()
    await again()

    expect(await send('figures.csv', Buffer.from('1,1,5\n2,3,4\n3,4,6\n'))).toBe('This file could not be read.')
    expect(await page.getByRole('alert').textContent()).toMatch(/^figures\.csv: column names must differ/)
    await page.getByRole('button', { name: 'The file has no header' }).click()
    await page.getByText('column1').first().waitFor()
    await again()

    const pictures = Array.from({ length: 12 }, (_, k) => ({
      ...{ name: `p${k}.png`, mimeType: 'image/png' },
      buffer: Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(k)]),
    }))
    await page.getByLabel('Choose a file').setInputFiles(pictures)
    await page.getByRole('heading', { name: 'Here is what was understood.' }).waitFor()
    await page.getByLabel('Add answers, separated by commas').fill('cat, dog')
    await page.getByLabel('Add answers, separated by commas').fill('Cat,')
    await page.getByText('cat is there already.').waitFor()
    await page.getByRole('button', { name: 'Begin' }).click()
    const point = await shownPoint(page)
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.point img')?.naturalWidth === 1)
    expect(point).toMatch(/^p\d+\.png$/)
  })
})

/** As a file manager drops it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, text]) => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([text!], name!))
      return dropped
    },
    [name, text],
  )
  await page.getByText('Drop a file here').dispatchEvent('drop', { dataTransfer })
}

/** A red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

describe('pictures', () => {
  it('are shown from files beside the pool and from the cells themselves, and from nowhere else', async () => {
    const directory = freshDirectory()
    mkdirSync(join(directory, 'pictures'))
    writeFileSync(join(directory, 'pictures', 'red.png'), Buffer.from(png, 'base64'))
    writeFileSync(
      join(directory, 'pictures', 'bad.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    const cells = ['pictures/red.png', `data:image/png;base64,${png}`, 'https://example.com/far.png', 'pictures/bad.svg']
    const rows = Array.from({ length: 8 }, (_, k) => `p${k},${k % 3},"${cells[k % 4]}"`)
    writeFileSync(join(directory, 'pool.csv'), ['id,x,picture', ...rows, ''].join('\n'))
    const args = ['label', 'pool.csv', '--classes', 'cat,dog', '--show', 'picture', '--start', '8', '--seed', '1']
    const { page } = await opened(await served(args, directory))

    const kinds = new Set<number>()
    for (let now: Shown = { point: await shownPoint(page) }; now.point !== undefined; now = await shown(page, now)) {
      const kind = Number(now.point.slice(1)) % 4
      kinds.add(kind)
      const picture = page.getByRole('img', { name: `Point ${now.point}` })
      if (kind === 2) await page.getByText('No picture at https://example.com/far.png.').waitFor()
      else await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.point img')!.complete)
      if (kind < 2) expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
      await page.keyboard.press('1')
    }
    expect(kinds.size).toBeGreaterThan(2)
    await saved(page)
  })
})
