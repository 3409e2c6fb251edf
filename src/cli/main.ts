#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { nodeRefusal } from './node-version.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0) // `alis … | head` is not a failure
  process.stderr.write(`alis: stdout: a place to write to is required, got "${error.message}"\n`)
  process.exit(1)
})
setFlagsFromString('--semi-space-growth-factor=1') // what is short-lived must not take a hundred megabytes
const refusal = nodeRefusal(process.versions.node)
if (refusal) console.error(refusal)
process.exitCode = refusal ? 2 : await (await import('./command-line.ts')).runCommandLine(process.argv.slice(2))
