import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { learnerOf } from '../../src/projects/learner-of.ts'
import { loadPool } from '../../src/projects/load-pool.ts'
import { runLoop } from '../../src/projects/run-loop.ts'
import { strategyNamed } from '../../src/strategies/catalogue.ts'
import { meanOf, table } from '../which-strategy/page.ts'
import { type RunCase, runCases, writeCase } from './made.ts'

interface Seconds {
  readonly processor: number
  readonly clock: number
}

const labels = 2000

/** Whole runs of one pool: theirs, unless there is no scikit-learn, and ours by how they draw. */
interface Runs {
  readonly name: string
  readonly theirs: readonly Seconds[]
  readonly ours: ReadonlyMap<'alis' | 'uncertainty', readonly Seconds[]>
}

/**
 * Whole runs to 2,000 labels, from the first draw on, beside the same loop with scikit-learn's logistic regression and margin draws: in turn, so that other
 * work on the machine meets both alike. Texts are words to them, and words, pairs of these and characters to us.
 */
export async function measureRuns(turns: number, folder: string): Promise<Runs[]> {
  const all: Runs[] = []
  for (const own of runCases) {
    const pool = writeCase(own, folder)
    const theirs: Seconds[] = []
    const ours = { alis: [] as Seconds[], uncertainty: [] as Seconds[] }
    for (let turn = 1; turn <= turns; turn++) {
      const seconds = theirRun(own, pool, turn)
      if (seconds) theirs.push(seconds)
      for (const draws of ['alis', 'uncertainty'] as const) ours[draws].push(await ourRun(own, pool, draws, turn))
    }
    all.push({ name: own.name, theirs, ours: new Map(Object.entries(ours) as ['alis' | 'uncertainty', Seconds[]][]) })
  }
  return all
}

export const meanSeconds = (seconds: readonly Seconds[], what: keyof Seconds) => meanOf(seconds.map((each) => each[what]))

export async function tellRuns(turns: number, folder: string): Promise<void> {
  const rows: string[][] = []
  for (const { name, theirs, ours } of await measureRuns(turns, folder)) {
    const line = (who: string, seconds: readonly Seconds[]) => {
      const cells = (['processor', 'clock'] as const).flatMap((what) => [
        meanSeconds(seconds, what).toFixed(2),
        theirs.length > 0 ? (meanSeconds(seconds, what) / meanSeconds(theirs, what)).toFixed(2) : '',
      ])
      rows.push([name, who, ...cells])
    }
    if (theirs.length > 0) line('scikit-learn, margins', theirs)
    for (const [draws, seconds] of ours) line(`alis run, ${draws}`, seconds)
  }
  console.log(`\nWhole runs to ${labels} labels, from the first draw on; ${turns} turns\n`)
  console.log(table(['pool', 'run', 'processor s', 'beside theirs', 'clock s', 'beside theirs'], rows))
}

async function ourRun({ batch, isText }: RunCase, path: string, draws: 'alis' | 'uncertainty', seed: number): Promise<Seconds> {
  const data = await loadPool(path, { label: 'y', ...(isText && { text: ['text'] }) }, seed)
  const learner = learnerOf(data, { loss: 'logistic', l2: 1, learner: 'linear' })
  const plan = { learner, strategy: strategyNamed(draws), start: batch, batch, budget: labels, seed }
  const [cpu, clock] = [process.cpuUsage(), performance.now()]
  for await (const round of runLoop(data, plan)) if (round.labels >= labels) break
  const { user, system } = process.cpuUsage(cpu)
  const seconds = { processor: (user + system) / 1e6, clock: (performance.now() - clock) / 1e3 }
  await data.close()
  return seconds
}

/** Undefined where there is no scikit-learn. */
function theirRun({ batch, isText = false }: RunCase, pool: string, seed: number): Seconds | undefined {
  const script = fileURLToPath(new URL('./peers.py', import.meta.url))
  const one = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' }
  const jobs = [{ learner: 'logistic', draws: 'uncertainty', isPeer: true }]
  const input = JSON.stringify({ pool, test: pool, seed, batch, checkpoints: [labels], isText, words: 1, jobs })
  const { stdout, status } = spawnSync('/usr/bin/python3', [script], { input, env: { ...process.env, ...one }, encoding: 'utf8' })
  if (status !== 0) return undefined
  const { points } = JSON.parse(stdout) as { points: { seconds: number; clock: number }[] }
  return { processor: points[0]!.seconds, clock: points[0]!.clock }
}
