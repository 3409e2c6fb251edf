// The library in one minified file, as bundlers make it: on a page and in a worker it does what it does here.
import { beforeAll, expect, it } from 'vitest'
import { bundled, imports, sizesOf } from '../../scripts/bundle.js'
import { learnedBy } from './learned.ts'
import { openPage } from './testing.ts'

const code = `import { learnedBy } from '${new URL('learned.ts', import.meta.url).pathname}'\nlearnedBy().then((said) => postMessage(said))`
let bundle: string
beforeAll(async () => {
  bundle = await bundled(code)
})

const starts = { page: "import('/bundle.js')", worker: "new Worker('/bundle.js', { type: 'module' }).onmessage = tell" }

it.each(['page', 'worker'] as const)('learns, audits and replays on a %s as it does here', async (place) => {
  const script = `window.said = new Promise((resolve) => { const tell = ({ data }) => resolve(data); onmessage = tell; ${starts[place]} })`
  const page = await openPage({ '/': `<!doctype html><script>${script}</script>`, '/bundle.js': bundle })
  expect(await page.evaluate('window.said')).toEqual(await learnedBy())
})

it.each(imports)('$name is no larger than it may be', async (each) => {
  const { bytes, compressed } = await sizesOf(each)
  expect(each.compressed ? compressed : bytes).toBeLessThanOrEqual(each.most)
})
