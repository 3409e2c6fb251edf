import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { closing, orClosed } from '../../core/closing.ts'
import { pick } from '../../core/pick.ts'
import { nowOnRecord } from '../../projects/now-on-record.ts'
import { knownSettings, openToRead } from '../../projects/settings.ts'
import type { ServeOptions } from '../../server/http/serve.ts'
import { nowWords } from '../../text/now.ts'
import type { PageOptions } from '../options/options.ts'
import { say, writeLine } from '../reports/output.ts'
import { Stopped } from './stopped.ts'

const patience = 5_000 // ms: what is wrong with a pool mostly shows by then, and is said here; later, the page says it

const minute = 60_000 // ms: what a program is started with, others on this machine can read

/** Serves the page until Ctrl-C, then finishes what is being written. */
export async function servePage(
  work: Pick<ServeOptions, 'directory' | 'work'>,
  options: PageOptions,
  {
    signal,
    lines = [],
    again,
  }: { signal: AbortSignal; lines?: readonly string[]; again?: (project: string) => readonly string[] },
): Promise<never> {
  const { serve } = await import('../../server/http/serve.ts') // with the server, SQLite and all: only where there is a page
  const { port, host, annotator, engine, memory, json = false } = options
  const served = await serve({
    ...work,
    port,
    host,
    annotator,
    wish: { engine, memory, ...pick(options, 'learnerCommand', 'learnerUrl', 'learnerTimeout') },
  })
  await orClosed(served, () => Promise.race([served.projectHost.whenReady(), pause(patience, undefined, { ref: false })]))
  if (host !== undefined && !isLocal(host))
    process.stderr.write(
      `alis: the page can be reached from other machines by ${host}. Who opens an address of it can read the pool and answer.\n`,
    )
  const url = served.address()
  if (json) writeLine('progress', { step: 'listening', url })
  const columns = served.projectHost.session()?.loaded()?.columns ?? []
  const isAsked = !json && process.stdin.isTTY && process.stdout.isTTY
  const ways = isAsked ? 'Enter prints an address for another page; Ctrl-C stops it' : 'Ctrl-C stops it'
  if (!json) say([...lines, ...columns, `The page is at ${url}`, `${ways}; nothing is lost.`])
  if (options.open && !json) openBrowser(served.address(minute))
  const another = () => say(`Another page is at ${served.address()}`)
  if (isAsked) process.stdin.on('data', another)
  await ending(signal)
  if (isAsked) process.stdin.off('data', another).pause()
  const project = served.projectHost.session()?.view().path
  await served.close()
  if (project !== undefined && !json) await sayNow(project)
  throw new Stopped(project === undefined ? undefined : (again?.(project) ?? ['label', '--project', project]))
}

/** How good the model of a project is by now, where that is on record. */
async function sayNow(path: string): Promise<void> {
  const now = await closing(openToRead(path), async (project) => {
    const settings = await knownSettings(project)
    return settings && (await nowOnRecord(project, settings)).now
  })
  if (now) say(`\nRight now the model is ${nowWords(now)}.`)
}

/** Resolves on Ctrl-C, or on SIGTERM, by which service managers stop a process. */
function ending(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}

const isLocal = (host: string) => /^(?:127\.|localhost$|::1$)/.test(host)

/** Opens the page where a browser can be seen; where that fails, the address was printed. */
function openBrowser(url: string): void {
  const system = platform()
  const hasDisplay = system !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!hasDisplay || !process.stdout.isTTY) return
  const [program, ...args] = system === 'darwin' ? ['open'] : system === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
