import type { Page } from 'playwright-core'
import { truth } from '../digits.ts'
import { type Shown, shown, shownPoint } from './labelling.ts'

/** Milliseconds from each key that answered a point to the next point painted. */
export async function keyToPaint(page: Page, answers: number): Promise<number[]> {
  await page.evaluate(timeKeys)
  let now: Shown = { point: await shownPoint(page) }
  for (let k = 0; k < answers; ) {
    if (now.point === undefined) {
      await page.getByRole('button', { name: 'Next round' }).press('Enter')
      now = { point: await shownPoint(page) }
      continue
    }
    await page.keyboard.press(truth.get(now.point)!)
    now = await shown(page, now)
    if (now.point !== undefined) k++ // after the last point of a round there is none to paint
  }
  const painted = await page.waitForFunction((answers) => {
    const { painted } = globalThis as unknown as { painted: number[] }
    return painted.length >= answers && painted
  }, answers)
  return (await painted.jsonValue()) as number[]
}

/**
 * Runs in the page. The callback of the next frame runs before it is painted, that of the one after it is: so this counts
 * up to a frame too much, never too little. Frames that still show the old point do not count.
 */
function timeKeys(): void {
  const painted: number[] = []
  Object.assign(globalThis, { painted })
  const point = () => document.querySelector('[role=group][aria-label^="Point "]')?.getAttribute('aria-label')
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      const before = point()
      if (before === undefined) return
      requestAnimationFrame(function look() {
        const isThere = point() !== undefined && point() !== before
        requestAnimationFrame(() => (isThere ? painted.push(performance.now() - timeStamp) : point() === before && look()))
      })
    },
    { capture: true },
  )
}

/** The smallest of the waits that at least such a share does not exceed. */
export function quantile(waits: readonly number[], share: number): number {
  return waits.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * waits.length) - 1)]!
}
