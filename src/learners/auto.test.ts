import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { type LearnedModel, modelFromJson, predictedClass, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { autoLearner, type Candidate } from './auto.ts'
import { blendLearner } from './blend.ts'
import { learnerFor, learners } from './catalogue.ts'
import { overLeading } from './leading-columns.ts'
import { describeLearner } from './learner.contract.ts'
import type { TrainingSet } from './learner.ts'
import { treesLearner } from './trees.ts'
import { validate } from './validation.ts'

const two = ['no', 'yes']
const request = { loss: 'logistic', l2: 1, blocks: { base: 4, landmarks: 0, cuts: 0, isSparse: false }, hasTrees: true } as const

for (const count of [2, 3]) {
  describeLearner(learners.auto.make({ ...request, classes: count }), ['a', 'b', 'c'].slice(0, count), 1e-9)
  describeLearner(learners.linear.make({ ...request, classes: count }), ['a', 'b', 'c'].slice(0, count), 1e-9)
}

/** Rows in two columns whose class is told by a line, or by a chequerboard that no line tells. */
function labelled(rows: number, isRight: (x: number, y: number) => boolean): TrainingSet {
  const cells = Float32Array.from({ length: 2 * rows }, (_, k) => 4 * uniform(3, 'cell', `${k}`) - 2)
  const labels = Array.from({ length: rows }, (_, row) => (isRight(cells[2 * row]!, cells[2 * row + 1]!) ? 1 : 0))
  return { features: dense(cells, 2), labels, weights: labels.map(() => 1), ids: labels.map((_, row) => `${row}`) }
}
const line = (x: number, y: number) => x + y > 0.3
const chequers = (x: number, y: number) => (Math.floor(x) + Math.floor(y)) % 2 === 0

const linear: Candidate = {
  name: 'linear',
  learner: learnerFor('logistic', 2, 1),
  variants: [{ name: 'linear (penalty 0.1)', learner: learnerFor('logistic', 2, 0.1) }],
}
const trees = treesLearner(2, { trees: 30 })
const auto = autoLearner({ linear: [linear], trees })

const errorOf = (model: LearnedModel, { features, labels }: TrainingSet) => {
  const score = new Float64Array(1)
  const wrong = labels.filter((label, row) => {
    scorerOf(model)(features, row, score)
    return predictedClass(score) !== label
  })
  return wrong.length / labels.length
}

it('takes the line where classes are told by one, with the penalty that suits, and trees where none tells them', async () => {
  const straight = await auto.fit(labelled(200, line), two)
  expect(straight.choice).toMatchObject({ learner: 'linear (penalty 0.1)', labels: 200 })
  const crooked = await auto.fit(labelled(400, chequers), two)
  expect(crooked).toMatchObject({ kind: 'trees', choice: { learner: 'trees', labels: 400 } })
  for (const { choice } of [straight, crooked]) {
    const names = choice!.tried.map(({ learner }) => learner)
    expect(names.slice(0, 3)).toEqual(['linear', 'linear (penalty 0.1)', 'trees'])
    expect(names.slice(3)).toEqual([names[3] === 'trees + linear' ? 'trees + linear' : 'trees + linear (penalty 0.1)'])
  }
})

it('tries learners roughly: with nearly the same scores, and with fewer trees', async () => {
  const training = labelled(300, line)
  for (const classes of [2, 3]) {
    const names = ['a', 'b', 'c'].slice(0, classes)
    const own = { ...training, labels: training.labels.map((label, row) => (label + row) % classes) }
    const learner = learnerFor('logistic', classes, 1)
    const [model, trial] = [await learner.fit(own, names), await learner.fit({ ...own, isTrial: true }, names)]
    expect(trial.id).not.toBe(model.id)
    for (const [k, row] of model.weights.entries())
      for (const [j, weight] of row.entries()) expect(trial.weights[k]![j]).toBeCloseTo(weight, 3)
  }
  const trees = await treesLearner(2).fit({ ...training, isTrial: true }, two)
  expect(trees.roots).toHaveLength(50)
})

it('is plain until there are 50 labels of two classes, and chooses again when they are twice as many', async () => {
  const all = labelled(300, chequers)
  const first = (count: number): TrainingSet => ({
    ...all,
    features: all.features.select([...Array(count).keys()]),
    labels: all.labels.slice(0, count),
    weights: all.weights.slice(0, count),
    ids: all.ids!.slice(0, count),
  })
  expect((await auto.fit(first(49), two)).choice).toBeUndefined()
  expect((await auto.fit({ ...first(60), labels: first(60).labels.map(() => 0) }, two)).choice).toBeUndefined()
  const early = await auto.fit(first(50), two)
  expect(early.choice!.labels).toBe(50)
  const later = await auto.fit(first(99), two, early)
  expect(later.choice).toEqual(early.choice)
  expect((await auto.fit(first(100), two, later)).choice!.labels).toBe(100)
})

it('puts the choice into the model: it is read back, and part of its identity', async () => {
  for (const model of [await auto.fit(labelled(200, line), two), await auto.fit(labelled(400, chequers), two)]) {
    const again = modelFromJson(JSON.parse(JSON.stringify(model)))
    expect(again).toEqual(model)
    const { choice } = model
    const changed = JSON.parse(JSON.stringify({ ...model, choice: { ...choice, labels: choice!.labels + 1 } }))
    expect(() => modelFromJson(changed)).toThrow('content must match its id')
  }
})

it('multiplies scores by what is right about labels that were not seen', async () => {
  const noisy = labelled(400, (x, y) => x + y + 3 * Math.sin(1e4 * x * y) > 0) // trees are sure of what is half chance
  const { logLoss, scale, error } = await validate(treesLearner(2, { trees: 30 }), noisy, two)
  expect(scale).toBeLessThan(0.7)
  const flat = learnerFor('logistic', 2, 1e9) // knows nothing
  const model = await autoLearner({ linear: [{ name: 'flat', learner: flat }], trees }).fit(noisy, two)
  const choice = model.choice!
  expect(choice.tried[1]).toEqual({ learner: 'trees', error, logLoss })
  const plain = await (choice.learner === 'trees' ? trees : blendLearner(flat, trees)).fit(noisy, two)
  const [own, raw] = [new Float64Array(1), new Float64Array(1)]
  scorerOf(model)(noisy.features, 7, own)
  scorerOf(plain)(noisy.features, 7, raw)
  expect(own[0]).toBeCloseTo(choice.scale * raw[0]!, 12)
  expect(own[0]).not.toBe(raw[0])
})

it('validates on labels that were not seen: a memoriser is no better than chance', async () => {
  const coin = labelled(400, (x, y) => Math.sin(1e5 * (x + 7 * y)) > 0)
  expect(errorOf(await trees.fit(coin, two), coin)).toBe(0)
  const { error, logLoss } = await validate(trees, coin, two)
  expect(Math.abs(error - 0.5)).toBeLessThan(4.9 * Math.sqrt(0.25 / 400))
  expect(logLoss).toBeLessThanOrEqual(Math.LN2 + 0.05) // the scale takes the sureness out
})

it('keeps a point that was drawn twice in one fold', async () => {
  const once = labelled(60, (x, y) => Math.sin(1e5 * (x + 7 * y)) > 0)
  const rows = [...Array(60).keys(), ...Array(60).keys()]
  const twice: TrainingSet = {
    features: once.features.select(rows),
    labels: rows.map((row) => once.labels[row]!),
    weights: rows.map(() => 1),
    ids: rows.map((row) => `${row}`),
  }
  expect((await validate(treesLearner(2, { trees: 30 }), twice, two)).error).toBeGreaterThan(0.25)
  const { ids: _, ...unnamed } = twice
  expect((await validate(treesLearner(2, { trees: 30 }), unnamed, two)).error).toBeLessThan(0.25) // each is told by its copy
})

it('learns from the first columns alone where it is told to, as a model of all', async () => {
  const { features, labels, weights } = labelled(200, line)
  const wide = dense(
    Float32Array.from({ length: 600 }, (_, k) =>
      k % 3 === 2 ? labels[Math.floor(k / 3)]! : (features.layout!.values[2 * Math.floor(k / 3) + (k % 3)] as number),
    ),
    3,
  )
  const model = await overLeading(learnerFor('logistic', 2, 1), 2).fit({ features: wide, labels, weights }, two)
  const alone = await learnerFor('logistic', 2, 1).fit({ features, labels, weights }, two)
  expect(model).toMatchObject({ kind: 'linear', intercepts: alone.intercepts, weights: [[...alone.weights[0]!, 0]] })
  const trees = await overLeading(treesLearner(2, { trees: 5 }), 2).fit({ features: wide, labels, weights }, two)
  expect(trees).toMatchObject({ width: 3 })
  expect(Math.max(...(trees as { features: readonly number[] }).features)).toBe(1)
})

it('refuses trees where they cannot be scored', () => {
  const at = (changes: object) => () => learners.trees.make({ ...request, classes: 2, ...changes })
  expect(at({ hasTrees: false })).toThrow(
    'learner: one that is linear in the features is required where the pool lies, got trees',
  )
  expect(at({ blocks: { ...request.blocks, isSparse: true } })).toThrow('required for texts, got trees')
  expect(at({ loss: 'squared' })).toThrow('loss: it must be logistic for trees, got squared')
})
