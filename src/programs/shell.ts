import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How a command ended: by itself, by a signal, or, with neither, before it began. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Runs a command in a process group of its own, so that stopping it stops what it started. Its stderr is ours; its grace, milliseconds. */
export function startShell(command: string, grace = 2000) {
  const child = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const { stdin, stdout } = child
  let isOver = false
  const tell = (signal: NodeJS.Signals) => {
    if (isOver || child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {} // no process of the group is left
  }
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('exit', (code, signal) => {
      tell('SIGKILL') // whatever it leaves behind
      isOver = true
      resolve({ code, signal })
    })
  })
  stdin.on('error', () => {}) // it no longer listens: its output says the rest
  stdout.on('error', () => {})

  return {
    output: stdout as AsyncIterable<Uint8Array>,
    /** Resolves when there is room for more. One that no longer listens is no failure yet: what it wrote may still be read. */
    async write(text: string, leaving: AbortSignal): Promise<void> {
      if (!stdin.write(text)) await once(stdin, 'drain', { signal: leaving }).catch(() => {})
    },
    isListening: () => stdin.writable,
    /** Closes its input and, if asked to, tells it to stop; what is not gone after the grace is killed. */
    stop(how: 'at the end of its input' | 'now'): Promise<Ending> {
      if (how === 'now') tell('SIGTERM') // first, so that how it ends says whether it had ended before
      stdin.destroy()
      const timer = setTimeout(() => tell('SIGKILL'), grace)
      return ended.finally(() => {
        clearTimeout(timer)
        stdout.destroy() // not before it is gone, or it would complain of a broken pipe
      })
    },
  }
}
