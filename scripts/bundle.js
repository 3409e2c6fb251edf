// The library as bundlers deliver it to browsers: minified, and only what is imported.
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const entry = 'virtual:entry.js'

/** A module, as text or by its path, with all that it imports in one minified file. */
export async function bundled(code) {
  const input = isAbsolute(code) ? code : entry
  const given = {
    name: 'entry',
    enforce: 'pre',
    resolveId: (id) => (id === entry ? entry : undefined),
    load: (id) => (id === entry ? { code, moduleSideEffects: true } : undefined),
  }
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [given],
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: { input },
    },
  })
  if (output.length !== 1) throw new Error(`one file is required, got ${output.map(({ fileName }) => fileName).join(', ')}`)
  return output[0].code
}

/** What people import, and how large it may become: bytes of the file, or of the file compressed. */
export const imports = [
  { name: 'uniform', code: "import { uniform } from 'alis-learn'\nconsole.log(uniform)", most: 8_000, compressed: false },
  { name: 'everything', code: "import * as all from 'alis-learn'\nconsole.log(all)", most: 100_000, compressed: true },
]

export async function sizesOf({ code }) {
  const bundle = await bundled(code)
  return { bytes: Buffer.byteLength(bundle), compressed: gzipSync(bundle, { level: 9 }).length }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const each of imports) {
    const { bytes, compressed } = await sizesOf(each)
    const isFine = (each.compressed ? compressed : bytes) <= each.most
    console.log(`${each.name.padEnd(12)} ${bytes} bytes, ${compressed} compressed${isFine ? '' : `: more than ${each.most}`}`)
    if (!isFine) process.exitCode = 1
  }
