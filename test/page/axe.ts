import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const all: RunOptions = { resultTypes: ['violations'] }
/** What of it another theme can change. */
const colours: RunOptions = { ...all, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** What axe finds serious or critical in the page as it is, wide and narrow, in both themes, whether anything lies beside a narrow screen, and whether it needs statistics to be read. */
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
    if (width === 1280) for (const word of await jargon(page)) found.push(`${where}: says ${word}`)
    const beside = await page.evaluate(() => document.documentElement.scrollWidth)
    if (beside > width) found.push(`${where}, ${width}: ${beside} wide`)
  }
  return found
}

/** Words of statistics that stand where a person sees them without asking how we know: what is open in a panel or in details was asked for. */
function jargon(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const forbidden =
      /\b(?:pools?|(?<!\d |percentage )points?|weight health|effective sample size|levels?|strateg(?:y|ies)|confidence intervals?)\b/gi
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const said = new Set<string>()
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement!
      if (element.closest('details, .panel, .point, .mono, code, script') || !element.checkVisibility()) continue
      for (const [word] of texts.currentNode.textContent!.matchAll(forbidden)) said.add(`“${word}” in “${element.textContent}”`)
    }
    return [...said]
  })
}

async function check(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`))
}
