import type { Page } from 'playwright-core'
import type { AnswerPage } from '../../src/protocol/data.ts'
import type { Project, State } from '../../src/protocol/project.ts'
import type { OpenRound } from '../../src/protocol/rounds.ts'
import { truth } from '../digits.ts'

/** What stands in the middle of the page: a point, by its id; or a card, by its title; or a certificate. */
export interface Shown {
  readonly point?: string
  readonly card?: string
}

/** Waits until a point or a card is there that is not `before`. */
export async function shown(page: Page, before: Shown = {}): Promise<Shown> {
  const found = await page.waitForFunction((before) => {
    const point = document.querySelector('[role=group][aria-label^="Point "]')?.getAttribute('aria-label')?.slice(6)
    const card = document.querySelector('.state-card h1, .sheet h1')?.textContent ?? undefined
    if (point !== undefined) return point !== before.point && { point }
    return card !== undefined && card !== before.card && { card }
  }, before)
  return (await found.jsonValue()) as Shown
}

/** Waits for a point, whatever cards come before it. */
export async function shownPoint(page: Page): Promise<string> {
  const point = page.getByRole('group', { name: /^Point / })
  await point.waitFor()
  return (await point.getAttribute('aria-label'))!.slice(6)
}

/** Gives the point its digit by key; tells what is there next. */
export async function press(page: Page, point: string): Promise<Shown> {
  await page.keyboard.press(truth.get(point)!)
  return shown(page, { point })
}

/** Answers by key, truthfully, until there is a card instead of a point, or so many are answered. */
export async function answerByKey(page: Page, most = Number.POSITIVE_INFINITY): Promise<Shown> {
  let now: Shown = { point: await shownPoint(page) }
  for (let k = 0; k < most && now.point !== undefined; k++) now = await press(page, now.point)
  return now
}

/** Answers all that the open round asks, until the first point of the next is there, or a card says why there is none. */
export async function wholeRound(page: Page): Promise<void> {
  await shownPoint(page)
  const { points } = await record.round(page)
  const answered = new Set(points.filter(({ answer }) => answer !== undefined).map(({ id }) => id))
  for (let left = points.length - answered.size; left > 0; left--) {
    const point = await shownPoint(page)
    await page.keyboard.press(truth.get(point)!)
    if (left > 1) await shown(page, { point })
  }
  await page.waitForFunction(
    (ids) => {
      const point = document.querySelector('[role=group][aria-label^="Point "]')?.getAttribute('aria-label')?.slice(6)
      return point === undefined ? document.querySelector('.state-card .primary') !== null : !ids.includes(point)
    },
    points.map(({ id }) => id),
  )
}

/** Waits until everything that was answered is on the server's disk. */
export async function saved(page: Page): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor()
}

/** What the server says to this page. */
export async function get<T>(page: Page, path: string): Promise<T> {
  const headers = { authorization: await page.evaluate(() => `Bearer ${sessionStorage.getItem('alis:secret')}`) }
  const reply = await page.context().request.get(`${new URL(page.url()).origin}/api/v1${path}`, { headers })
  if (!reply.ok()) throw new Error(`${path}: ${reply.status()} ${await reply.text()}`)
  return (await reply.json()) as T
}

/** What the server has on record. */
export const record = {
  project: async (page: Page): Promise<Project> => (await get<State>(page, '/state')).project!,
  round: (page: Page) => get<OpenRound>(page, '/round'),
  /** The labels by id, of one round or of all. */
  async labels(page: Page, round?: number): Promise<Record<string, string | null>> {
    const { rows } = await get<AnswerPage>(page, '/answers?limit=200')
    const wanted = rows.filter((row) => round === undefined || row.round === round)
    return Object.fromEntries(wanted.map(({ content, label }) => [content.id, label]))
  },
}

/** The true labels of these points. */
export const truths = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, truth.get(id)!]))
