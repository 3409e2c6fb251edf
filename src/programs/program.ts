import type { Failing } from './failure.ts'
import { linesOf } from './lines.ts'
import { type Ending, startShell } from './shell.ts'

/** Starts a program that is kept, and spoken to in lines. `largest`: bytes of a reply. */
export function startProgram(command: string, { largest, fail }: { readonly largest: number; readonly fail: Failing }) {
  const { output, ...shell } = startShell(command)
  const lines = linesOf(output, largest, () =>
    fail(`command: a reply of at most ${largest} bytes is required, got a longer line`),
  )
  return {
    ...shell,
    /** The next line that says something; nothing at the end of its output. */
    async next(): Promise<Uint8Array | undefined> {
      for (let line = await lines.next(); !line.done; line = await lines.next()) if (!isBlank(line.value)) return line.value
      return undefined
    },
  }
}

const isBlank = (line: Uint8Array) => line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)

/** Of a program that ended before it had answered: `wanted` is what was required. */
export function endedEarly({ code, signal }: Ending, wanted: string, fail: Failing): Error {
  const how = code !== null ? `exit code ${code}` : signal === 'SIGTERM' ? 'the end of its output' : (signal ?? 'no process')
  const hint = code === 127 ? 'The shell did not find a program of that name.' : undefined
  return fail(`command: ${wanted} required, got ${how}`, hint)
}
