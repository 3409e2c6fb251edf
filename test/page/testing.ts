import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launch, type Visit, type VisitOptions, visit } from './browser.ts'
import { type Server, startServer } from './server.ts'

let browser: Browser
const servers = new Set<Server>()
const visits = new Set<Visit>()

beforeAll(async () => {
  browser = await launch()
})
afterEach(async () => {
  const faults = [...visits].flatMap((one) => one.faults)
  await Promise.all([...visits].map((one) => one.close()))
  visits.clear()
  expect(faults).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([...servers].map((server) => server.end()))
})

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
export async function opened({ url }: Server, options?: VisitOptions): Promise<Visit> {
  const one = await visit(browser, url, options)
  visits.add(one)
  return one
}
