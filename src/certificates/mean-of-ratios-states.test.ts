import { describe, expect, it } from 'vitest'
import { MeanOfRatios } from './mean-of-ratios.ts'
import { momentsOf, type Question, totalsOver } from './question.ts'

const flag = (is: boolean) => (is ? 1 : 0)
const three = [0, 1, 2]

const precisions: Question[] = three.map((c) => ({
  kinds: three.map((p) => three.map((y) => ({ num: flag(p === c && y === c), den: flag(p === c) }))),
  range: [0, 1],
  shape: 'product',
}))

/** Two shares, each of the points of one kind whose answer is 1: nothing to divide by where none is. */
const shares = [0, 1].map(
  (own): Question => ({
    kinds: [0, 1].map((kind) => three.map((y) => ({ num: flag(kind === own && y === 2), den: flag(kind === own && y > 0) }))),
    range: [-1, 1],
    shape: 'product',
  }),
)

describe('parts without anything to divide by', () => {
  it('are left out from the start where no point can be part of them, and take no share of the risk', () => {
    const [counts, lower, upper] = [[40, 30, 0], 0.1, 0.3]
    const mean = new MeanOfRatios({ parts: precisions, counts, lower, upper, grid: 60 })
    const alone = new MeanOfRatios({ parts: precisions.slice(0, 2), counts, lower, upper, grid: 60 })
    for (const each of [mean, alone]) {
      each.round(totalsOfRest(counts, [0.4, 0.3, 0.3]), { allMass: 70, drawn: 0, isPlain: false })
      for (let k = 0; k < 20; k++) each.draw({ kind: k % 2, mass: 1, probabilities: [0.4, 0.3, 0.3], answer: k % 3 })
    }
    expect(mean.parts()).toHaveLength(2)
    expect(mean.answer()).toEqual(alone.answer())
  })

  it.each([false, true])('are left out once that is known, linearised: %s', (linearised) => {
    const mean = new MeanOfRatios({ parts: shares, counts: [4, 5], linearised, linearisedAt: 0, grid: 60 })
    const totalsOf = totalsOfRest([4, 5], [0.4, 0.3, 0.3])
    mean.round(totalsOf, { allMass: 9, drawn: 0, isPlain: false })
    for (const answer of [1, 2]) mean.draw({ kind: 1, mass: 1, probabilities: [0.4, 0.3, 0.3], answer })
    mean.give(0, 0, 4)
    const [without, other] = mean.parts()
    expect(without!.state).toBe('undefined')
    const { state, value, low, high } = mean.answer()
    expect({ state, value, low, high }).toEqual({ state: 'defined', value: other!.value, low: other!.low, high: other!.high })
    expect(mean.certain()[0]).toBeCloseTo(1 / 5, 12)
    expect(mean.certain()[1]).toBeCloseTo(4 / 5, 12)
  })
})

it('is known once all of its parts are, and no sooner', () => {
  const mean = new MeanOfRatios({ parts: shares, counts: [4, 5] })
  mean.give(0, 2, 4)
  mean.give(1, 1, 1)
  expect(mean.parts().map(({ state }) => state)).toEqual(['known', 'defined'])
  const { state, low, high, answers } = mean.answer()
  expect([state, answers]).toEqual(['defined', 0])
  expect(low).toBeCloseTo((1 + 0) / 2, 9)
  expect(high).toBeCloseTo((1 + 4 / 5) / 2, 9)
  mean.give(1, 2, 4)
  expect(mean.answer()).toMatchObject({ state: 'known', value: (1 + 4 / 5) / 2 })
})

describe('limits that contradict each other', () => {
  const counts = [60, 60, 60]
  const totalsOf = totalsOfRest(counts, [0.4, 0.3, 0.3])

  /** After draws of a round whose totals are not those of its points for some questions. */
  function misled(parts: readonly Question[], isMisled: (question: Question) => boolean, by = 1000): MeanOfRatios {
    const mean = new MeanOfRatios({ parts, counts, lower: 0.3, upper: 0.3, linearised: true, linearisedAt: 0, grid: 60 })
    mean.round(
      (question) => {
        const totals = totalsOf(question)
        return isMisled(question) ? { ...totals, num: totals.num + by } : totals
      },
      { allMass: 180, drawn: 0, isPlain: false },
    )
    for (let k = 0; k < 90; k++) mean.draw({ kind: k % 3, mass: 1, probabilities: [0.4, 0.3, 0.3], answer: k % 4 === 0 ? 1 : 0 })
    return mean
  }

  it.each([
    ['of a part', (question: Question) => question === precisions[1]],
    ['of the mean and of its parts', (question: Question) => !precisions.includes(question)],
  ])('are given up for what is certain: %s', (_, isMisled) => {
    const mean = misled(precisions, isMisled)
    const [least, most] = mean.certain()
    const { state, value, low, high, answers } = mean.answer()
    expect({ state, low, high, answers }).toEqual({ state: 'contradiction', low: least, high: most, answers: 30 })
    expect(value! >= least && value! <= most).toBe(true)
    expect(misled(precisions, () => false).answer().state).toBe('defined')
  })

  it('also where each by itself could be so', () => {
    const mean = misled(precisions, (question) => !precisions.includes(question), 0.3 * 180) // 0.3 more than is so
    expect(mean.parts().map(({ state }) => state)).toEqual(['defined', 'defined', 'defined'])
    const [least, most] = mean.certain()
    expect(mean.answer()).toMatchObject({ state: 'contradiction', low: least, high: most })
    expect(misled(precisions, (question) => !precisions.includes(question), 0.02 * 180).answer().state).toBe('defined')
  })

  it('do not where they are as close as rounding', () => {
    const close: Question = { kinds: [[0.5, 0.5 + 2e-13].map((num) => ({ num, den: 1 }))], range: [0, 1], shape: 'product' }
    expect(new MeanOfRatios({ parts: [close], counts: [3] }).answer().state).toBe('defined')
  })
})

describe('while a part may have nothing to divide by', () => {
  const counts = [60, 60]
  const totalsOf = totalsOfRest(counts, [0.4, 0.3, 0.3])

  /** Nothing to divide by is found of the first part; some questions are told that there is more than there is, for each point. */
  function begun(more: (question: Question) => number): MeanOfRatios {
    const mean = new MeanOfRatios({ parts: shares, counts, lower: 0.3, upper: 0.3, linearised: true, linearisedAt: 0, grid: 60 })
    mean.round(
      (question) => {
        const totals = totalsOf(question)
        return { ...totals, num: totals.num + 120 * more(question) }
      },
      { allMass: 120, drawn: 0, isPlain: false },
    )
    for (let k = 0; k < 60; k++)
      mean.draw({ kind: k % 2, mass: 1, probabilities: [0.4, 0.3, 0.3], answer: k % 2 && 1 + (k % 4 === 1 ? 1 : 0) })
    expect(mean.parts().map(({ state }) => state)).toEqual(['if any', 'defined'])
    return mean
  }

  it('the mean has the limits of its parts alone, whatever first order says', () => {
    const plain = begun(() => 0).answer()
    const other = begun((question) => (shares.includes(question) || question.range[1] > 1 ? 0 : 0.2)).answer()
    expect(other).toEqual(plain)
  })

  it('its lower limit is that of the others, where they make it smaller by themselves', () => {
    const mean = begun((question) => (question === shares[0] ? 0.2 : 0))
    const [first, second] = mean.parts()
    expect(first!.low).toBeGreaterThan(second!.low! + 0.01)
    expect(mean.answer().state).toBe('if any')
    expect(mean.answer().low).toBe(second!.low)
  })
})

it('takes a ratio to be a twentieth of its range away from either end, at the least, to say what an answer adds', () => {
  const difference: Question = { kinds: [[-1, 1].map((num) => ({ num, den: 1 }))], range: [-1, 1], shape: 'product' }
  for (const [answer, centre] of [
    [0, -0.9],
    [1, 0.9],
  ] as const) {
    const mean = new MeanOfRatios({ parts: [difference], counts: [400] })
    const probabilities = [1 - answer, answer]
    mean.round(totalsOfRest([400], probabilities), { allMass: 400, drawn: 0, isPlain: false })
    for (let k = 0; k < 100; k++) mean.draw({ kind: 0, mass: 1, probabilities, answer })
    const [influence] = mean.influence(() => 300)
    expect(influence![0]).toBeCloseTo((-1 - centre) / 400, 12)
    expect(influence![1]).toBeCloseTo((1 - centre) / 400, 12)
  }
})

/** Totals over so many points of each kind, all of mass 1 and with one belief. */
function totalsOfRest(counts: readonly number[], probabilities: readonly number[]) {
  return (question: Question) => {
    const totals = totalsOver(question)
    for (const [kind, count] of counts.entries()) totals.add(kind, 1, momentsOf(question.kinds[kind]!, probabilities), count)
    return totals.totals()
  }
}
