import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { runEndings } from './endings.ts'

// Property tests use the same cases on every run; `npm run test:fresh` looks for new ones and prints the seed of a failure.
if (!process.env.ALIS_FRESH_SEEDS) fc.configureGlobal({ seed: 20260101 })

// Threads and processes that tests start compile our sources once, not each time: to strip types takes as long as half of what a server test does.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/alis-compiled')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

afterAll(runEndings)
