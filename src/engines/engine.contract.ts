import { afterAll, describe, expect, it } from 'vitest'
import { type Belief, emptyBelief, marginOf, predictedError, type Reader, worstLoss } from '../core/belief.ts'
import { dense } from '../core/features.ts'
import { type LearnedModel, type LinearModel, linearModel } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { treesModel } from '../core/trees-model.ts'
import { bernoulli } from '../designs/bernoulli.ts'
import type { Design } from '../designs/design.ts'
import { multinomial } from '../designs/multinomial.ts'
import { successive } from '../designs/successive.ts'
import { certainDraws, top } from '../designs/top.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { errorOf } from '../losses/error.ts'
import { logistic } from '../losses/logistic.ts'
import { massesOf } from '../masses/mass.contract.ts'
import { type Ingredient, type Mass, pure } from '../masses/mass.ts'
import { alisStrategy } from '../strategies/alis.ts'
import { strategies } from '../strategies/catalogue.ts'
import type { Selector } from '../strategies/selector.ts'
import { suitedTo } from '../strategies/strategy.ts'
import { itCompares } from './compare.contract.ts'
import type { Content, Engine } from './engine.ts'
import { memoryEngine } from './memory.ts'
import { itStratifies } from './stratified.contract.ts'

/** A small pool, given to an engine as it likes to take it. */
export interface ContractPool {
  readonly ids: readonly string[]
  /** Row by row. */
  readonly values: Float32Array
  readonly columns: number
  readonly contents: readonly Content[]
}

const size = 300
const columns = 5

/** A pool whose features, contents and ids follow a formula; `order` says which point stands in which row. */
function makePool(order: readonly number[]): ContractPool {
  const values = Float32Array.from({ length: order.length * columns }, (_, k) => {
    const point = order[Math.floor(k / columns)]!
    return Math.sin(point * 12.9898 + (k % columns) * 78.233)
  })
  const ids = order.map((point) => `point ${point} é"'`) // ids are not polite
  return { ids, values, columns, contents: order.map((point, row) => ({ id: ids[row]!, fields: { text: `text ${point}` } })) }
}

const two = linearModel({
  loss: 'logistic',
  classes: ['no', 'yes'],
  weights: [[1.5, -2, 0.3, 0.7, 0]],
  intercepts: [0.25],
})
const three = linearModel({
  loss: 'cross-entropy',
  classes: ['a', 'b', 'c'],
  weights: [
    [1, 0, -1, 2, 0.5],
    [0, 1, 0.4, -2, 0],
    [-1, 0.2, 0, 0, 3],
  ],
  intercepts: [0.1, 0, -0.3],
})
/** Two trees of one cut each, between leaves that are all the first class and three quarters the second. */
const stumps = treesModel({
  loss: 'logistic',
  classes: ['no', 'yes'],
  width: columns,
  roots: [0, 3],
  features: [0, -1, -1, 3, -1, -1],
  cuts: [0.1, 0, 0, -0.2, 0, 0],
  others: [2, 0, 1, 5, 1, 0],
  shares: [
    [1, 0],
    [0.25, 0.75],
  ],
})
/** The same, and a linear model beside them. */
const blended = treesModel({ ...stumps, beside: two })
type Case = [string, LearnedModel, Reader]
const linearCases: Case[] = [
  ['two classes', two, logistic],
  ['three classes', three, crossEntropy],
]
const designs: Design[] = [successive, multinomial, bernoulli, top]
const drawnBy = [strategies.alis, alisStrategy({ know: 0.3 }), strategies.paper, strategies.uniform, strategies['alis-audit']]

export interface Allowances {
  /** Why it runs no selectors, if it does not. */
  readonly noSelectors?: string
  /** Whether it computes by formulas, and refuses what has none. */
  readonly needsFormulas?: boolean
  /** To how many digits totals are right, and with them probabilities. */
  readonly digits?: number
  /** Whether all but what reads features is left out: it was tested already, with the same features elsewhere in the rows. */
  readonly onlyFeatures?: boolean
  /** How far beyond those of real points the largest and smallest values may lie, as a share of them. Short of them, never. */
  readonly beyond?: number
}

/** What every engine must do, checked against arithmetic written down here and nowhere else. */
export function describeEngine(
  name: string,
  open: (pool: ContractPool) => Promise<Engine>,
  { noSelectors, needsFormulas = false, onlyFeatures = false, digits = 9, beyond = 1e-9 }: Allowances = {},
): void {
  describe(`${name} keeps the engine contract`, async () => {
    const forward = makePool([...Array(size).keys()])
    const backward = makePool([...Array(size).keys()].reverse())
    const cases: Case[] = needsFormulas
      ? linearCases
      : [...linearCases, ['trees', stumps, logistic], ['trees beside weights', blended, logistic]]
    const opened: Engine[] = []
    const engineOn = async (pool: ContractPool) => {
      const engine = await open(pool)
      opened.push(engine)
      return engine
    }
    afterAll(async () => {
      for (const engine of opened) await engine.close()
    })

    it.each(cases)('surveys the points that may be drawn: %s', async (_, model, loss) => {
      const engine = await engineOn(forward)
      const taken = forward.ids.filter((_, i) => i % 4 === 0)
      await engine.take(taken)
      await engine.take(taken.slice(0, 3)) // told again, nothing changes
      const { survey, left } = await expected(forward, taken, model, loss, strategies.alis.mass)
      const got = await engine.survey({ model, loss, mass: strategies.alis.mass, controls: [errorOf(loss)] })
      expect(got.points).toBe(left.length)
      const { controls, ...totals } = survey
      const expectNear = (key: string, value: number, wanted: number) => {
        const [isLargest, isSmallest] = [key.startsWith('largest'), key.startsWith('smallest')]
        if (!isLargest && !isSmallest) return expect(value / wanted, key).toBeCloseTo(1, digits)
        const further = isLargest ? value / wanted : wanted / value
        expect(further, key).toBeGreaterThan(1 - 1e-9)
        expect(further, key).toBeLessThan(1 + beyond)
      }
      for (const [key, value] of Object.entries(totals)) expectNear(key, got[key as keyof typeof totals], value)
      for (const [key, value] of Object.entries(controls[0]!))
        expectNear(key, got.controls[0]![key as keyof (typeof controls)[0]], value)
      expect(got.margins.reduce((a, b) => a + b, 0)).toBe(left.length)
    })

    it.each([0.2, 0.3, 1])('draws by quadratic forms of its points, with a uniform share of %s', async (know) => {
      const engine = await engineOn(forward)
      const { mass } = suitedTo(alisStrategy({ know }), { size, columns })
      const vector = (j: number, scale: number) =>
        Float64Array.from({ length: columns + 1 }, (_, k) => scale * Math.sin(j + 2 * k))
      const forms = [1, 0.3].map((scale) => [0, 1, 2].map((j) => vector(j, scale)))
      const request = { model: two, loss: logistic, mass, controls: [errorOf(logistic)], design: successive, size: 25, forms }
      const reference = memoryEngine({ ids: forward.ids, features: dense(forward.values, columns) })
      const asked = { ...request, stream: { seed: 3, name: 'learn/1' } }
      const [got, wanted] = [await engine.draw(asked), await reference.draw(asked)]
      expect(got.draws.map(({ id }) => id)).toEqual(wanted.draws.map(({ id }) => id))
      for (const [k, { probability }] of got.draws.entries())
        expect(probability / wanted.draws[k]!.probability).toBeCloseTo(1, digits)
    })

    it('takes columns for scores', async () => {
      const engine = await engineOn(forward)
      await engine.take(forward.ids.slice(0, 100))
      const columnModel = { kind: 'columns' as const, id: 'someone else', classes: ['right', 'wrong'], columns }
      const request = { model: columnModel, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
      const { draws } = await engine.draw({ ...request, design: successive, size: 5, stream: { seed: 1, name: 'audit/1' } })
      for (const { id, scores: own } of draws) {
        const row = forward.ids.indexOf(id)
        expect(own).toEqual([...forward.values.subarray(row * columns, (row + 1) * columns)])
      }
    })

    it('gives the forms of its points', async () => {
      const engine = await engineOn(forward)
      const own = [2, 5].map((shift) => Float64Array.from({ length: columns + 1 }, (_, k) => Math.cos(shift * k)))
      const form: Ingredient = { name: 'form', value: ({ forms }) => forms[0]!, express: ({ forms }) => forms[0]! }
      const request = { model: two, loss: logistic, mass: pure(form), controls: [], forms: [own] }
      const { draws } = await engine.draw({ ...request, design: successive, size: 5, stream: { seed: 1, name: 'x' } })
      for (const { id, mass } of draws) {
        const row = forward.ids.indexOf(id)
        const x = Float64Array.from([...forward.values.subarray(row * columns, (row + 1) * columns), 1])
        const wanted = own.reduce((sum, vector) => sum + vector.reduce((product, u, j) => product + u * x[j]!, 0) ** 2, 0)
        expect(mass / wanted).toBeCloseTo(1, 9)
      }
    })

    it('hands out features and contents of the points asked for, in that order', async () => {
      const engine = await engineOn(forward)
      expect([engine.size, engine.columns]).toEqual([size, columns])
      const wanted = [forward.ids[7]!, forward.ids[299]!, forward.ids[0]!]
      const features = await engine.features(wanted)
      const column = (j: number) => Float64Array.from({ length: columns }, (_, i) => (i === j ? 1 : 0))
      for (const [k, row] of [7, 299, 0].entries())
        for (let j = 0; j < columns; j++) expect(features.dot(k, column(j))).toBe(forward.values[row * columns + j])
      expect(await engine.contents(wanted)).toEqual([7, 299, 0].map((row) => forward.contents[row]))
    })

    it.each(cases)('predicts the whole pool in batches: %s', async (_, model, loss) => {
      const engine = await engineOn(forward)
      const { beliefs, scores } = await expected(forward, [], model, loss, strategies.uniform.mass)
      const seen = new Map<string, { label: number; probabilities: readonly number[] }>()
      for await (const batch of engine.predictions(model, loss)) for (const p of batch) seen.set(p.id, p)
      expect(seen.size).toBe(size)
      for (const [row, id] of forward.ids.entries()) {
        const best = scores[row]!.length === 1 ? (scores[row]![0]! >= 0 ? 1 : 0) : scores[row]!.indexOf(Math.max(...scores[row]!))
        expect(seen.get(id)!.label).toBe(best)
        for (const [k, p] of seen.get(id)!.probabilities.entries()) expect(p).toBeCloseTo(beliefs[row]!.probabilities[k]!, 5)
      }
    })

    if (onlyFeatures) return

    for (const design of designs) {
      // SQL puts any mass into any design: after the first, two masses are enough.
      const drawing = needsFormulas && design !== successive ? [strategies.alis, strategies.paper] : drawnBy
      for (const [title, model, loss] of cases) {
        it(`draws what ${design.name} draws from the same masses: ${title}`, async () => {
          const engine = await engineOn(forward)
          const taken = forward.ids.slice(0, 40)
          await engine.take(taken)
          for (const strategy of drawing) {
            const { mass } = strategy
            const { left, masses, scores } = await expected(forward, taken, model, loss, mass)
            const stream = { seed: 11, name: `learn/${strategy.name}` }
            const name = (repeat = 0) => (repeat === 0 ? stream.name : `${stream.name}#${repeat}`)
            const reference = design.draw(masses, 25, (i, repeat) => uniform(11, name(repeat), left[i]!))
            const { draws, survey } = await engine.draw({
              model,
              loss,
              mass,
              controls: [errorOf(loss)],
              design,
              size: 25,
              stream,
            })
            expect(draws.map(({ id }) => id)).toEqual(reference.map(({ index }) => left[index]))
            expect(draws.map(({ order }) => order)).toEqual(reference.map(({ order }) => order))
            for (const [k, { probability, mass: a, scores: got }] of draws.entries()) {
              const { index, probability: p } = reference[k]!
              expect(probability / p).toBeCloseTo(1, digits)
              expect(a / masses[index]!).toBeCloseTo(1, digits)
              for (const [j, score] of got.entries()) expect(score).toBeCloseTo(scores[index]![j]!, 5) // float32 features
            }
            expect(survey.points).toBe(left.length)
          }
        })
      }

      it(`draws the same points by ${design.name} whatever the order of the pool`, async () => {
        const request = {
          model: two,
          loss: logistic,
          mass: strategies.alis.mass,
          controls: [errorOf(logistic)],
          design,
          size: 30,
          stream: { seed: 5, name: 'learn/1' },
        }
        const a = await (await engineOn(forward)).draw(request)
        const b = await (await engineOn(backward)).draw(request)
        expect(b.draws.map(({ id }) => id)).toEqual(a.draws.map(({ id }) => id))
        for (const [k, { probability }] of b.draws.entries()) expect(probability / a.draws[k]!.probability).toBeCloseTo(1, 12)
      })
    }

    it.runIf(needsFormulas)('refuses trees', async () => {
      const request = { model: stumps, loss: logistic, mass: strategies.alis.mass, controls: [] }
      const message = 'model: one that is linear in the features is required in a database, got trees'
      await expect((await engineOn(forward)).survey(request)).rejects.toThrow(message)
    })

    it.skipIf(noSelectors).each(cases)('runs a selector on the points that may be drawn: %s', async (_, model, loss) => {
      const engine = await engineOn(forward)
      const taken = forward.ids.filter((_, i) => i % 3 === 0)
      await engine.take(taken)
      const { mass } = strategies.alis
      const { left, masses, beliefs } = await expected(forward, taken, model, loss, mass)
      const stream = { seed: 3, name: 'learn/1' }
      const selector: Selector = {
        name: 'every tenth',
        select(view, wanted, uniforms) {
          expect(view.features.rows).toBe(left.length)
          for (const [i, id] of left.entries()) {
            const row = forward.ids.indexOf(id)
            expect(view.features.dot(i, Float64Array.of(1, 0, 0, 0, 0))).toBe(forward.values[row * columns])
            expect(view.masses[i]! / masses[i]!).toBeCloseTo(1, 9)
            for (const [k, p] of beliefs[i]!.probabilities.entries()) expect(view.beliefAt(i).probabilities[k]).toBeCloseTo(p, 5)
            expect(uniforms(i)).toBe(uniform(3, stream.name, id))
          }
          const indices = Array.from({ length: wanted }, (_, k) => 10 * k)
          return certainDraws(indices, view.masses)
        },
      }
      const request = { model, loss, mass, controls: [errorOf(loss)], design: top, selector, size: 7, stream }
      const { draws, survey } = await engine.draw(request)
      expect(draws.map(({ id }) => id)).toEqual([0, 10, 20, 30, 40, 50, 60].map((i) => left[i]))
      expect(draws.map(({ probability, order }) => [probability, order])).toEqual(draws.map((_, k) => [1, k + 1]))
      expect(survey.points).toBe(left.length)
    })

    it.runIf(noSelectors)(`refuses selectors: ${noSelectors}`, async () => {
      const engine = await engineOn(forward)
      const selector: Selector = { name: 'every tenth', select: () => [] }
      const question = { model: two, loss: logistic, mass: strategies.alis.mass, controls: [] }
      const request = { ...question, design: top, selector, size: 7, stream: { seed: 3, name: 'learn/1' } }
      await expect(engine.draw(request)).rejects.toThrow('every tenth')
    })

    itStratifies(engineOn, needsFormulas)
    itCompares(engineOn, digits, needsFormulas)

    it('drawing takes nothing by itself, and never returns a point that was taken', async () => {
      const engine = await engineOn(forward)
      const request = {
        model: two,
        loss: logistic,
        mass: strategies.uniform.mass,
        controls: [errorOf(logistic)],
        design: successive,
        size: 200,
      }
      const first = await engine.draw({ ...request, stream: { seed: 1, name: 'a' } })
      expect((await engine.draw({ ...request, stream: { seed: 1, name: 'a' } })).draws).toEqual(first.draws)
      const ids = first.draws.map(({ id }) => id)
      await engine.take(ids)
      const second = await engine.draw({ ...request, stream: { seed: 1, name: 'b' } })
      expect(second.draws).toHaveLength(100)
      expect(second.draws.filter(({ id }) => ids.includes(id))).toEqual([])
      await engine.take(second.draws.map(({ id }) => id))
      expect((await engine.draw({ ...request, stream: { seed: 1, name: 'c' } })).draws).toEqual([])
    })

    it('refuses points it does not have and models of another width', async () => {
      const engine = await engineOn(forward)
      await expect(engine.take(['nobody'])).rejects.toThrow('pool: a point named "nobody" is required, got none')
      const narrow = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[1]], intercepts: [0] })
      await expect(
        engine.survey({ model: narrow, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }),
      ).rejects.toThrow('model: 5 features are required, those of the pool, got 1')
    })
  })
}

/** Scores, beliefs, masses and totals of the points left, the slow way. */
async function expected(pool: ContractPool, taken: readonly string[], model: LearnedModel, loss: Reader, mass: Mass) {
  const rows = [...pool.ids.keys()].filter((row) => !taken.includes(pool.ids[row]!))
  const features = dense(pool.values, pool.columns)
  const scores = rows.map((row) => {
    const linear = ({ weights, intercepts }: LinearModel) =>
      weights.map((own, k) => features.dot(row, Float64Array.from(own)) + intercepts[k]!)
    if (model.kind === 'linear') return linear(model)
    const [x0, x3] = [pool.values[row * pool.columns]!, pool.values[row * pool.columns + 3]!]
    const votes = (x0 <= 0.1 ? 0 : 0.75) + (x3 <= -0.2 ? 0.75 : 0)
    const voted = Math.log((votes + 0.5) / (2 - votes + 0.5))
    return model === blended ? [(voted + linear(two)[0]!) / 2] : [voted]
  })
  const beliefs: Belief[] = scores.map((row) => {
    const belief = emptyBelief(model.classes.length)
    loss.read(row, belief)
    return belief
  })
  const masses = massesOf(mass, beliefs)
  const sum = (f: (belief: Belief, a: number) => number) => beliefs.reduce((total, b, i) => total + f(b, masses[i]!), 0)
  const most = (f: (belief: Belief, a: number) => number) => Math.max(...beliefs.map((b, i) => f(b, masses[i]!)))
  const survey = {
    mass: sum((_, a) => a),
    largestMass: most((_, a) => a),
    smallestMass: -most((_, a) => -a),
    pseudoLoss: sum(worstLoss),
    rootPseudoLoss: sum((b) => Math.sqrt(worstLoss(b))),
    largestPseudoLoss: most(worstLoss),
    pseudoLossPerMass: sum((b, a) => worstLoss(b) / a),
    controls: [
      {
        predictedLoss: sum(predictedError),
        predictedVariance: sum((b, a) => (predictedError(b) * (1 - predictedError(b))) / a),
        largestDown: most((b, a) => predictedError(b) / a),
        largestUp: most((b, a) => (1 - predictedError(b)) / a),
      },
    ],
  }
  expect(beliefs.every((b) => marginOf(b) >= 0)).toBe(true)
  return { left: rows.map((row) => pool.ids[row]!), scores, beliefs, masses, survey }
}
