import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RoundView, RunningLimits } from '../../src/certificates/running.ts'
import type { ReadDraw, RunningRound } from '../../src/certificates/running-readings.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { predictedClass, scorerOf, scoresPerPoint } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn } from '../../src/loop.ts'
import type { Oracle } from '../../src/oracles/oracle.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { alis } from '../../src/strategies/alis.ts'
import { count } from '../../src/text/wording.ts'
import { engines } from '../scale/engines.ts'
import { writePool } from '../scale/pools.ts'
import { medianOf, modelOf, randomPool, type Timing, timed } from '../speed/pool.ts'

const columns = 20
const warmUp = 12
const classes = ['no', 'yes']

/** A round of `learn()` with the running certificate, and without, over pools of some sizes: two runs in turn, so that both have the same neighbours. */
export async function cost(sizes: readonly number[], rounds: number, engineNames: readonly string[]): Promise<string> {
  const rows: string[][] = []
  for (const name of engineNames)
    for (const size of sizes) {
      rows.push([name, count(size), ...cellsOf(await roundsWithout(name, size, rounds))])
    }
  const titles = ['points', 'ms without', 'with', 'ratio', 'of processors, without', 'with', 'ratio']
  const table = drawTable({
    columns: [{ title: 'engine' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows,
  })
  return [
    `A round of 10 with the default strategy, ${columns} features, without the running certificate and with it:`,
    table,
  ].join('\n')
}

/** Rounds without the running certificate, and with it. */
export const roundsWithout = (engine: string, size: number, rounds: number) =>
  pools[engine]!(size, (open) => takeTurns([open(), open()], rounds))

type Use = (engine: () => Engine) => Promise<readonly (readonly Timing[])[]>

const pools: Readonly<Record<string, (size: number, use: Use) => ReturnType<Use>>> = {
  kernels: (size, use) => {
    const pool = randomPool(size, columns)
    return use(() => fastEngine(pool))
  },
  async duckdb(size, use) {
    const folder = await mkdtemp(join(tmpdir(), 'alis-running-'))
    try {
      const pattern = await writePool(folder, size, columns, false)
      const opened = await Promise.all(
        [0, 1].map(() => engines.duckdb!({ pattern, features: columns, rows: size, memory: 2 ** 31 })),
      )
      let next = 0
      return await use(() => opened[next++]!.engine)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

function cellsOf([without, looking]: readonly (readonly Timing[])[]): string[] {
  const [a, b] = [medianOf(without!), medianOf(looking!)]
  const cells = (x: number, y: number) => [x.toFixed(1), y.toFixed(1), (y / x).toFixed(2)]
  return [...cells(a.clock, b.clock), ...cells(a.processors, b.processors)]
}

/** The first without the certificate: a store that has no models leaves nothing to say, and changes nothing else. */
async function takeTurns(engines: readonly Engine[], rounds: number): Promise<Timing[][]> {
  const learner = logisticLearner()
  const stores = [{ ...memoryStore(), model: async () => undefined }, memoryStore()]
  const runs = engines.map((engine, k) =>
    learn({ engine, store: stores[k]!, oracle: slipping(engine), learner, strategy: alis, classes, seed: 1, rounds }),
  )
  const timings = runs.map((): Timing[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [k, run] of runs.entries()) {
      const timing = await timed(() => run.next())
      if (round >= warmUp) timings[k]!.push(timing)
    }
  for (const engine of engines) await engine.close()
  return timings
}

/** Says what a linear model does, but for a sixth, so that what is learned goes on moving. */
function slipping(engine: Engine): Oracle {
  const score = scorerOf(modelOf(columns, 1))
  const scores = new Float64Array(scoresPerPoint(modelOf(columns, 1)))
  return {
    name: 'slipping',
    async *label(ids) {
      const features = await engine.features(ids)
      for (const [row, id] of ids.entries()) {
        score(features, row, scores)
        const own = predictedClass(scores)
        yield { id, label: classes[uniform(1, 'slip', id) < 1 / 6 ? 1 - own : own]! }
      }
    },
    close: async () => {},
  }
}

/** Milliseconds of a processor that limits take from readings that are there, after so many answers in rounds of 10, and to read all of them. */
export async function look(answers: readonly number[]): Promise<string> {
  const rows: string[][] = []
  for (const total of answers) {
    const [read, limited]: [Timing[], Timing[]] = [[], []]
    for (let k = 0; k < 15; k++) {
      const { limits, rounds, views } = recordOf(total)
      read.push(await timed(() => rounds.map((round) => limits.add(round))))
      limited.push(await timed(() => limits.limits(points - total, views)))
    }
    rows.push([count(total), ...[read, limited].map((timings) => medianOf(timings).processors.toFixed(1))])
  }
  const columns = ['answers', 'ms to read all', 'ms to look'].map((title) => ({ title, align: 'right' as const }))
  return `What a look takes without the counts, in a pool of ${count(points)}:\n${drawTable({ columns, rows })}`
}

const points = 100_000

function recordOf(total: number) {
  const lot = (name: string, k: number) => uniform(1, name, `${k}`)
  const rounds: RunningRound[] = []
  const views: RoundView[] = []
  for (let t = 0; 10 * t < total; t++) {
    const draws = Array.from({ length: 10 }, (_, j): ReadDraw => {
      const [g, mass] = [0.3 * lot('g', 10 * t + j), 0.2 + lot('mass', 10 * t + j)]
      return { loss: lot('loss', 10 * t + j) < 0.1 ? 1 : 0, mass, probability: mass / points, predictedLoss: g }
    })
    const predicted = { predictedLoss: 0.1 * points, predictedVariance: 0.09 * points }
    const totals = { points, mass: points, ...predicted, largestUp: 5, largestDown: 2 }
    rounds.push({ ...totals, design: 'successive', isLearned: t > 0, draws })
    views.push({ mostErrors: t, leastErrors: t, differing: 20 * t, added: 0, gone: 0 })
  }
  return { limits: new RunningLimits(), rounds, views }
}
