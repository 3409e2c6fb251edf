import { expect, it } from 'vitest'
import { audit } from '../audit.ts'
import { dense } from '../core/features.ts'
import { linearModel, predictedClass, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner, squaredLearner } from '../learners/margin-learner.ts'
import { learn } from '../loop.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import { squared } from '../losses/squared.ts'
import { stratifyModel } from '../losses/strata.ts'
import { columnOracle } from '../oracles/column.ts'
import { question } from '../questions/spec.ts'
import { memoryStore } from '../stores/memory.ts'
import { strategies } from '../strategies/catalogue.ts'
import { modelSubject } from './model-subject.ts'

const size = 400
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const features = dense(
  Float32Array.from({ length: 2 * size }, (_, k) => 4 * uniform(1, `x${k % 2}`, ids[k >> 1]!) - 2),
  2,
)
const engine = () => memoryEngine({ ids, features })
const truth = new Map(
  ids.map((id, i) => [id, features.dot(i, Float64Array.of(1, 0.5)) + uniform(1, 'noise', id) > 0.5 ? 'yes' : 'no']),
)
const weights = [[1, 0.3]]
const two = (loss: string) => linearModel({ loss, classes: ['no', 'yes'], weights, intercepts: [0] })
const three = { classes: ['a', 'b', 'c'], weights: [[1, 0], [0, 1], [0, 0]], intercepts: [0, 0, 0] } // biome-ignore format: a table

it.each([
  ['logistic', two('logistic'), logistic],
  ['squared', two('squared'), squared],
  ['of three classes', linearModel({ loss: 'cross-entropy', ...three }), crossEntropy],
  ['of two columns', { kind: 'columns', id: 'x', classes: ['a', 'b'], columns: 2 } as const, logistic],
])('reads the scores of a model by its own loss: %s', async (_, model, loss) => {
  const { pool, frame, model: id } = modelSubject(engine(), model)
  const { stratify } = stratifyModel(loss, model.classes.length)
  expect(await pool.codesOf(ids)).toEqual(await engine().stratified(model, stratify).codesOf(ids))
  expect(frame).toEqual({ classes: model.classes, models: ['model'], slices: [] })
  expect(id).toBe(model.id)
})

it('reads them by another loss where one is given, and refuses one that it does not know', async () => {
  const model = two('logistic')
  const own = await modelSubject(engine(), model).pool.codesOf(ids)
  const given = await modelSubject(engine(), model, squared).pool.codesOf(ids)
  expect(given).toEqual(await modelSubject(engine(), two('squared')).pool.codesOf(ids))
  expect(given).not.toEqual(own)
  expect(() => modelSubject(engine(), two('my own'))).toThrow('model: a loss among logistic, squared')
  expect(await modelSubject(engine(), two('my own'), logistic).pool.codesOf(ids)).toEqual(own)
})

it.each([
  ['logistic', logisticLearner({ l2: 0.01 })],
  ['squared', squaredLearner({ l2: 0.01 })],
])('measures a model that was learned, over the points that are left: %s', async (_, learner) => {
  const [store, oracle] = [memoryStore(), columnOracle(truth)]
  const classes = ['no', 'yes']
  const plan = {
    engine: engine(),
    store,
    oracle,
    learner,
    classes,
    strategy: strategies.alis,
    seed: 3,
    start: 20,
    batch: 20,
    rounds: 2,
  }
  const { model } = (await Array.fromAsync(learn(plan))).at(-1)!
  const subject = modelSubject(engine(), model)
  const rounds = await Array.fromAsync(audit({ subject, store, oracle, questions: [question('error')], budget: size, seed: 3 }))
  const { value, low, high } = rounds.at(-1)!.questions[0]!
  const known = new Set((await store.rounds()).filter(({ rules }) => !rules).flatMap(({ draws }) => draws.map(({ id }) => id)))
  const left = ids.filter((id) => !known.has(id))
  const wrong = left.filter((id) => {
    const scores = new Float64Array(1)
    scorerOf(model)(features, ids.indexOf(id), scores)
    return classes[predictedClass(scores)] !== truth.get(id)
  })
  expect(known.size).toBeGreaterThan(0)
  expect([value, low, high].map((x) => Math.round(x! * left.length))).toEqual([wrong.length, wrong.length, wrong.length])
})
