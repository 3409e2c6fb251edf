import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorizationFor } from '../authorization.ts'
import { main } from '../command.ts'
import { digits } from '../digits.ts'

/** The command that serves a page, running as a process of its own. */
export interface Server {
  readonly origin: string
  /** An address for one page. */
  address(): Promise<string>
  /** Where it runs and keeps its project. */
  readonly directory: string
  /** Ends it as a power cut would, or as asked. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Ten classes, by hand; the draws are the same every time. */
export const labelDigits = (...more: string[]) => [
  ...[
    'label',
    digits,
    '--project',
    'digits.alis',
    '--classes',
    '0,1,2,3,4,5,6,7,8,9',
    '--ignore',
    'digit',
    '--batch',
    '10',
    '--learner',
    'linear',
    '--seed',
    '7',
  ],
  ...['--question', 'Which digit is this?', ...more],
]

const directories = new Set<string>()
process.on('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** An empty directory, there as long as this process. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'alis-page-'))
  directories.add(directory)
  return directory
}

/** Starts `alis` with these arguments; resolves when its page can be opened. Without an annotator, the page asks who answers. */
export async function startServer(
  args: readonly string[],
  directory = freshDirectory(),
  port = 0,
  annotator: string | null = 'Tester',
): Promise<Server> {
  const by = annotator === null ? [] : ['--annotator', annotator]
  const child = spawn(process.execPath, [main, ...args, ...by, '--no-open', '--json', '--port', `${port}`], {
    cwd: directory,
    env: { ...process.env, TMPDIR: directory },
  })
  const url = await addressOf(child)
  const { origin } = new URL(url)
  const authorization = await authorizationFor(url)
  return {
    origin,
    async address() {
      const reply = await fetch(`${origin}/api/v1/codes`, { method: 'POST', headers: { origin, authorization } })
      return `${origin}/#code=${((await reply.json()) as { code: string }).code}`
    },
    directory,
    async end(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const address = /"url":"([^"]+)"/.exec(said)?.[1]
      if (address) resolve(address)
    })
    child.on('exit', (code) => reject(new Error(`alis ended with ${code}: ${said}`)))
  })
}
