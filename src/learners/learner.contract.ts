import { describe, expect, it } from 'vitest'
import { emptyBelief } from '../core/belief.ts'
import { dense, type FeatureRows, sparse } from '../core/features.ts'
import {
  type LearnedModel,
  type LinearModel,
  linearModel,
  modelFromJson,
  predictedClass,
  scorerOf,
  scoresPerPoint,
} from '../core/model.ts'
import { sumOf } from '../core/sums.ts'
import type { Learner, TrainingSet } from './learner.ts'

const rows = 40
const columns = 4

/** x_ij = sin(7i + 13j): the same in every language, so that others can compute with it. */
export const cells = Float64Array.from({ length: rows * columns }, (_, k) =>
  Math.sin(7 * Math.floor(k / columns) + 13 * (k % columns)),
)
export const weights = Array.from({ length: rows }, (_, i) => 1 + (i % 3) / 2)
const cell = (i: number, j: number) => cells[i * columns + j]!
export const twoLabels = weights.map((_, i) => (cell(i, 0) + 0.5 * cell(i, 1) + 0.4 * Math.sin(i * i) > 0.1 ? 1 : 0))
export const threeLabels = weights.map((_, i) => (cell(i, 0) + 0.3 * Math.sin(i * i) < -0.3 ? 0 : cell(i, 1) > 0 ? 1 : 2))

/** Every weight of a model, intercept last, row by row. */
export const parametersOf = ({ weights: own, intercepts }: LinearModel) => own.map((row, k) => [...row, intercepts[k]!])

type FitChanges = Partial<TrainingSet>

function contractTraining(classes: readonly string[]): TrainingSet {
  return { features: dense(cells, columns), labels: classes.length === 2 ? twoLabels : threeLabels, weights }
}

/** What every learner must satisfy. `tolerance`: how far scores of what should be the same model may lie apart. */
export function describeLearner(learner: Learner<LearnedModel>, classes: readonly string[], tolerance: number): void {
  const training = contractTraining(classes)
  const { labels } = training
  const fit = async (changes: FitChanges = {}) => learner.fit({ ...training, ...changes }, classes)
  const scores = (model: LearnedModel) => scoresOf(model, training.features).flatMap((row) => [...row])
  const expectSame = (a: LearnedModel, b: LearnedModel) => {
    const others = scores(b)
    for (const [k, score] of scores(a).entries()) expect(Math.abs(score - others[k]!)).toBeLessThanOrEqual(tolerance)
  }

  describe(`${learner.name} for ${classes.length} classes keeps the learner contract`, () => {
    it('gives the blank model for no labels, and a finite one that agrees for a single class', async () => {
      const none = await fit({ features: training.features.select([]), labels: [], weights: [] })
      expect(scores(none)).toEqual(scores(none).map(() => 0))
      for (const only of classes.keys()) {
        const model = await fit({ labels: labels.map(() => only) })
        for (const own of scoresOf(model, training.features)) {
          expect(predictedClass(own)).toBe(only)
          expect(own.every(Number.isFinite)).toBe(true)
        }
      }
    })

    it('learns: its loss reads its scores as chances under which labels are likelier than by their frequencies', async () => {
      const belief = emptyBelief(classes.length)
      const logLoss = scoresOf(await fit(), training.features).map((own, i) => {
        learner.loss.read(own, belief)
        return -Math.log(belief.probabilities[labels[i]!]!)
      })
      const frequencies = labels.map((label) => -Math.log(labels.filter((other) => other === label).length / rows))
      expect(sumOf(logLoss)).toBeLessThan(sumOf(frequencies))
    })

    it('is the same, to the last bit, for the same labels, and survives a trip through JSON', async () => {
      const model = await fit()
      expect((await fit()).id).toBe(model.id)
      expect(modelFromJson(JSON.parse(JSON.stringify(model)))).toEqual(model)
      expect(Object.values(model).every(Object.isFrozen)).toBe(true)
      expect(Object.isFrozen(model)).toBe(true)
      expect(() => modelFromJson({ ...model, loss: 'another' })).toThrow('must match its id')
    })

    it('takes dense and sparse rows alike', async () => {
      expectSame(await fit({ features: sparseOf(cells, columns) }), await fit())
    })

    it('counts a row of weight 2 as the row twice, one of weight 0 not at all, and does not mind the order', async () => {
      const twice = [...Array(rows).keys(), 3, 7]
      const doubled = weights.map((weight, i) => (i === 3 || i === 7 ? 2 * weight : weight))
      const fitRows = (chosen: readonly number[], own: readonly number[]) =>
        fit({
          features: training.features.select(chosen),
          labels: chosen.map((i) => labels[i]!),
          weights: chosen.map((i) => own[i]!),
        })
      expectSame(await fitRows(twice, weights), await fit({ weights: doubled }))
      expectSame(await fitRows([...Array(rows).keys()].reverse(), weights), await fit())
      const few = [...Array(rows).keys()].filter((i) => i % 5 > 0)
      expectSame(await fitRows(few, weights), await fit({ weights: weights.map((weight, i) => (i % 5 > 0 ? weight : 0)) }))
    })

    it.each([
      [{ labels: labels.slice(1) }, 'every row needs one label'],
      [{ weights: weights.map(() => -1) }, 'a weight must be a number from 0 up, got -1'],
      [{ weights: weights.map(() => Number.NaN) }, 'a weight must be a number from 0 up, got NaN'],
      [{ labels: labels.map(() => 9) }, 'a label must be the position of one of'],
      [
        {
          features: dense(
            cells.map((x, k) => (k === 5 ? Number.NaN : x)),
            columns,
          ),
        },
        'features must be finite numbers',
      ],
    ])('refuses what no model can be fitted to: %#', async (changes, message) => {
      await expect(async () => fit(changes)).rejects.toThrow(message)
    })
  })
}

/** And what those must that fit linear models. `make` gives one a penalty; `slopes` is ∂ℓ/∂z, written down apart from the learner. */
export function describeLinearLearner(
  make: (options: { l2: number }) => Learner,
  classes: readonly string[],
  slopes: (label: number, scores: ArrayLike<number>) => number[],
): void {
  const learner = make({ l2: 0.7 })
  const training = contractTraining(classes)
  const { labels } = training
  const fit = async (changes: FitChanges = {}, by = learner) => by.fit({ ...training, ...changes }, classes)

  describeLearner(learner, classes, 1e-7)

  describe(`${learner.name} fits linear models`, () => {
    it('is where the penalised, weighted loss has no slope', async () => {
      for (const l2 of [1e-3, 0.7, 100]) {
        const model = await fit({}, make({ l2 }))
        const size = weights.reduce((a, b) => a + b, 0)
        for (const entry of gradientOf(model, training, l2, slopes)) expect(Math.abs(entry)).toBeLessThan(1e-8 * size)
      }
    })

    it('comes to the same model from a previous one, and is not led astray by one that is far away or of something else', async () => {
      const model = await fit()
      const first = [...Array(rows / 2).keys()]
      const from = (previous: LinearModel) => learner.fit(training, classes, previous)
      const half = await fit({
        features: training.features.select(first),
        labels: labels.slice(0, rows / 2),
        weights: weights.slice(0, rows / 2),
      })
      for (const near of [half, model]) close(await from(near), model, 1e-8)
      for (const changed of [(row: readonly number[]) => row.map(() => 1e6), (row: readonly number[]) => row.slice(1)])
        expect((await from(linearModel({ ...half, weights: half.weights.map(changed) }))).id).toBe(model.id)
    })

    it('weighs labels against the penalty: all weights times c is the penalty over c', async () => {
      close(await fit({ weights: weights.map((weight) => 5 * weight) }), await fit({}, make({ l2: 0.7 / 5 })), 1e-8)
    })

    it('fits few labels in many columns, sparse, where the best weights are a sum of rows', async () => {
      const wide = 20_000
      const few = 12
      const features = sparse(
        {
          starts: Uint32Array.from({ length: few + 1 }, (_, i) => 3 * i),
          indices: Uint32Array.from({ length: 3 * few }, (_, k) => (k * 4099) % wide),
          values: Float64Array.from({ length: 3 * few }, (_, k) => 1 + Math.sin(k)),
        },
        wide,
      )
      const some = { features, labels: labels.slice(0, few), weights: weights.slice(0, few) }
      const model = await fit(some)
      for (const entry of gradientOf(model, some, 0.7, slopes)) expect(Math.abs(entry)).toBeLessThan(1e-8 * few)
    })

    it('stays finite on separable labels, constant and zero columns, and huge features', async () => {
      const odd = Float64Array.from({ length: rows * 3 }, (_, k) => [labels[Math.floor(k / 3)]! * 1e3 - 500, 1, 0][k % 3]!)
      const model = await fit({ features: dense(odd, 3) })
      expect(parametersOf(model).flat().every(Number.isFinite)).toBe(true)
      expect(model.weights.every((row) => row[2] === 0)).toBe(true)
    })

    it('refuses a penalty that is none', () => {
      expect(() => make({ l2: 0 })).toThrow('l2 must be a positive number, got 0')
    })
  })
}

/** ∇ of Σ wᵢ ℓ + (λ/2)(‖β‖² + b²/100), the slow way; the intercept's entry last in each row. */
export function gradientOf(
  model: LinearModel,
  { features, labels, weights: own }: TrainingSet,
  l2: number,
  slopes: (label: number, scores: ArrayLike<number>) => number[],
): number[] {
  const all = scoresOf(model, features)
  return model.weights.flatMap((row, k) => {
    const gradient = Float64Array.from(row, (weight) => l2 * weight)
    let intercept = (l2 * model.intercepts[k]!) / 100
    for (const [i, scores] of all.entries()) {
      const slope = own[i]! * slopes(labels[i]!, scores)[k]!
      features.addInPlace(i, slope, gradient)
      intercept += slope
    }
    return [...gradient, intercept]
  })
}

function scoresOf(model: LearnedModel, features: FeatureRows): Float64Array[] {
  const score = scorerOf(model)
  return Array.from({ length: features.rows }, (_, i) => {
    const into = new Float64Array(scoresPerPoint(model))
    score(features, i, into)
    return into
  })
}

function close(a: LinearModel, b: LinearModel, tolerance: number): void {
  const other = parametersOf(b).flat()
  for (const [k, value] of parametersOf(a).flat().entries()) {
    expect(Math.abs(value - other[k]!)).toBeLessThan(tolerance * Math.max(1, Math.abs(value)))
  }
}

function sparseOf(values: Float64Array, width: number): FeatureRows {
  const starts = Uint32Array.from({ length: values.length / width + 1 }, (_, i) => i * width)
  return sparse({ starts, indices: Uint32Array.from(values, (_, k) => k % width), values }, width)
}
