import { expect, it } from 'vitest'
import type { Reader } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { type LinearModel, linearModel } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { doubtPlace, type StrataCounts, type Stratify, sharePlace, stratumCodes } from '../core/strata.ts'
import { successive } from '../designs/successive.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import { stratifyModel } from '../losses/strata.ts'
import { strategies } from '../strategies/catalogue.ts'
import type { ContractPool } from './engine.contract.ts'
import type { Engine, Prediction } from './engine.ts'

const [size, columns] = [200, 4]

/** Features of which a few are hundreds of times as large as the others: in 8 bits, most of them are the same. */
const heavyTailed: ContractPool = (() => {
  const ids = Array.from({ length: size }, (_, i) => `tail ${i} ü"'`)
  const tail = (k: number) => Math.tan(3 * (uniform(8, 'tail', `${k}`) - 0.5))
  const values = Float32Array.from({ length: size * columns }, (_, k) => tail(k) * Math.abs(tail(k)))
  return { ids, values, columns, contents: ids.map((id) => ({ id, fields: { text: id } })) }
})()

const two = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[0.5, -0.8, 0.3, 0.2]], intercepts: [0.1] })
const three = linearModel({
  loss: 'cross-entropy',
  classes: ['a', 'b', 'c'],
  weights: [
    [0.5, 0, -0.3, 0.2],
    [0, 0.4, 0.1, -0.6],
    [-0.2, 0.2, 0, 0.1],
  ],
  intercepts: [0.1, 0, -0.2],
})
const cases: [string, LinearModel, Reader][] = [
  ['two classes', two, logistic],
  ['three classes', three, crossEntropy],
]

/** Strata by two columns, with codes up to 2⁵². */
const byColumns: Stratify = {
  name: 'by columns',
  code: (scores) => Math.floor(clipped(scores[0]!)) * 2 ** 48 + Math.floor(clipped(scores[1]!)),
  express: ([a, b]) => f.sum(f.product(2 ** 48, f.floor(clippedFormula(a!))), f.floor(clippedFormula(b!))),
}
const clipped = (x: number) => Math.min(Math.max(4 * x + 8, 0), 15)
const clippedFormula = (x: f.Formula) => f.clip(f.sum(f.product(4, x), 8), 0, 15)
const columnModel = { kind: 'columns' as const, id: 'someone else', classes: ['right', 'wrong'], columns }

const everything = { model: two, loss: logistic, mass: strategies.uniform.mass, controls: [], design: successive }

/** A mass for every code but some, which have none. */
const massOf = (code: number) => [0, 0.5, 1, 3, 0.001, 40, 2][Math.floor(code / 65) % 7]!
const massesFor = ({ codes }: StrataCounts) => {
  const drawable = codes.filter((code) => massOf(code) > 0)
  return { codes: drawable, masses: drawable.map(massOf) }
}

/** What every engine does with strata, checked against plain loops. Among the tests of an engine, whose `engineOn` opens one. */
export function itStratifies(engineOn: (pool: ContractPool) => Promise<Engine>, needsFormulas: boolean): void {
  it.each(cases)(
    'counts strata as a loop over its predictions does, of features with heavy tails: %s',
    async (_, model, loss) => {
      const engine = await engineOn(heavyTailed)
      const taken = heavyTailed.ids.filter((_, i) => i % 5 === 0)
      const pool = engine.stratified(model, stratifyModel(loss, model.classes.length).stratify)
      const codes = await predictedCodes(engine, model, loss)
      expect(pool.size).toBe(size)
      expect(await pool.counts()).toEqual(tally(codes.values()))
      await engine.take(taken)
      for (const id of taken) codes.delete(id)
      expect(await pool.counts()).toEqual(tally(codes.values()))
    },
  )

  it.each(cases)('draws by strata what successive draws from their masses, and none of mass 0: %s', async (_, model, loss) => {
    const engine = await engineOn(heavyTailed)
    const pool = engine.stratified(model, stratifyModel(loss, model.classes.length).stratify)
    const codes = await predictedCodes(engine, model, loss)
    const left = new Set(heavyTailed.ids)
    for (let round = 0; round < 3; round++) {
      const stream = { seed: 17, name: `audit/${round}` }
      const ids = [...left]
      const masses = Float64Array.from(ids, (id) => massOf(codes.get(id)!))
      const expected = successive.draw(masses, 20, (i) => uniform(stream.seed, stream.name, ids[i]!))
      const draws = await pool.draw({ ...massesFor(await pool.counts()), size: 20, stream })
      expect(draws.map(({ id }) => id)).toEqual(expected.map(({ index }) => ids[index]))
      for (const [k, { id, code, order, probability, mass, remaining }] of draws.entries()) {
        expect([code, mass, order]).toEqual([codes.get(id), massOf(code), k + 1])
        expect(probability / expected[k]!.probability).toBeCloseTo(1, 9)
        expect(remaining / expected[k]!.remaining).toBeCloseTo(1, 9)
      }
      expect(await pool.codesOf(draws.map(({ id }) => id))).toEqual(Float64Array.from(draws, ({ code }) => code))
      await pool.take(draws.map(({ id }) => id))
      for (const { id } of draws) left.delete(id)
    }
  })

  it.each(cases)('every point has the code that it is counted with: %s', async (_, model, loss) => {
    const engine = await engineOn(heavyTailed)
    const pool = engine.stratified(model, stratifyModel(loss, model.classes.length).stratify)
    const counts = await pool.counts()
    const masses = counts.codes.map((code) => 1 + massOf(code))
    const request = { codes: counts.codes, masses, stream: { seed: 2, name: 'all' } }
    const draws = await pool.draw({ ...request, size: size + 50 }) // more than there are
    expect(draws).toHaveLength(size)
    expect(tally(draws.map(({ code }) => code))).toEqual(counts)
    expect(draws.at(-1)!.probability).toBe(1)
    expect((await pool.draw({ ...request, size: 0 })).length).toBe(0)
    await pool.take(draws.map(({ id }) => id))
    expect(await pool.counts()).toEqual(tally([]))
    expect(await pool.draw({ ...request, size: 5 })).toEqual([])
    expect(await pool.codesOf([draws[3]!.id])).toEqual(Float64Array.of(draws[3]!.code)) // drawn or not
  })

  it('takes columns for scores, and codes of 52 bits', async () => {
    const engine = await engineOn(heavyTailed)
    const pool = engine.stratified(columnModel, byColumns)
    const codes = heavyTailed.ids.map((_, i) => byColumns.code(heavyTailed.values.subarray(i * columns, (i + 1) * columns)))
    expect(Math.max(...codes)).toBeGreaterThan(2 ** 51)
    expect(await pool.counts()).toEqual(tally(codes))
    expect(await pool.codesOf(heavyTailed.ids)).toEqual(Float64Array.from(codes))
    const draws = await pool.draw({ ...massesFor(await pool.counts()), size: 30, stream: { seed: 1, name: 'x' } })
    for (const { id, code } of draws) expect(code).toBe(codes[heavyTailed.ids.indexOf(id)])
  })

  it('what is taken is gone for the engine and for all strata of it, once', async () => {
    const engine = await engineOn(heavyTailed)
    const first = engine.stratified(two, stratifyModel(logistic, 2).stratify)
    const second = engine.stratified(columnModel, byColumns)
    const points = async () => (await Promise.all([first.counts(), second.counts()])).map(({ counts }) => sum(counts))
    expect(await points()).toEqual([size, size])
    await engine.take(heavyTailed.ids.slice(0, 10))
    await first.take(heavyTailed.ids.slice(5, 20))
    await second.take(heavyTailed.ids.slice(15, 30))
    expect(await points()).toEqual([size - 30, size - 30])
    const { draws } = await engine.draw({ ...everything, size, stream: { seed: 1, name: 'y' } })
    expect(draws).toHaveLength(size - 30)
    await expect(first.take(['nobody'])).rejects.toThrow('pool: a point named "nobody" is required, got none')
    await expect(second.codesOf(['nobody'])).rejects.toThrow('pool: a point named "nobody" is required, got none')
  })

  it(needsFormulas ? 'refuses strata without a formula' : 'needs no formula for strata', async () => {
    const engine = await engineOn(heavyTailed)
    const { express: _, ...silent } = byColumns
    if (needsFormulas) expect(() => engine.stratified(columnModel, silent)).toThrow('got none for by columns')
    else
      expect(await engine.stratified(columnModel, silent).counts()).toEqual(
        await engine.stratified(columnModel, byColumns).counts(),
      )
  })
}

/** The stratum of every point, from what the engine predicts. */
async function predictedCodes(engine: Engine, model: LinearModel, loss: Reader): Promise<Map<string, number>> {
  const { code } = stratumCodes({ classes: model.classes.length, models: 1, slices: [] })
  const codes = new Map<string, number>()
  for await (const batch of engine.predictions(model, loss))
    for (const prediction of batch) codes.set(prediction.id, code(placesOf(prediction)))
  return codes
}

function placesOf({ label, probabilities }: Prediction) {
  const isKnown = probabilities.length > 2
  const others = [...probabilities.keys()].filter((k) => k !== label)
  const second = others.toSorted((a, b) => probabilities[b]! - probabilities[a]!)[0]!
  const rest = sum(others.map((k) => probabilities[k]!))
  return {
    predicted: [label],
    doubt: doubtPlace(1 - probabilities[label]!),
    runnerUp: isKnown ? second : probabilities.length,
    share: isKnown ? sharePlace(rest > 0 ? probabilities[second]! / rest : 0) : 0,
    grade: 0,
    slices: [],
  }
}

function tally(codes: Iterable<number>): StrataCounts {
  const counts = new Map<number, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  const sorted = [...counts.keys()].sort((a, b) => a - b)
  return { codes: Float64Array.from(sorted), counts: Float64Array.from(sorted, (code) => counts.get(code)!) }
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
