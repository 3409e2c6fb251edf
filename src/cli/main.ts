#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { runCommandLine } from './command-line.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0) // `alis … | head` is not a failure
})
setFlagsFromString('--semi-space-growth-factor=1') // what is short-lived must not take a hundred megabytes
process.exitCode = await runCommandLine(process.argv.slice(2))
