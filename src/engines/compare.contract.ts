import { expect, it } from 'vitest'
import { emptyBelief, type Reader } from '../core/belief.ts'
import { dense } from '../core/features.ts'
import { blankModel, type LinearModel, linearModel, type Model, predictedClass, scorerOf, scoresPerPoint } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { type TreesModel, treesModel } from '../core/trees-model.ts'
import { successive } from '../designs/successive.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { errorOf } from '../losses/error.ts'
import { logistic } from '../losses/logistic.ts'
import { strategies } from '../strategies/catalogue.ts'
import type { ContractPool } from './engine.contract.ts'
import type { CompareRequest, Engine } from './engine.ts'

const size = 260

/** Features of which a few are many times as large as the others, in a pool so wide. */
function poolOf(columns: number): ContractPool {
  const ids = Array.from({ length: size }, (_, i) => `one ${i} ß"'`)
  const tail = (k: number) => Math.tan(3 * (uniform(columns, 'tail', `${k}`) - 0.5))
  const values = Float32Array.from({ length: size * columns }, (_, k) => tail(k))
  return { ids, values, columns, contents: ids.map((id) => ({ id, fields: { text: id } })) }
}

/** Models that turn round by round. */
function modelsOf(columns: number, classes: readonly string[], rounds: number): LinearModel[] {
  const rows = classes.length === 2 ? 1 : classes.length
  return Array.from({ length: rounds }, (_, t) =>
    linearModel({
      loss: rows === 1 ? 'logistic' : 'cross-entropy',
      classes,
      weights: Array.from({ length: rows }, (_, k) =>
        Array.from({ length: columns }, (_, j) => Math.sin(0.4 * t + 2 * k + 1.7 * j)),
      ),
      intercepts: Array.from({ length: rows }, (_, k) => 0.1 * t - 0.2 * k),
    }),
  )
}

const many = Array.from({ length: 300 }, (_, k) => `class ${k}`)
const cases: [string, readonly string[], Reader][] = [
  ['two classes', ['no', 'yes'], logistic],
  ['three classes', ['a', 'b', 'c'], crossEntropy],
  ['300 classes', many, crossEntropy],
]

/** What an engine must say, by a plain loop over the points that are left. */
function byHand(pool: ContractPool, taken: ReadonlySet<string>, { model, loss, earlier }: CompareRequest) {
  const features = dense(pool.values, pool.columns)
  const left = [...pool.ids.keys()].filter((row) => !taken.has(pool.ids[row]!))
  const scoresOf = (of: Model, row: number) => {
    const scores = new Float64Array(scoresPerPoint(of))
    scorerOf(of)(features, row, scores)
    return scores
  }
  const classesOf = (of: Model) => left.map((row) => predictedClass(scoresOf(of, row)))
  const own = classesOf(model)
  const belief = emptyBelief(model.classes.length)
  const errors = left.map((row, i) => {
    loss.read(scoresOf(model, row), belief)
    return 1 - belief.probabilities[own[i]!]!
  })
  return {
    points: left.length,
    predictedError: errors.reduce((sum, error) => sum + error, 0),
    differing: earlier.map((each) => classesOf(each).filter((other, i) => other !== own[i]).length),
  }
}

const drawing = (model: Model, loss: Reader, round: number) => ({
  model,
  loss,
  mass: strategies.alis.mass,
  controls: [errorOf(loss)],
  design: successive,
  size: 20,
  stream: { seed: 4, name: `learn/${round}` },
})

/** Trees of one cut each, which are elsewhere in every round. */
function treesOf(columns: number, classes: readonly string[], round: number): TreesModel {
  const others = classes.map((_, k) => (k === 0 ? 0 : 1 / (classes.length - 1)))
  return treesModel({
    loss: classes.length === 2 ? 'logistic' : 'cross-entropy',
    classes,
    width: columns,
    roots: [0, 3, 6],
    features: [0, -1, -1, 3, -1, -1, 1, -1, -1],
    cuts: [0.1 * round, -0.2 + 0.05 * round, 0.3 - 0.2 * round].flatMap((cut) => [cut, 0, 0]),
    others: [2, 0, 1, 5, 2, 0, 8, 0, 1],
    shares: [
      classes.map((_, k) => (k === 0 ? 1 : 0)),
      others,
      classes.map((_, k) => (k === 1 ? 0.75 : 0.25 / (classes.length - 1))),
    ],
  })
}

/** A model of another kind every round: weights, trees, and both. */
export function kindsOf(columns: number, classes: readonly string[], rounds: number): (LinearModel | TreesModel)[] {
  return modelsOf(columns, classes, rounds).map((linear, t) => {
    if (t % 3 === 0) return linear
    const trees = treesOf(columns, classes, t)
    const { weights, intercepts } = linear
    return t % 3 === 1 ? trees : treesModel({ ...trees, beside: { weights, intercepts } })
  })
}

/** What every engine says of a model beside earlier ones. Among the tests of an engine, whose `engineOn` opens one. */
export function itCompares(engineOn: (pool: ContractPool) => Promise<Engine>, digits: number, needsFormulas: boolean): void {
  const pool = poolOf(5)
  const some = needsFormulas ? cases.slice(0, 2) : cases // formulas of hundreds of classes take minutes to be understood

  async function expectSame(engine: Engine, taken: ReadonlySet<string>, request: CompareRequest): Promise<readonly number[]> {
    const wanted = byHand(pool, taken, request)
    const got = await engine.compare(request)
    expect(got.points).toBe(wanted.points)
    expect(got.differing).toEqual(wanted.differing)
    expect(got.predictedError / wanted.predictedError).toBeCloseTo(1, digits)
    return wanted.differing
  }

  it.each(some)('counts the points that a model and earlier ones differ on, round by round: %s', async (_, classes, loss) => {
    const engine = await engineOn(pool)
    const taken = new Set(pool.ids.filter((_, i) => i % 7 === 0))
    await engine.take([...taken])
    const models = modelsOf(pool.columns, classes, 5)
    for (const [t, model] of models.entries()) {
      const earlier = t === 4 ? [models[3]!, models[0]!] : models.slice(0, t) // some are forgotten
      const differing = await expectSame(engine, taken, { model, loss, earlier })
      expect(Math.min(size, ...differing)).toBeGreaterThan(0)
      const { draws } = await engine.draw(drawing(model, loss, t))
      await engine.take(draws.map(({ id }) => id))
      for (const { id } of draws) taken.add(id)
    }
    // Models that were forgotten, one more than once, the model itself, and one that was never seen.
    const [first, second, third] = models as [LinearModel, LinearModel, LinearModel]
    const blank = blankModel(loss.name, classes, pool.columns)
    await expectSame(engine, taken, { model: third, loss, earlier: [second, first, second, third, blank] })
    await expectSame(engine, taken, { model: blank, loss, earlier: [third, first] })
  })

  it.runIf(!needsFormulas).each(cases.slice(0, 2))(
    'counts them where every round has another kind of model: %s',
    async (_, classes, loss) => {
      const engine = await engineOn(pool)
      const taken = new Set(pool.ids.slice(0, 11))
      await engine.take([...taken])
      const blank = blankModel(loss.name, classes, pool.columns)
      const models = kindsOf(pool.columns, classes, 7)
      for (const [t, model] of models.entries()) {
        const differing = await expectSame(engine, taken, { model, loss, earlier: [blank, ...models.slice(0, t)] })
        expect(Math.min(...differing)).toBeGreaterThan(0)
        const { draws } = await engine.draw(drawing(model, loss, t))
        await engine.take(draws.map(({ id }) => id))
        for (const { id } of draws) taken.add(id)
      }
    },
  )

  it.each(cases.slice(0, 2))('counts what it gives other predictions: %s', async (_, classes, loss) => {
    const engine = await engineOn(pool)
    const [before, model] = modelsOf(pool.columns, classes, 2) as [LinearModel, LinearModel]
    const labels = async (of: Model) => {
      const own = new Map<string, number>()
      for await (const batch of engine.predictions(of, loss)) for (const { id, label } of batch) own.set(id, label)
      return own
    }
    const [own, other] = [await labels(model), await labels(before)]
    await engine.draw(drawing(before, loss, 0))
    const { differing, predictedError } = await engine.compare({ model, loss, earlier: [before] })
    expect(differing).toEqual([pool.ids.filter((id) => own.get(id) !== other.get(id)).length])
    const survey = await engine.survey(drawing(model, loss, 1))
    expect(predictedError / survey.controls[0]!.predictedLoss).toBeCloseTo(1, digits)
  })

  it.each([
    ['one column', 1, ['no', 'yes'], logistic],
    ['three columns', 3, ['a', 'b', 'c'], crossEntropy],
  ] as const)('does not guess what columns held before: %s', async (_, columns, classes, loss) => {
    const engine = await engineOn(poolOf(columns))
    const of = (id: string) => ({ kind: 'columns' as const, id, classes, columns })
    const [linear] = modelsOf(columns, classes, 1) as [LinearModel]
    const request = { model: of('now'), loss, earlier: [of('never seen'), of('now'), linear] }
    const { points, differing } = await engine.compare(request)
    const wanted = byHand(poolOf(columns), new Set(), { ...request, earlier: [linear] })
    expect([points, ...differing]).toEqual([size, null, 0, ...wanted.differing])
    await engine.draw(drawing(of('now'), loss, 0))
    const later = await engine.compare({ model: of('later'), loss, earlier: [of('now')] })
    expect([0, null]).toContain(later.differing[0]) // the same columns here; an engine need not keep what it can always compute
  })

  it('refuses to compare models of other widths and classes', async () => {
    const engine = await engineOn(pool)
    const [two] = modelsOf(pool.columns, ['no', 'yes'], 1) as [LinearModel]
    const [narrow] = modelsOf(2, ['no', 'yes'], 1) as [LinearModel]
    const [three] = modelsOf(pool.columns, ['a', 'b', 'c'], 1) as [LinearModel]
    await expect(engine.compare({ model: two, loss: logistic, earlier: [narrow] })).rejects.toThrow('5 features are required')
    await expect(engine.compare({ model: two, loss: logistic, earlier: [three] })).rejects.toThrow('2 classes are required')
  })
}
