// Compiles the kernels in src/engines/kernels/assembly to WebAssembly beside them, with relaxed SIMD and without, unless that is done already.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'engines', 'kernels', 'assembly')
const built = join(folder, '..', 'built')

/** Each build, and whether it may use relaxed SIMD. */
const builds = { relaxed: true, simd: false }

export async function buildKernels() {
  const stamp = join(built, 'stamp')
  const now = fingerprint()
  const isThere = Object.keys(builds).every((name) => existsSync(join(built, `${name}.wasm`)))
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  mkdirSync(built, { recursive: true })
  const { main } = await import('assemblyscript/asc')
  for (const [name, isRelaxed] of Object.entries(builds)) {
    const { error, stderr } = await main([
      join(folder, 'index.ts'),
      ...['--outFile', join(built, `${name}.wasm`)],
      ...['-O3', '--noAssert', '--converge', '--runtime', 'stub'],
      ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
      ...['--enable', 'simd', '--enable', 'threads', ...(isRelaxed ? ['--enable', 'relaxed-simd'] : [])],
    ])
    if (error) throw new Error(`kernels: ${error.message}\n${stderr.toString()}`)
    await inlineCalls(join(built, `${name}.wasm`), isRelaxed)
  }
  writeFileSync(stamp, now)
}

/** Whatever a kernel calls becomes part of it, loops and all: some are called for every four points. */
async function inlineCalls(file, isRelaxed) {
  const { default: binaryen } = await import('assemblyscript/binaryen')
  const features = ['Atomics', 'BulkMemory', 'BulkMemoryOpt', 'MutableGlobals', 'NontrappingFPToInt', 'SIMD128', 'SignExt']
  if (isRelaxed) features.push('RelaxedSIMD')
  const module = binaryen.readBinary(readFileSync(file))
  module.setFeatures(features.reduce((all, name) => all | binaryen.Features[name], 0))
  binaryen.setOptimizeLevel(3)
  binaryen.setShrinkLevel(0)
  binaryen.setFlexibleInlineMaxSize(2000)
  binaryen.setAllowInliningFunctionsWithLoops(true)
  module.optimize()
  writeFileSync(file, module.emitBinary())
  module.dispose()
}

function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels()
