import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alisStrategy } from '../strategies/alis.ts'
import { compare } from './compare.ts'
import { openKeptRuns } from './kept-runs.ts'
import type { ComparePlan } from './plan.ts'
import { comparedStrategy, jobsOf, runSeeds, withBaseline } from './plan.ts'
import type { Run } from './run.ts'

const digits = fileURLToPath(new URL('../../data/digits.csv', import.meta.url))
const plan: ComparePlan = {
  pool: digits,
  data: { label: 'digit', positive: '1,3,5,7,9', test: 0.3 },
  loss: 'logistic',
  l2: 1,
  start: 10,
  batch: 10,
  budget: 40,
  seed: 5,
}
const options = { strategies: ['alis', 'uncertainty', 'uniform'], splits: 2, threads: 1 }

let folder: string
let whole: Run[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alis-compare-'))
  whole = await compare(plan, options)
})
afterAll(() => rm(folder, { recursive: true }))

/** All that a run says but how long it took, which is never the same. */
const timeless = (runs: readonly Run[]) =>
  runs.map(({ rounds, ...job }) => ({ ...job, rounds: rounds.map(({ seconds: _, ...round }) => round) }))

it('compares in pairs: one split, one start and one seed for all strategies, another for the next', () => {
  expect(whole.map(({ strategy, split }) => `${strategy} ${split}`)).toEqual([
    'alis 0',
    'uncertainty 0',
    'uniform 0',
    'alis 1',
    'uncertainty 1',
    'uniform 1',
  ])
  const starts = timeless(whole).map(({ rounds }) => JSON.stringify(rounds[0]))
  expect(new Set(starts.slice(0, 3)).size).toBe(1)
  expect(new Set(starts.slice(3)).size).toBe(1)
  expect(starts[0]).not.toBe(starts[3])
  expect(whole.map(({ rounds }) => rounds.at(-1)!.error)).not.toEqual(whole.map(() => whole[0]!.rounds.at(-1)!.error))
})

it('knows the truth that an estimate is of, and has no estimate without dice', () => {
  const [drawn, chosen] = whole
  for (const { round, truth, estimate, low, high } of drawn!.rounds) {
    expect(truth === null).toBe(round === 0)
    expect([estimate, low, high].every((value) => value !== null && value >= 0)).toBe(true)
  }
  for (const { round, estimate } of chosen!.rounds) expect(estimate === null).toBe(round > 0) // the start is drawn
})

it('gives the same runs on two threads', async () => {
  expect(timeless(await compare(plan, { ...options, threads: 2 }))).toEqual(timeless(whole))
})

it('stops on the way, keeps what is finished, and goes on to the same end', async () => {
  const directory = join(folder, 'stopped')
  const stopping = new AbortController()
  const first = await openKeptRuns(directory, { seed: plan.seed })
  const kept = { ...first, keep: (run: Run) => first.keep(run).then(() => stopping.abort()) }
  await expect(compare(plan, { ...options, kept, signal: stopping.signal })).rejects.toThrow('aborted')
  await first.close()
  const file = join(directory, 'runs.jsonl')
  const done = (await readFile(file, 'utf8')).trimEnd().split('\n').length
  expect(done).toBeGreaterThanOrEqual(1)
  expect(done).toBeLessThan(6)
  await appendFile(file, '{"strategy":"alis","split":') // as a power cut leaves it

  const again = await openKeptRuns(directory, { seed: plan.seed })
  const begun: string[] = []
  const runs = await compare(plan, {
    ...options,
    kept: { ...again, keep: (run) => again.keep(run).then(() => void begun.push(run.strategy)) },
  })
  await again.close()
  expect(begun.length).toBe(6 - done)
  expect(timeless(runs)).toEqual(timeless(whole))
  expect((await readFile(file, 'utf8')).trimEnd().split('\n').length).toBe(6)
})

it('says what is wrong in the words of whoever found it, from whichever thread', async () => {
  await expect(compare({ ...plan, pool: join(folder, 'nowhere.csv') }, options)).rejects.toMatchObject({
    name: 'AlisError',
    code: 'bad-input',
    message: expect.stringContaining('nowhere.csv'),
  })
})

describe('a directory of runs', () => {
  const making = { pool: 'sha256:1', label: 'digit', batch: 10, seed: 5 }

  it('refuses runs that were made otherwise, and says what differs', async () => {
    const directory = join(folder, 'others')
    await (await openKeptRuns(directory, making)).close()
    await expect(openKeptRuns(directory, { ...making, batch: 20 })).rejects.toMatchObject({
      code: 'bad-input',
      message: `${directory}: batch must be 10, as in the runs it holds, got 20`,
    })
    await expect(openKeptRuns(directory, { ...making, positive: '1' })).rejects.toThrow('positive must be none')
    await (await openKeptRuns(directory, making)).close() // and takes those it has
  })

  it('refuses files that are not its own', async () => {
    const directory = join(folder, 'broken')
    await (await openKeptRuns(directory, making)).close()
    await writeFile(join(directory, 'runs.jsonl'), 'hello\n')
    await expect(openKeptRuns(directory, making)).rejects.toMatchObject({ code: 'bad-input' })
    await writeFile(join(directory, 'compare.json'), '{')
    await expect(openKeptRuns(directory, making)).rejects.toThrow('must be as a comparison left it')
    await expect(openKeptRuns(join(directory, 'compare.json'), making)).rejects.toThrow('must be a place to write to')
  })
})

it('adds the baseline, and knows its strategies by name', () => {
  expect(withBaseline(['alis'])).toEqual(['alis', 'uniform'])
  expect(withBaseline(['uniform', 'alis'])).toEqual(['uniform', 'alis'])
  expect(withBaseline(['alis', 'alis:0.3'])).toEqual(['alis', 'alis:0.3', 'uniform'])
  expect(comparedStrategy('alis:0.3').mass.parts).toEqual(alisStrategy({ know: 0.3 }).mass.parts)
  expect(() => withBaseline(['alsi'])).toThrow(/^strategy: one of alis, .* is required, got "alsi"$/)
  expect(() => withBaseline(['alis:'])).toThrow('know: a share from 0.1 to 1 is required, got 0')
  expect(() => withBaseline(['alis:0.3:1'])).toThrow('know: a share from 0.1 to 1 is required, got NaN')
  expect(() => withBaseline(['uniform:0.3'])).toThrow('know: strategy alis is required, got uniform')
  expect(() => withBaseline(['toString'])).toThrow('got "toString"')
})

it('makes seeds that neighbours do not share', () => {
  expect(runSeeds(1, 20)).toEqual(runSeeds(1, 30).slice(0, 20))
  expect(runSeeds(1, 20).some((seed) => runSeeds(2, 20).includes(seed))).toBe(false)
  expect(runSeeds(1, 20).every(Number.isSafeInteger)).toBe(true)
  expect(jobsOf(1, ['a', 'b'], 2).map(({ strategy, split }) => strategy + split)).toEqual(['a0', 'b0', 'a1', 'b1'])
})
