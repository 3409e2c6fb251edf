import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'vite'
import { uniform } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import type { GivenAnswer } from '../../src/stores/project.ts'

export interface Acknowledged {
  readonly round: number
  readonly id: string
  readonly label: Label
}

/** When a process dies: so many milliseconds after it has acknowledged so many answers; 0 answers is its start. */
export interface Death {
  readonly afterLines: number
  readonly delay: number
}

export const scratch = mkdtempSync(join(tmpdir(), 'alis-store-'))
export const script = await bundled(join(import.meta.dirname, 'child.ts'))
const env = { ...process.env, NODE_COMPILE_CACHE: join(scratch, 'compiled') }
const begin = () => spawnSync(process.execPath, [script], { env })
begin() // compiles once what will be started hundreds of times
const began = performance.now()
begin()
const startUp = performance.now() - began

/** The script and what it imports in one file: it is started hundreds of times, and reading hundreds of files is most of a short life. */
async function bundled(entry: string): Promise<string> {
  const external = 'better-sqlite3' // loads a library beside itself
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: [external] },
    build: {
      ssr: entry,
      outDir: scratch,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'child.mjs', paths: { [external]: import.meta.resolve(external) } } },
    },
  })
  return join(scratch, 'child.mjs')
}

/** A moment that looks random and is the same in every run of the test: as it starts up, or within a few answers. */
export function deathOf(life: string): Death {
  const u = (what: string) => uniform(20260101, what, life)
  return u('early') < 0.2
    ? { afterLines: 0, delay: 1.2 * startUp * u('start') }
    : { afterLines: Math.ceil(4 * u('line')), delay: 5 * u('delay') }
}

interface Fate {
  /** Never, if left out. */
  readonly death?: Death
  readonly manner?: 'hasty' | 'careless'
  /** Answers after which the run is over. Default 300. */
  readonly answers?: number
}

/** Starts the child on a project. */
export function start(path: string, seed: number, { death, manner, answers = 300 }: Fate = {}) {
  const given = [script, path, `${seed}`, `${answers}`, ...(manner ? [manner] : [])]
  const child = spawn(process.execPath, given, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const acknowledged: Acknowledged[] = []

  const killInTime = () => {
    if (acknowledged.length === death?.afterLines) setTimeout(() => child.kill('SIGKILL'), death.delay)
  }
  lines.on('line', (line) => {
    acknowledged.push(JSON.parse(line))
    killInTime()
  })
  killInTime()

  let isOver = false
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code ? reject(new Error(`the child failed with code ${code}`)) : resolve()))
  })
  const read = new Promise((resolve) => lines.once('close', resolve))

  return {
    pid: child.pid,
    stop: () => child.kill('SIGSTOP'),
    kill: () => child.kill('SIGKILL'),
    /** What it has acknowledged, as soon as that is so many answers or it has ended. */
    async acknowledges(count: number): Promise<readonly Acknowledged[]> {
      while (acknowledged.length < count && !isOver) await pause(1)
      return [...acknowledged]
    },
    /** Everything it acknowledged in its life, and whether it was killed. */
    ended: Promise.all([ended, read]).then(() => {
      isOver = true
      return { acknowledged, wasKilled: child.signalCode === 'SIGKILL' }
    }),
  }
}

/** One life of the child, from its start to its end or its death. */
export const live = (path: string, seed: number, fate?: Fate) => start(path, seed, fate).ended

/** Acknowledged answers that are not on record exactly once, as they were given. */
export function missing(acknowledged: readonly Acknowledged[], answers: readonly GivenAnswer[]): Acknowledged[] {
  const found = Map.groupBy(answers, ({ round, id }) => `${round} ${id}`)
  return acknowledged.filter(({ round, id, label }) => {
    const [answer, ...more] = found.get(`${round} ${id}`) ?? []
    return !answer || answer.label !== label || more.length > 0
  })
}
