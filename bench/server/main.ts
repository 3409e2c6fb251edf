// How long an answer takes to be saved while many people answer at once: HTTP, SQLite, fsync. Beside it, in the same run, what one
// row takes that is written and synced by one connection alone, which is as fast as the disk allows.   node bench/server/main.ts [seconds] [annotators]
// With `node --expose-gc`, memory is what is still needed: the heap after a collection, which waits are longer for.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { uniform } from '../../src/core/randomness.ts'
import { serve } from '../../src/server/http/serve.ts'
import { openProject } from '../../src/stores/sqlite.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { authorizationFor } from '../../test/authorization.ts'
import type { Work } from './annotators.ts'

const [seconds = 10, annotators = 50] = process.argv.slice(2).map(Number)
const points = 5_000
const looksAtMemory = 12
const { gc: collect } = globalThis as { readonly gc?: () => void }
const classes = ['no', 'yes']
const directory = mkdtempSync(join(tmpdir(), 'alis-bench-server-'))
const pool = join(directory, 'pool.csv')
const rows = Array.from({ length: points + 1 }, (_, i) => `p${i},${uniform(1, 'x', `${i}`)},${uniform(1, 'y', `${i}`)}`)
writeFileSync(pool, ['id,x,y', ...rows, ''].join('\n'))

interface Load {
  readonly acknowledged: readonly (readonly [id: string, label: string])[][]
  readonly waits: readonly number[]
}

try {
  const raw = rawWaits()
  report('a row alone, written and synced (reference)', raw)
  for (const thinking of [200, 0]) {
    const { acknowledged, waits, took, cpu, memory, twice } = await load(thinking)
    const lost = await lostOf(thinking, acknowledged)
    const count = acknowledged.reduce((sum, own) => sum + own.length, 0)
    const pace = thinking > 0 ? `one answer in ${thinking} ms each` : 'as fast as they can'
    console.log(
      `\n${annotators} annotators with open pages, ${pace}: ${count} answers, ${Math.round(count / took)} a second, ${lost} lost`,
    )
    report('an answer, from request to acknowledgement', waits)
    console.log(
      `${collect ? 'heap after collections' : 'memory of the process'} over the run: ${memory.map((bytes) => (bytes / 1e6).toFixed(collect ? 1 : 0)).join(', ')} MB; ${twice} rows twice`,
    )
    console.log(`the server's thread worked ${(cpu / count).toFixed(2)} ms for each`)
    console.log(`p99 is ${(at(waits, 0.99) / at(raw, 0.99)).toFixed(1)} times that of a row alone`)
    if (lost + twice > 0) process.exitCode = 1
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function memoryNow(): number {
  collect?.()
  return collect ? process.memoryUsage().heapUsed : process.memoryUsage.rss()
}

function projectFor(thinking: number): string {
  return `bench-${thinking}.alis`
}

interface Loaded extends Load {
  /** Seconds. */
  readonly took: number
  /** Milliseconds of the server's thread. */
  readonly cpu: number
  /** Bytes of the process, again and again. */
  readonly memory: readonly number[]
  /** Rows on disk beyond what was acknowledged. */
  readonly twice: number
}

async function load(thinking: number): Promise<Loaded> {
  const beginning = {
    path: pool,
    wishes: {},
    classes,
    plan: { strategy: 'alis', batch: 10, budget: points },
    start: points,
    loss: 'logistic',
    l2: 1,
    seed: 1,
  } as const
  const labelling = { question: '?', guidelines: '', classes: keyed(classes) }
  const served = await serve({
    directory,
    port: 0,
    work: { project: projectFor(thinking), source: { kind: 'new', beginning, labelling } },
  })
  const { origin } = served
  const authorization = await authorizationFor(served.address())
  const session = served.projectHost.session()!
  while (session.view().phase.kind !== 'asking') await new Promise((resolve) => setTimeout(resolve, 20))
  const { round, points: drawn } = session.openRound()
  const ids = drawn.slice(1).map(({ id }) => id) // the first is never answered: the round stays open
  const shares = Array.from({ length: annotators }, (_, who) => ids.filter((_, k) => k % annotators === who))
  const started = performance.now()
  const before = process.threadCpuUsage()
  const work: Work = { origin, authorization, round, shares, classes, milliseconds: 1000 * seconds, thinking }
  const crowd = fork(new URL('./annotators.ts', import.meta.url), { serialization: 'advanced' })
  crowd.send(work)
  const memory: number[] = []
  const watch = setInterval(() => memory.push(memoryNow()), (1000 * seconds) / looksAtMemory)
  const done = await new Promise<Load>((resolve, reject) =>
    crowd
      .once('message', (load) => resolve(load as Load))
      .once('error', reject)
      .once('exit', (code) => code && reject(new Error(`annotators ended with ${code}`))),
  )
  clearInterval(watch)
  const took = (performance.now() - started) / 1000
  const { user, system } = process.threadCpuUsage(before)
  const rows = (await session.project.answers()).length
  const twice = rows - done.acknowledged.reduce((sum, own) => sum + own.length, 0)
  await served.close()
  return { ...done, took, cpu: (user + system) / 1000, memory, twice }
}

/** Answers that were acknowledged and are not on disk, in the order each annotator gave them. */
async function lostOf(thinking: number, acknowledged: Load['acknowledged']): Promise<number> {
  const project = await openProject(join(directory, projectFor(thinking)), { mode: 'read' })
  const kept = Map.groupBy(await project.answers(), ({ id }) => id)
  await project.close()
  const given = Map.groupBy(acknowledged.flat(), ([id]) => id)
  let lost = 0
  for (const [id, answers] of given) {
    const found = kept.get(id)?.map(({ label }) => label) ?? []
    lost += answers.filter(([, label], k) => found[k] !== label).length
  }
  return lost
}

function rawWaits(): number[] {
  const sqlite = new Database(join(directory, 'raw.sqlite'))
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.exec('CREATE TABLE answers (id TEXT, label TEXT)')
  const insert = sqlite.prepare('INSERT INTO answers VALUES (?, ?)')
  const waits = Array.from({ length: 2_000 }, (_, k) => {
    const started = performance.now()
    insert.run(`p${k}`, 'yes')
    return performance.now() - started
  })
  sqlite.close()
  return waits
}

function at(waits: readonly number[], share: number): number {
  return waits.toSorted((a, b) => a - b)[Math.floor(share * (waits.length - 1))]!
}

function report(what: string, waits: readonly number[]): void {
  const [half, most, worst] = [0.5, 0.99, 1].map((share) => `${at(waits, share).toFixed(2)} ms`)
  console.log(`${what}: p50 ${half}, p99 ${most}, longest ${worst}`)
}
