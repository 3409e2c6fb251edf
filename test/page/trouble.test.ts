import { describe, expect, it } from 'vitest'
import { counted } from '../../src/text/wording.ts'
import { truth } from '../digits.ts'
import { answerByKey, press, record, type Shown, saved, shown, shownPoint, truths, wholeRound } from './labelling.ts'
import { labelDigits } from './server.ts'
import { opened, served } from './testing.ts'

/** What the browser itself says in the console when a request fails. */
const noNetwork = /Failed to load resource|net::ERR_/

describe('a page without its server', () => {
  it('goes on offline, and sends everything when the network is back', async () => {
    const server = await served(labelDigits())
    const { page, context } = await opened(server, { expected: noNetwork })
    await shownPoint(page)
    const { round, points } = await record.round(page)
    const ids = points.map(({ id }) => id)

    await context.setOffline(true)
    await page.getByText('Offline', { exact: true }).waitFor()
    let now: Shown = { point: ids[0]! }
    for (const id of ids.slice(0, 4)) now = await press(page, id)
    expect(now).toEqual({ point: ids[4] })
    await page.keyboard.press('Backspace')
    expect(await shownPoint(page)).toBe(ids[3])
    await page.getByText('Offline, 3 unsaved').waitFor()
    await page.getByText('Offline. Keep going. 3 answers wait in this browser and are sent when the server is back.').waitFor()

    await context.setOffline(false)
    await saved(page)
    expect(await shownPoint(page)).toBe(ids[3])
    expect(await record.labels(page, round)).toEqual(truths(ids.slice(0, 3)))
  })

  it('outlives a server that is killed mid-round and started again: nothing is lost, and the same point is asked', async () => {
    const server = await served(labelDigits())
    const { page } = await opened(server, { expected: noNetwork })
    await shownPoint(page)
    const before = await record.round(page)
    const ids = before.points.map(({ id }) => id)
    await answerByKey(page, 3)
    await saved(page)

    await server.end('SIGKILL')
    await page.getByText('Offline', { exact: true }).waitFor()
    await answerByKey(page, 2)
    await page.getByText('Offline, 2 unsaved').waitFor()

    const again = await served(['label', '--project', 'digits.alis'], server.directory, Number(new URL(server.origin).port))
    await page.getByText('alis was started again: open the address that it printed').waitFor()
    const { hash } = new URL(await again.address())
    await page.evaluate((code) => location.assign(code), hash)
    await saved(page)
    expect(await shownPoint(page)).toBe(ids[5])
    const after = await record.round(page)
    expect(after.points.map(({ id, order }) => ({ id, order }))).toEqual(before.points.map(({ id, order }) => ({ id, order })))
    expect(await record.labels(page, before.round)).toEqual(truths(ids.slice(0, 5)))

    await wholeRound(page)
    expect(await record.labels(page, before.round)).toEqual(truths(ids))
  })
})

describe('a page that is opened again', () => {
  it('asks the same point, remembers what was put off, and can still undo', async () => {
    const server = await served(labelDigits())
    const { page } = await opened(server)
    await shownPoint(page)
    const { points } = await record.round(page)
    const ids = points.map(({ id }) => id)
    await answerByKey(page, 3)
    await page.keyboard.press('Space')
    expect(await shown(page, { point: ids[3]! })).toEqual({ point: ids[4] })
    await saved(page)

    await page.reload()
    expect(await shownPoint(page)).toBe(ids[4])
    await page.getByText('3 answers', { exact: true }).waitFor()
    await page.keyboard.press('Backspace')
    expect(await shown(page, { point: ids[4]! })).toEqual({ point: ids[2] })
    expect(await answerByKey(page, ids.length - 3)).toEqual({ point: ids[3] })
  })

  it('sends what it could not send before', async () => {
    const server = await served(labelDigits())
    const { page } = await opened(server, { expected: noNetwork })
    await shownPoint(page)
    const { round, points } = await record.round(page)
    const ids = points.map(({ id }) => id)
    await page.route('**/answers/**', (route) => route.abort())
    await answerByKey(page, 2)
    await page.getByText(/2 unsaved|Saving 2/).waitFor()
    expect(await record.labels(page, round)).toEqual({})

    await page.reload()
    expect(await shownPoint(page)).toBe(ids[2])
    await page.getByText(/2 unsaved|Saving 2/).waitFor()
    await page.unroute('**/answers/**')
    await saved(page)
    expect(await record.labels(page, round)).toEqual(truths(ids.slice(0, 2)))
  })
})

describe('two tabs', () => {
  it('never show the same point, and see each other’s answers', async () => {
    const server = await served(labelDigits('--start', '24'))
    const { page: one, newTab } = await opened(server)
    await shownPoint(one)
    const { round, points } = await record.round(one)
    const other = await newTab()
    await shownPoint(other)

    const seen = [new Set<string>(), new Set<string>()]
    const tabs = [one, other].map((page, k) => ({ page, seen: seen[k]! }))
    let answered = 0
    for (let turn = 0; answered < points.length; turn++) {
      const { page, seen } = tabs[turn % 2]!
      const now = await shown(page)
      if (now.point === undefined) continue // what is left is with the other
      seen.add(now.point)
      await press(page, now.point)
      answered++
      if (answered < points.length)
        for (const tab of tabs) await tab.page.getByText(counted(answered, 'answer'), { exact: true }).waitFor()
    }
    expect([...seen[0]!].filter((id) => seen[1]!.has(id))).toEqual([])
    expect([...seen[0]!, ...seen[1]!].toSorted()).toEqual(points.map(({ id }) => id).toSorted())
    expect(Math.min(seen[0]!.size, seen[1]!.size)).toBeGreaterThan(5)
    expect(await record.labels(one, round)).toEqual(truths(points.map(({ id }) => id)))
    expect([...seen[0]!].every((id) => truth.has(id))).toBe(true)
  })
})
