import { runCommandLine } from '../src/cli/command-line.ts'
import type { Outcome, Surroundings } from './command.ts'

/** Runs `alis` in this process, from its sources, which spares the start of another. One at a time: it takes over stdout and the directory. */
export async function alisHere(args: readonly string[], { cwd = '.', watch }: Surroundings = {}): Promise<Outcome> {
  const said = { stdout: '', stderr: '' }
  const before = process.cwd()
  const streams = ['stdout', 'stderr'] as const
  const writes = streams.map((stream) => process[stream].write)
  for (const stream of streams)
    process[stream].write = ((text: string | Uint8Array, ...more: unknown[]) => {
      said[stream] += typeof text === 'string' ? text : Buffer.from(text)
      watch?.(said.stderr + said.stdout, process.pid)
      const done = more.find((each) => typeof each === 'function')
      done?.()
      return true
    }) as typeof process.stdout.write
  process.chdir(cwd)
  try {
    return { code: await runCommandLine(args), ...said }
  } finally {
    process.chdir(before)
    for (const [k, stream] of streams.entries()) process[stream].write = writes[k]!
  }
}
