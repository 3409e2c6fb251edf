import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium, noChromium } from '../../scripts/chromium.js'

/** A browser window of its own, with its own cookies and storage. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** What went wrong in the page, seen without being asked for: errors, refused content, requests to elsewhere. */
  readonly faults: readonly string[]
  newTab(): Promise<Page>
  close(): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** Errors that belong to what is being tried, such as requests that fail while there is no network. */
  readonly expected?: RegExp
}

/** A round that closes while a page asks for it is told so, and the browser tells the console. */
const roundClosed = /404 \(Not Found\) \S+\/api\/v1\/round\?/

export function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(noChromium)
  return chromium.launch({ executablePath })
}

/** Opens the address that the command printed. */
export async function visit(browser: Browser, url: string, { expected, ...options }: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(20_000)
  const faults: string[] = []
  const report = (fault: string) => {
    if (!expected?.test(fault) && !roundClosed.test(fault)) faults.push(fault)
  }
  context.on('page', (page) => watch(page, new URL(url).origin, report))
  await context.addInitScript(reportRefusals)
  const page = await context.newPage()
  await page.goto(url)
  return {
    context,
    page,
    faults,
    async newTab() {
      const tab = await context.newPage()
      await tab.goto(new URL(url).origin)
      return tab
    },
    close: () => context.close(),
  }
}

function watch(page: Page, origin: string, report: (fault: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error') report(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => report(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    report(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && protocol !== 'data:' && protocol !== 'blob:') report(`request: ${request.url()}`)
  })
}

/** Runs in the page: the browser tells the page, and not always the console, what its policy refused. */
function reportRefusals(): void {
  addEventListener('securitypolicyviolation', (event) => console.error(`refused: ${event.violatedDirective} ${event.blockedURI}`))
}
