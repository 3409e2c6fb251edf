import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The command as it is built. */
export const main = join(root, 'dist/cli/main.js')

/** How a program ended and what it said. `code` is null if a signal ended it. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly cwd?: string
  /** On top of our own. */
  readonly env?: NodeJS.ProcessEnv
  readonly stdin?: string
  readonly uid?: number
  readonly gid?: number
  /** Milliseconds after which it is ended. Default: never. */
  readonly timeout?: number
  /** Sees all of stderr and stdout so far, whenever there is more. */
  readonly watch?: (said: string, pid: number) => void
}

/** Runs `alis` to its end. */
export function alis(args: readonly string[], surroundings?: Surroundings): Promise<Outcome> {
  return execute(process.execPath, [main, ...args], surroundings)
}

/** Runs a program to its end. */
export function execute(
  program: string,
  args: readonly string[],
  { env, stdin = '', watch, ...place }: Surroundings = {},
): Promise<Outcome> {
  const child = spawn(program, args, { ...place, env: { ...process.env, ...env } })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
      watch?.(said.stderr + said.stdout, child.pid!)
    })
  }
  child.stdin.on('error', () => {}) // it may end before it has read everything
  child.stdin.end(stdin)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
  })
}

/** Machine output: one JSON object a line. */
export function jsonLines(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
