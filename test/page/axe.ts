import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const all: RunOptions = { resultTypes: ['violations'] }
/** What of it another theme can change. */
const colours: RunOptions = { ...all, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** What axe finds serious or critical in the page as it is, wide and narrow, in both themes, and whether anything lies beside a narrow screen. */
export async function problems(page: Page, where = 'page'): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(source)
  const found: string[] = []
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [colorScheme, options] of [
      ['light', all],
      ['dark', colours],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      for (const problem of await check(page, options)) found.push(`${where}, ${colorScheme}, ${width}: ${problem}`)
    }
    const beside = await page.evaluate(() => document.documentElement.scrollWidth)
    if (beside > width) found.push(`${where}, ${width}: ${beside} wide`)
  }
  return found
}

async function check(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`))
}
