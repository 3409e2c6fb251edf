import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LearnedModel } from '../../src/core/model.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { treesLearner } from '../../src/learners/trees.ts'
import { meanSeconds, measureRuns } from '../learners/runs.ts'
import { roundsWithout } from '../running/cost.ts'
import { writePool } from '../scale/pools.ts'
import type { Measured } from '../scale/table.ts'
import { type BenchPool, fillRandom, medianOf, modelOf, randomPool, type Timing } from '../speed/pool.ts'
import { rounds } from '../speed/rounds.ts'
import type { Figure } from './figure.ts'

const node = (script: string, ...args: string[]): string =>
  execFileSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

const orNothing = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined // what it takes is not here
  }
}

export async function wholeRuns(folder: string): Promise<Figure[]> {
  const all = await measureRuns(2, folder)
  const goals = [0.5, 1, 1] // of the cases in their order
  return all.map(({ name, theirs, ours }, k) => ({
    what: `run to 2,000 labels, ${name}`,
    beside: 'the loop in scikit-learn',
    unit: '×',
    found: theirs.length > 0 ? meanSeconds(ours.get('alis')!, 'processor') / meanSeconds(theirs, 'processor') : undefined,
    goal: goals[k]!,
  }))
}

type Rounds = Readonly<Record<'floats' | 'bytes' | 'ten', Timing>>
type Peers = Readonly<Record<'query' | 'ten', Timing>>

/** Rounds in memory, in turn with what scikit-learn takes to score the points and pick the top; by processor time, as both use all there are. */
export async function inMemory(): Promise<Figure[]> {
  const peers = fileURLToPath(new URL('../speed/peers.py', import.meta.url))
  const turns = Array.from({ length: 3 }, () => ({
    theirs: orNothing(() => JSON.parse(execFileSync('/usr/bin/python3', [peers], { encoding: 'utf8', stdio: 'pipe' })) as Peers),
    ours: JSON.parse(node('../speed/main.ts', '--child', 'round')) as Rounds,
  }))
  const theirs = turns.flatMap(({ theirs }) => theirs ?? [])
  const figure = (what: string, own: keyof Rounds, other: keyof Peers, goal: number): Figure => ({
    ...{ what: `round of 1,000,000 × 20, ${what}`, beside: 'scikit-learn', unit: '×', goal, isLeast: true },
    found:
      theirs.length > 0
        ? medianOf(theirs.map((each) => each[other])).processors / medianOf(turns.map(({ ours }) => ours[own])).processors
        : undefined,
  })
  return [
    figure('ten classes', 'ten', 'ten', 12),
    figure('two classes', 'floats', 'query', 13),
    figure('two classes, 8 bits', 'bytes', 'query', 20),
  ]
}

/** Rounds of databases over a plain scan of the same rows. */
export async function inDatabases(folder: string): Promise<Figure[]> {
  const [rows, features] = [1_000_000, 20]
  const own = await mkdtemp(join(folder, 'disk-'))
  const pattern = await writePool(own, rows, features, false)
  const onDisk = JSON.parse(node('../scale/rounds.ts', 'duckdb', pattern, `${features}`, `${rows}`, `${2 ** 31}`)) as Measured
  rmSync(own, { recursive: true })
  const servers = orNothing(
    () =>
      JSON.parse(
        node('../cluster/main.ts', '--shards', '1', '--rows', `${rows}`, '--json').trimEnd().split('\n').at(-1)!,
      ) as Measured[],
  )
  const ratio = (measured: Measured | undefined) => measured?.scanSeconds && measured.roundSeconds / measured.scanSeconds
  const beside = 'a plain scan of the features'
  return [
    { what: 'round of 1,000,000 × 20 on disk', beside, unit: '×', found: ratio(onDisk), goal: 3 },
    {
      what: `the same on ClickHouse ${servers?.at(-1)?.engine.split(' ')[1] ?? ''}`,
      beside,
      unit: '×',
      found: ratio(servers?.at(-1)),
      goal: 3,
    },
  ]
}

/** Rounds with what came later, over those without, by processor time. */
export async function laterPasses(): Promise<Figure[]> {
  const [without, looking] = (await roundsWithout('kernels', 1_000_000, 30)).map(medianOf) as [Timing, Timing]
  const pool = randomPool(1_000_000, 20)
  const plain = await roundOf(
    pool,
    [1, 2, 3, 4, 5].map((k) => modelOf(20, k)),
  )
  const landmarks = await roundOf(
    randomPool(1_000_000, 52),
    [1, 2, 3, 4, 5].map((k) => modelOf(52, k)),
  )
  const trees = await roundOf(pool, await treesOf(pool))
  const beside = 'a round without'
  return [
    { what: 'round with the running certificate', beside, unit: '×', found: looking.processors / without.processors, goal: 1.3 },
    { what: 'round with 32 landmarks', beside, unit: '×', found: landmarks / plain, goal: 1.3 },
    { what: 'round with 100 trees of 2,000 labels', beside, unit: '×', found: trees / plain, goal: 1.3 },
    { what: 'the same, of a processor', beside: '', unit: 's', found: trees / 1000, goal: 2 },
  ]
}

async function roundOf(pool: BenchPool, models: readonly LearnedModel[]): Promise<number> {
  const engine = fastEngine(pool)
  const times: Timing[] = []
  for (const [k, model] of models.entries()) times.push(...(await rounds(engine, 1, k, () => model)))
  await engine.close()
  return medianOf(times.slice(1)).processors // the first is to warm up
}

/** Three models, of labels that a linear model gives, but for one in ten. */
async function treesOf({ features }: BenchPool): Promise<LearnedModel[]> {
  const seen = Array.from({ length: 2000 }, (_, row) => row)
  const own = features.select(seen)
  const weights = Float64Array.from(modelOf(20, 1).weights[0]!)
  const lots = new Float32Array(seen.length)
  fillRandom()(lots)
  const labels = seen.map((row) => (own.dot(row, weights) > 0 !== lots[row]! > 1.6 ? 1 : 0))
  const training = { features: own, labels, weights: seen.map(() => 1) }
  return Promise.all([1, 2, 3].map((seed) => treesLearner(2, { seed }).fit(training, ['no', 'yes'])))
}

/** Fifty people who answer as fast as they can. */
export async function annotators(): Promise<Figure[]> {
  const said = node('../server/main.ts', '5')
  const found = [...said.matchAll(/p99 is ([\d.]+) times/g)].at(-1)?.[1]
  return [
    {
      ...{ what: 'p99 of an answer, 50 annotators', beside: 'p99 of a row written alone', unit: '×', goal: 5 },
      found: found === undefined ? undefined : Number(found),
    },
  ]
}
