// How fast the page is to the eye, in a real browser with a real server: key to next point painted, and the first load.
//   node bench/page/main.ts [answers] [loads]
import { cpus } from 'node:os'
import type { Browser } from 'playwright-core'
import { launch, visit } from '../../test/page/browser.ts'
import { shownPoint } from '../../test/page/labelling.ts'
import { labelDigits, type Server, startServer } from '../../test/page/server.ts'
import { keyToPaint, quantile } from '../../test/page/speed.ts'

const [answers = 200, loads = 10] = process.argv.slice(2).map(Number)

const server = await startServer(labelDigits('--start', '40', '--batch', '40', '--budget', `${2 * answers + 40}`))
const browser = await launch()
try {
  console.log(`Chromium ${browser.version()}, ${cpus().length} × ${cpus()[0]?.model}`)
  const first = await firstLoads(browser, server)
  report(`first load, from navigation to the first point painted, ${loads} times`, first.waits)
  console.log(`transferred for it: ${first.bytes.toLocaleString('en-GB')} bytes in ${first.requests} requests`)
  const { page, close } = await visit(browser, await server.address())
  report(`key to the next point painted, ${answers} answers in rounds of 40`, await keyToPaint(page, answers))
  await close()
} finally {
  await browser.close()
  await server.end()
}

/** Each in a window of its own: nothing is in its cache. */
async function firstLoads(browser: Browser, server: Server) {
  const waits: number[] = []
  let [bytes, requests] = [0, 0]
  for (let k = 0; k < loads; k++) {
    const { page, context, close } = await visit(browser, await server.address())
    await context.addInitScript(timeFirstPoint)
    const client = await context.newCDPSession(page)
    await client.send('Network.enable')
    await client.send('Network.setCacheDisabled', { cacheDisabled: true })
    ;[bytes, requests] = [0, 0]
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests++
    })
    await page.reload()
    await shownPoint(page)
    const painted = await page.waitForFunction(() => (globalThis as unknown as { painted?: number }).painted)
    waits.push((await painted.jsonValue())!)
    await close()
  }
  return { waits, bytes, requests }
}

/** Runs in the page before its own scripts: two frames after the first point is there, it is on the screen. */
function timeFirstPoint(): void {
  requestAnimationFrame(function look() {
    if (!document.querySelector('[role=group][aria-label^="Point "]')) return void requestAnimationFrame(look)
    requestAnimationFrame(() => Object.assign(globalThis, { painted: performance.now() }))
  })
}

function report(what: string, waits: readonly number[]): void {
  const [half, most, worst] = [0.5, 0.95, 1].map((share) => `${quantile(waits, share).toFixed(0)} ms`)
  console.log(`${what}: p50 ${half}, p95 ${most}, longest ${worst}`)
}
