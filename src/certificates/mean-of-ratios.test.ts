import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { f1OfClasses, meanInTruth, runMacro } from '../../bench/questions/macro-run.ts'
import { makeModels } from '../../bench/questions/simulated-models.ts'
import { extremeMean, type Limits, meanOf, remainderWithin, slopesOf } from './linearisation.ts'
import { MeanOfRatios } from './mean-of-ratios.ts'
import { noPlan } from './plan.ts'
import { momentsOf, type Question, totalsOver } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

const flag = (is: boolean) => (is ? 1 : 0)
const three = [0, 1, 2]

/** The recall of every class: their mean is balanced accuracy. */
const recalls: Question[] = three.map((c) => ({
  kinds: three.map((p) => three.map((y) => ({ num: flag(p === c && y === c), den: flag(y === c) }))),
  range: [0, 1],
  shape: 'product',
}))
const precisions: Question[] = three.map((c) => ({
  kinds: three.map((p) => three.map((y) => ({ num: flag(p === c && y === c), den: flag(p === c) }))),
  range: [0, 1],
  shape: 'product',
}))
const metrics = { 'macro-F1': f1OfClasses(3), 'balanced accuracy': recalls, 'macro-precision': precisions }

describe('linearisation', () => {
  it('is exact together with its remainder', () => {
    const positive = fc.double({ min: 0.05, max: 3, noNaN: true })
    const table = fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), positive), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(table, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(positive, positive), { minLength: 4, maxLength: 4 }),
        (tables, pool, expansion) => {
          // Two kinds with three answers each; a point is one of the six cells.
          const parts = tables.map((cells): Question => {
            const worths = cells.map(([num, den]) => ({ num, den }))
            return { kinds: [worths.slice(0, 3), worths.slice(3)], range: [0, 1], shape: 'product' }
          })
          const at = { ratios: parts.map((_, k) => expansion[k]![0]), sizes: parts.map((_, k) => expansion[k]![1]) }
          const sum = (k: number, key: 0 | 1) => pool.reduce((total, cell) => total + tables[k]![cell]![key], 0)
          const ratios = parts.map((_, k) => sum(k, 0) / sum(k, 1))
          const slopes = slopesOf(parts, at).flat()
          const firstOrder = pool.reduce((total, cell) => total + slopes[cell]!, 0)
          const [low, high] = remainderWithin(
            at,
            ratios.map((f): Limits => [f, f]),
            parts.map((_, k): Limits => [sum(k, 1), sum(k, 1)]),
          )
          const left = meanOf(ratios) - meanOf(at.ratios)
          const scale =
            Math.max(1, ...at.sizes.map((size, k) => sum(k, 1) / size)) * Math.max(1, ...at.ratios, ...ratios.map(Math.abs))
          expect(low).toBe(high)
          expect(Math.abs(left - firstOrder - low)).toBeLessThan(1e-12 * scale)
        },
      ),
    )
  })

  it('bounds the remainder by limits for ratios and denominators', () => {
    const at = { ratios: [0.5, 0.7], sizes: [10, 20] }
    const [low, high] = remainderWithin(
      at,
      [
        [0.4, 0.7],
        [0.7, 0.9],
      ],
      [
        [8, 11],
        [18, 30],
      ],
    )
    expect(low).toBeCloseTo((-0.1 * 0.2 + 0.2 * -0.5) / 2, 12)
    expect(high).toBeCloseTo((0.2 * 0.2 + 0.2 * 0.1) / 2, 12)
  })
})

it('the extreme mean over parts that may count is that over all choices of them', () => {
  const values = fc.array(
    fc.nat(20).map((twentieths) => twentieths / 20),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(values, values, (certain, possible) => {
      fc.pre(certain.length + possible.length > 0)
      const choices = Array.from({ length: 2 ** possible.length }, (_, bits) => possible.filter((__, k) => (bits >> k) & 1))
      const means = choices.map((choice) => [...certain, ...choice]).filter((chosen) => chosen.length > 0)
      expect(extremeMean(certain, possible, 1)).toBeCloseTo(Math.min(...means.map(meanOf)), 12)
      expect(extremeMean(certain, possible, -1)).toBeCloseTo(Math.max(...means.map(meanOf)), 12)
    }),
  )
})

describe.each([false, true])('a mean of ratios, linearised: %s', (linearised) => {
  const options = { seed: 1, plan: noPlan, linearised, linearisedAt: 20, batch: 10, grid: 60 }

  it.each(Object.entries(metrics))('is the truth when everything is labelled: %s', (_, parts) => {
    const model = makeModels({ seed: 3, size: 90, accuracies: [0.7], classes: 3 })
    const truth = meanInTruth(
      parts,
      model.predicted.map(([guess]) => guess!),
      model.truths,
    )
    const path = runMacro({ ...options, model, parts, draws: 90 })
    const { state, value, low, high } = path.at(-1)!
    expect(state).toBe('known')
    for (const said of [value, low, high]) expect(said).toBeCloseTo(truth, 12)
    for (const each of path) {
      expect(each.low).toBeLessThanOrEqual(each.high!)
      expect(each.low).toBeLessThanOrEqual(truth + 1e-12)
      expect(each.high).toBeGreaterThanOrEqual(truth - 1e-12)
    }
  })

  it('leaves out classes that have no point, and says so only when that is certain', () => {
    const made = makeModels({ seed: 4, size: 60, accuracies: [0.9], classes: 2 })
    const model = { ...made, probabilities: made.probabilities.map(([one, two]) => Float64Array.of(one! * 0.9, two! * 0.9, 0.1)) }
    const truth = meanInTruth(
      recalls,
      model.predicted.map(([guess]) => guess!),
      model.truths,
    )
    const path = runMacro({ ...options, model, parts: recalls, draws: 60 })
    for (const { state, low, high } of path.slice(0, -1)) {
      expect(state).toBe('if any')
      expect(low).toBeLessThanOrEqual(truth)
      expect(high).toBeGreaterThanOrEqual(truth)
    }
    expect(path.at(-1)!.state).toBe('known')
    expect(path.at(-1)!.value).toBeCloseTo(truth, 12)
  })

  it('has nothing to say without points', () => {
    const mean = new MeanOfRatios({ parts: recalls, counts: [0, 0, 0], linearised })
    expect(mean.answer()).toEqual({ state: 'undefined', value: null, low: null, high: null, answers: 0 })
  })

  it('keeps "cannot tell" open for good', () => {
    const mean = new MeanOfRatios({ parts: metrics['macro-F1'], counts: [2, 2, 2], linearised, linearisedAt: 0, grid: 60 })
    const probabilities = [0.4, 0.3, 0.3]
    mean.give(0, 0)
    mean.give(1, null)
    mean.round(totalsOfRest([1, 1, 2], probabilities), { allMass: 4, drawn: 0, isPlain: false })
    mean.draw({ kind: 0, mass: 1, probabilities, answer: null })
    mean.draw({ kind: 1, mass: 1, probabilities, answer: 1 })
    mean.draw({ kind: 2, mass: 1, probabilities, answer: 2 })
    mean.draw({ kind: 2, mass: 1, probabilities, answer: 0 })
    const { state, low, high } = mean.answer()
    expect(state).toBe('defined')
    // Of the two that are not known, one was predicted 0 and one 1: both may be right.
    const [best] = [meanOf([4 / 5, 1, 2 / 3])]
    expect(high).toBeGreaterThanOrEqual(best - 1e-12)
    expect(low).toBeLessThan(best - 0.1)
    expect(mean.certain()[0]).toBeLessThanOrEqual(low!)
  })
})

it('bets on the mean from the first round on that begins with enough answers and can draw all that matters', () => {
  const mean = new MeanOfRatios({
    parts: metrics['macro-F1'],
    counts: [20, 20, 20],
    linearised: true,
    linearisedAt: 10,
    grid: 60,
  })
  const asked: number[] = []
  const probabilities = [0.4, 0.3, 0.3]
  for (const [drawn, isCovered] of [
    [0, true],
    [9, true],
    [10, false],
    [11, true],
  ] as const) {
    let questions = 0
    const totalsOf = totalsOfRest([20, 20, 20], probabilities)
    mean.round(
      (question) => {
        questions++
        return { ...totalsOf(question), isCovered }
      },
      { allMass: 60, drawn, isPlain: false },
    )
    asked.push(questions)
  }
  expect(asked).toEqual([6, 6, 6, 7])
})

it.each([
  ['as soon as there are as many answers as it takes', 10, 0, 7],
  ['not where some of the questions say nothing in it', 11, 1, 6],
  ['not where none of them says anything in it', 11, 6, 6],
])('bets on the mean %s', (_, drawn, uncovered, questions) => {
  const parts = metrics['macro-F1']
  const mean = new MeanOfRatios({ parts, counts: [20, 20, 20], linearised: true, linearisedAt: 10, grid: 60 })
  const totalsOf = totalsOfRest([20, 20, 20], [0.4, 0.3, 0.3])
  let asked = 0
  mean.round((question) => ({ ...totalsOf(question), isCovered: asked++ >= uncovered }), { allMass: 60, drawn, isPlain: false })
  expect(asked).toBe(questions)
})

it.each([
  // Linearised, limits for three ratios and three denominators share a tenth of the risk.
  { linearised: false, lower: 0.1 / 3, upper: 0.3 / 3, grid: 60 },
  { linearised: true, lower: 0.04 / 12, upper: 0.04 / 12, grid: 100, finest: 0.005 },
])('divides the risk among all limits that have to hold: $linearised', ({ linearised, ...share }) => {
  const counts = [30, 30, 30]
  const mean = new MeanOfRatios({ parts: recalls, counts, lower: 0.1, upper: 0.3, grid: 60, linearised })
  const alone = recalls.map((question) => ({ question, interval: new QuestionInterval({ question, counts, ...share }) }))
  const probabilities = [0.5, 0.3, 0.2]
  const totalsOf = totalsOfRest(counts, probabilities)
  const setting = { allMass: 90, drawn: 0, isPlain: false }
  mean.round(totalsOf, setting)
  for (const { question, interval } of alone) interval.round(totalsOf(question), setting)
  for (let k = 0; k < 45; k++) {
    const [kind, answer] = [k % 3, k % 4 === 0 ? (k + 1) % 3 : k % 3]
    mean.draw({ kind, mass: 1, probabilities, answer })
    for (const { question, interval } of alone) {
      const worths = question.kinds[kind]!
      interval.draw({ kind, mass: 1, belief: momentsOf(worths, probabilities), worth: worths[answer]! })
    }
  }
  expect(mean.parts()).toEqual(alone.map(({ interval }) => interval.answer()))
  expect(mean.parts().every(({ low, high }) => low! > 0 && high! < 1)).toBe(true)
  expect(mean.answer().answers).toBe(45)
})

it('takes answers that are given for what they are, as often as they are given', () => {
  const mean = new MeanOfRatios({ parts: recalls, counts: [4, 3, 2] })
  mean.give(0, 0, 3)
  mean.give(0, 1)
  mean.give(1, 1, 2)
  mean.give(2, 2, 2)
  expect(mean.answer().state).toBe('defined')
  const influence = mean.influence(() => 1)
  const sizes = [3, 3, 2].map((seen) => seen + 1) // of classes 0, 1 and 2, with one more to come of each
  for (const [c, own] of sizes.entries()) {
    // An answer c at a point predicted c moves its recall by (1 − F)/D, at any other by −F/D.
    const [right, wrong] = [influence[c]![c]!, influence[(c + 1) % 3]![c]!]
    expect(right - wrong).toBeCloseTo(1 / (3 * own), 12)
  }
  mean.give(1, 0)
  const { state, value, low, high } = mean.answer()
  expect(state).toBe('known')
  for (const said of [value, low, high]) expect(said).toBeCloseTo(meanOf([3 / 4, 2 / 3, 1]), 12)

  const unsure = new MeanOfRatios({ parts: recalls, counts: [4, 3, 2] })
  for (const [kind, count] of [4, 3, 2].entries()) unsure.give(kind, null, count)
  expect(unsure.answer().state).toBe('if any')
  expect(unsure.certain()).toEqual(new MeanOfRatios({ parts: recalls, counts: [4, 3, 2] }).certain())
})

it('refuses parts over other kinds', () => {
  expect(() => new MeanOfRatios({ parts: [], counts: [] })).toThrow('parts: at least one is required, got none')
  const other: Question = { kinds: [[{ num: 0, den: 1 }]], range: [0, 1], shape: 'product' }
  const [kind] = recalls[0]!.kinds
  const fewer = { ...other, kinds: [kind!, kind!.slice(1), kind!] }
  const more = { ...other, kinds: [kind!, kind!, kind!, kind!] }
  for (const part of [other, fewer, more])
    expect(() => new MeanOfRatios({ parts: [recalls[0]!, part], counts: [1, 1, 1] })).toThrow('the same kinds and answers')
})

/** Totals over so many points of each kind, all of mass 1 and with one belief. */
function totalsOfRest(counts: readonly number[], probabilities: readonly number[]) {
  return (question: Question) => {
    const totals = totalsOver(question)
    for (const [kind, count] of counts.entries()) totals.add(kind, 1, momentsOf(question.kinds[kind]!, probabilities), count)
    return totals.totals()
  }
}
