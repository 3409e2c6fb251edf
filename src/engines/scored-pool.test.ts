import { expect, it } from 'vitest'
import { chanceModel, chanceSums, identityOfPoints, scoresOfChances } from '../core/chances.ts'
import { dense } from '../core/features.ts'
import { hashIds } from '../core/randomness.ts'
import type { StratifiedPool } from '../core/strata.ts'
import { columnsLearner } from '../learners/columns-learner.ts'
import { learn } from '../loop.ts'
import { logistic } from '../losses/logistic.ts'
import { stratifyModel } from '../losses/strata.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import { strategies } from '../strategies/catalogue.ts'
import { memoryEngine } from './memory.ts'
import { type ScoreSnapshot, scoredPool } from './scored-pool.ts'

const ids = Array.from({ length: 40 }, (_, i) => `p${i}`)
const classes = ['no', 'yes']

/** Scores from outside, as they are in some version. */
function snapshotOf(version: number, names = ids): ScoreSnapshot {
  const chances = Float32Array.from(names, (_, i) => ((i * 7 + version) % 32) / 32)
  const sums = chanceSums(hashIds(names), [chances])
  const features = dense(
    Float64Array.from(chances, (p) => scoresOfChances([p])[0]!),
    1,
  )
  const engine: ScoreSnapshot['engine'] = (kept) => memoryEngine({ ids: names, features, ...(kept && { classes: kept }) })
  return { model: chanceModel(sums, classes), size: names.length, points: identityOfPoints(sums), engine, close: async () => {} }
}

it('is learned from nothing, round by round, with the scores that are there then', async () => {
  let version = 1
  const pool = await scoredPool(async () => snapshotOf(version))
  const store = memoryStore()
  const labels = new Map(ids.map((id, i) => [id, classes[i % 2]!]))
  const learner = columnsLearner(2, pool.look)
  const plan = { strategy: strategies.alis, classes, seed: 1, start: 4, batch: 4, rounds: 3 }
  for await (const { round, model } of learn({ ...plan, engine: pool.engine(), store, learner, oracle: columnOracle(labels) })) {
    expect(model.id).toBe(snapshotOf(version).model.id)
    version = round + 2 // refreshed between two rounds
  }
  const rounds = await store.rounds()
  expect(rounds.map(({ model }) => model)).toEqual([1, 1, 2, 3].map((each) => snapshotOf(each).model.id))
  expect(new Set(rounds.flatMap(({ draws }) => draws.map(({ id }) => id))).size).toBe(16) // what is taken stays taken
})

it('answers for one model at a time, and for the same points always', async () => {
  let now = snapshotOf(1)
  const pool = await scoredPool(async () => now)
  const engine = pool.engine()
  const first = await pool.look()
  now = snapshotOf(2)
  const request = { loss: columnsLearner(2, pool.look).loss, mass: strategies.alis.mass, controls: [] }
  await expect(engine.survey({ ...request, model: now.model })).rejects.toThrow('the columns must hold the model')
  expect((await engine.survey({ ...request, model: first })).points).toBe(40)
  const second = await pool.look()
  await expect(engine.survey({ ...request, model: first })).rejects.toThrow('the columns must hold the model')
  expect((await engine.survey({ ...request, model: second })).points).toBe(40)
  now = snapshotOf(3, ids.with(5, 'another'))
  await expect(pool.look()).rejects.toThrow(
    'scores: the points must be those that were there when the pool was opened, got others',
  )
})

it('has strata of one model at a time, and what is taken stays taken', async () => {
  let now = snapshotOf(1)
  const pool = await scoredPool(async () => now)
  const engine = pool.engine()
  const { stratify } = stratifyModel(logistic, 2)
  const first = engine.stratified(await pool.look(), stratify)
  const points = async (strata: StratifiedPool) => (await strata.counts()).counts.reduce((a, b) => a + b, 0)
  await first.take(ids.slice(0, 5))
  expect(await points(first)).toBe(35)
  now = snapshotOf(2)
  const second = engine.stratified(await pool.look(), stratify)
  await expect(first.counts()).rejects.toThrow('the columns must hold the model')
  expect(await points(second)).toBe(35)
  const { codes } = await second.counts()
  const [draw] = await second.draw({ codes, masses: codes.map(() => 1), size: 1, stream: { seed: 1, name: 'audit/1' } })
  expect(await second.codesOf([draw!.id])).toEqual(Float64Array.of(draw!.code))
  await engine.take([draw!.id])
  expect([await points(second), second.size]).toEqual([34, 40])
})

it('compares a model with those that the columns held before', async () => {
  let version = 1
  const pool = await scoredPool(async () => snapshotOf(version))
  const engine = pool.engine()
  const { loss } = columnsLearner(2, pool.look)
  const classOf = (i: number, at: number) => ((i * 7 + at) % 32 >= 16 ? 1 : 0)
  const differ = (a: number, b: number) => ids.slice(5).filter((_, i) => classOf(i + 5, a) !== classOf(i + 5, b)).length
  await engine.take(ids.slice(0, 5))
  const first = await pool.look()
  expect(await engine.compare({ model: first, loss, earlier: [] })).toMatchObject({ points: 35, differing: [] })
  version = 4
  const second = await pool.look()
  const request = { model: second, loss, mass: strategies.alis.mass, controls: [] }
  expect((await engine.compare({ ...request, earlier: [first] })).differing).toEqual([differ(1, 4)])
  version = 9
  const third = await pool.look()
  expect((await engine.compare({ ...request, model: third, earlier: [second] })).differing).toEqual([differ(4, 9)])
  expect((await engine.compare({ ...request, model: third, earlier: [first, second] })).differing).toEqual([null, differ(4, 9)])
  await expect(engine.compare({ ...request, model: second, earlier: [third] })).rejects.toThrow('must hold the model')
})
