// Compiles the kernels, src/ to dist/ and the page to dist/web: dist from scratch, so that nothing deleted lives on.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, rmSync } from 'node:fs'
import { build } from 'vite'
import { buildKernels } from './kernels.js'

rmSync('dist', { recursive: true, force: true })
await buildKernels()
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
await putTogether('dist/stores', 'kysely')
execFileSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' })
await import('./verify-page.js')
cpSync('src/engines/kernels/built', 'dist/engines/kernels/built', { recursive: true, filter: (path) => !path.endsWith('stamp') })
chmodSync('dist/cli/main.js', 0o755)

/** Puts what a file hands on of a package of its name into the file itself, with the package's licence. */
async function putTogether(folder, name) {
  const license = readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      lib: { entry: `${folder}/${name}.js`, formats: ['es'], fileName: () => `${name}.js` },
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { banner: `/*! ${name}\n${license}\n*/` } },
    },
  })
}
