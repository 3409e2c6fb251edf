import { expect, it } from 'vitest'
import { linesOf } from './lines.ts'
import { startShell } from './shell.ts'

it('kills what does not listen to reason', async () => {
  const shell = startShell("trap '' TERM; echo ready; while :; do sleep 0.1; done", 100)
  await linesOf(shell.output, 100, () => new Error()).next()
  expect(await shell.stop('now')).toEqual({ code: null, signal: 'SIGKILL' })
})

it('waits for what ends by itself', async () => {
  const shell = startShell('cat > /dev/null; exit 7')
  expect(await shell.stop('at the end of its input')).toEqual({ code: 7, signal: null })
  expect(await shell.stop('now')).toEqual({ code: 7, signal: null })
})

it('survives a program that stops listening', async () => {
  const shell = startShell('exec 0<&-; echo done; sleep 5')
  await linesOf(shell.output, 100, () => new Error()).next()
  const { signal } = new AbortController()
  while (shell.isListening()) await shell.write('x'.repeat(100_000), signal)
  expect(await shell.stop('now')).toEqual({ code: null, signal: 'SIGTERM' })
})
