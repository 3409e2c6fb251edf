// Compiles the kernels, src/ to dist/ and the page to dist/web: dist from scratch, so that nothing deleted lives on.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { buildKernels } from './kernels.js'

rmSync('dist', { recursive: true, force: true })
await buildKernels()
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
execFileSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' })
cpSync('src/engines/kernels/built', 'dist/engines/kernels/built', { recursive: true, filter: (path) => !path.endsWith('stamp') })
chmodSync('dist/cli/main.js', 0o755)
