import type { Browser, Page } from 'playwright-core'
import { launch, type Visit, type VisitOptions, visit } from './browser.ts'
import { type Server, startServer } from './server.ts'

let browser: Promise<Browser> | undefined // it goes with the process
const servers = new Set<Server>()
const visits = new Set<Visit>()

/** A server that is ended after the tests of the file. */
export async function served(
  args: readonly string[],
  directory?: string,
  port?: number,
  annotator?: string | null,
): Promise<Server> {
  const server = await startServer(args, directory, port, annotator)
  servers.add(server)
  return server
}

/** A window that is closed after the test, which fails if anything went wrong in it unasked. */
export async function opened(server: Pick<Server, 'address'>, options?: VisitOptions): Promise<Visit> {
  browser ??= launch()
  const one = await visit(await browser, await server.address(), options)
  visits.add(one)
  return one
}

/** A page of our own making: what is at which path of it. */
export async function openPage(files: Readonly<Record<string, string>>): Promise<Page> {
  const { page } = await opened({ address: async () => 'about:blank' }, { expected: /^request: http:\/\/own\.test\// })
  await page.route('http://own.test/**', (route) => {
    const path = new URL(route.request().url()).pathname
    const contentType = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    return route.fulfill({ contentType, body: files[path] ?? '' })
  })
  await page.goto('http://own.test/')
  return page
}

/** What went wrong in any window. */
export async function closeVisits(): Promise<string[]> {
  const faults = [...visits].flatMap((one) => one.faults)
  await Promise.all([...visits].map((one) => one.close()))
  visits.clear()
  return faults
}

export async function endServers(): Promise<void> {
  await Promise.all([...servers].map((server) => server.end()))
  servers.clear()
}
