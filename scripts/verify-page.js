// Builds src/web/verify as one file that needs nothing else: dist/verify.html.
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'vite'

const [{ output }] = await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    write: false,
    target: 'es2023',
    lib: { entry: 'src/web/verify/main.ts', formats: ['iife'], name: 'alis' },
  },
})
const script = output[0].code.replaceAll('</script', '<\\/script')
const page = readFileSync('src/web/verify/page.html', 'utf8')
writeFileSync(
  'dist/verify.html',
  page.replace('/* script */', () => script),
)
