// Compiles src/ to dist/ and the page to dist/web from scratch, so that nothing deleted lives on.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
execFileSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' })
chmodSync('dist/cli/main.js', 0o755)
