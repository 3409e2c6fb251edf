// Compiles the kernels in src/kernels to WebAssembly beside them, with relaxed SIMD and without, unless that is done already.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'kernels')
const built = join(folder, 'built')

/** Each build and the features it may use beyond plain SIMD. */
const builds = { relaxed: ['--enable', 'relaxed-simd'], simd: [] }

export async function buildKernels() {
  const stamp = join(built, 'stamp')
  const now = fingerprint()
  const isThere = Object.keys(builds).every((name) => existsSync(join(built, `${name}.wasm`)))
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  mkdirSync(built, { recursive: true })
  const { main } = await import('assemblyscript/asc')
  for (const [name, features] of Object.entries(builds)) {
    const { error, stderr } = await main([
      join(folder, 'index.ts'),
      ...['--outFile', join(built, `${name}.wasm`)],
      ...['-O3', '--noAssert', '--converge', '--runtime', 'stub'],
      ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
      ...['--enable', 'simd', '--enable', 'threads', ...features],
    ])
    if (error) throw new Error(`kernels: ${error.message}\n${stderr.toString()}`)
  }
  writeFileSync(stamp, now)
}

function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels()
