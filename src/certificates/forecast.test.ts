import { describe, expect, it } from 'vitest'
import { answersUntil, forecastOf, halfWidthAfter, informationAt, type Pace } from './forecast.ts'
import { momentsOf, type Question, totalsOver } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

const mean: Question = { kinds: [[0, 1].map((num) => ({ num, den: 1 }))], range: [0, 1], shape: 'product' }

/** Draws that are all alike, from a pool without end, where half is wrong. */
const pace: Pace = {
  question: mean,
  plan: 'tolerance',
  lower: 0.025,
  upper: 0.025,
  estimate: 0.5,
  information: 0,
  variance: 1,
  draws: 0,
  left: 1e9,
  share: 1,
}

it('an interval has gathered what it takes to be as narrow: 1.45 times what one look takes, z²/h²', () => {
  expect(informationAt(0.05, 0.95)).toBeCloseTo((1.45 * 1.95996 ** 2) / 0.05 ** 2, 0)
  expect(informationAt(0.02, 0.9)).toBeCloseTo((1.45 * 1.64485 ** 2) / 0.02 ** 2, -1)
})

describe('answers until a tolerance', () => {
  it('are 1.45 times what one look takes, by score tests from either side', () => {
    // Wilson's: h = z √(p(1 − p)/n) at either limit, so n = z² · 0.45 · 0.55/0.05².
    expect(answersUntil(pace, 0.05).answers).toBeCloseTo(1.45 * 1.95996 ** 2 * ((0.45 * 0.55) / 0.05 ** 2), -1)
    expect(answersUntil({ ...pace, plan: 'none' }, 0.05).answers / answersUntil(pace, 0.05).answers).toBeCloseTo(2.3 / 1.45, 2)
    expect(answersUntil({ ...pace, plan: 'budget' }, 0.05).answers / answersUntil(pace, 0.05).answers).toBeCloseTo(1.3 / 1.45, 2)
  })

  it('are few where nothing is wrong: z²/2h, not 0', () => {
    const { answers } = answersUntil({ ...pace, estimate: 0 }, 0.02)
    expect(answers).toBeCloseTo(1.45 * ((1.95996 ** 2 * 0.04 * 0.96) / 0.04 ** 2), -1)
    expect(answersUntil({ ...pace, estimate: 1 }, 0.02).answers).toBeCloseTo(answers, -1) // the other way round
  })

  it('count what is known already, what a draw brings, and that some do not matter', () => {
    const { answers } = answersUntil(pace, 0.05)
    expect(answersUntil({ ...pace, information: answers / 2 }, 0.05).answers).toBeCloseTo(answers / 2, -1)
    expect(answersUntil({ ...pace, variance: 3 }, 0.05).answers / answers).toBeCloseTo(3, 2)
    expect(answersUntil({ ...pace, share: 0.25 }, 0.05).answers / answers).toBeCloseTo(4, 2)
  })

  it('are fewer in a small pool, of which the last draws say most', () => {
    const { answers } = answersUntil(pace, 0.05)
    expect(answersUntil({ ...pace, left: answers }, 0.05).answers).toBeCloseTo(answers / 2, -1)
    expect(answersUntil({ ...pace, left: 10 }, 0.001).answers).toBeLessThanOrEqual(10)
  })

  it('are never "one more" after many: at least a tenth of the draws so far', () => {
    const { answers, low, high } = answersUntil({ ...pace, information: 1e6, draws: 300 }, 0.05)
    expect([answers, low, high]).toEqual([30, 30, 30])
  })

  it('are half as many for one limit alone, which has to be close on its own side', () => {
    const upper = answersUntil({ ...pace, lower: 0 }, 0.05).answers
    const lower = answersUntil({ ...pace, upper: 0 }, 0.05).answers
    expect(upper).toBeCloseTo(1.45 * 1.95996 ** 2 * ((0.55 * 0.45) / 0.05 ** 2), -1)
    expect(lower).toBeCloseTo(upper, -1)
    expect(answersUntil({ ...pace, lower: 0, upper: 0.05 }, 0.05).answers).toBeLessThan(upper)
  })

  it('lie between what they are if F is a standard error smaller or larger', () => {
    const few = { ...pace, estimate: 0.1, information: 40, draws: 40 }
    const { answers, low, high } = answersUntil(few, 0.05)
    expect(low).toBeLessThan(0.8 * answers)
    expect(high).toBeGreaterThan(1.3 * answers)
    const mirrored = answersUntil({ ...few, estimate: 0.9 }, 0.05)
    expect(Math.abs(mirrored.low - low) + Math.abs(mirrored.high - high)).toBeLessThanOrEqual(2)
    const sure = answersUntil({ ...few, information: 400 }, 0.02)
    expect(sure.high / sure.answers).toBeLessThan(high / answers)
  })

  it('count beliefs like ten draws, to say how far F may be from where it is thought to be', () => {
    const begun = { ...pace, estimate: 0.1, variance: 4, information: 2 }
    const error = Math.sqrt((0.1 * 0.9) / (2 + 10 / 4))
    const [, above] = [0.1, 0.1 + error].map((estimate) => answersUntil({ ...begun, estimate }, 0.02).answers)
    expect(answersUntil(begun, 0.02).high / above!).toBeCloseTo(2 / 1.45, 2)
  })

  it('follow from the variance of a draw alone', () => {
    const forecast = forecastOf({ level: 0.95, tolerance: 0.05, information: 0, variance: 0.25, answers: 0, left: 1e9 })
    expect(forecast.answers).toBe(Math.ceil(1.45 * 1.959964 ** 2 * (0.25 / 0.05 ** 2)))
    expect(forecast.low / forecast.answers).toBeCloseTo(1.15 / 1.45, 2)
    expect(forecast.high / forecast.answers).toBeCloseTo(2 / 1.45, 2)
    const later = forecastOf({ level: 0.95, tolerance: 0.05, information: 1000, variance: 0.25, answers: 250, left: 1e9 })
    expect(forecast.answers - later.answers).toBeCloseTo(250, -1)
  })
})

describe('the half-width to expect', () => {
  it('is the forecast, read backwards', () => {
    for (const estimate of [0, 0.05, 0.5, 0.98])
      for (const tolerance of [0.01, 0.05, 0.1]) {
        const at = { ...pace, estimate, information: 5, variance: 3, left: 4000, share: 0.5 }
        const { answers } = answersUntil(at, tolerance)
        expect(halfWidthAfter(at, answers) / tolerance).toBeCloseTo(1, 1)
      }
  })

  it('is nothing once everything is drawn, and everything before the first draw', () => {
    expect(halfWidthAfter({ ...pace, left: 100 }, 100)).toBe(0)
    expect(halfWidthAfter({ ...pace, left: 100, share: 0.5 }, 150)).toBeGreaterThan(0)
    expect(halfWidthAfter({ ...pace, left: 100 }, 0)).toBe(0.5)
    expect(halfWidthAfter({ ...pace, left: 100, question: { ...mean, range: [-1, 1] } }, 0)).toBe(1)
  })
})

describe('a question', () => {
  const recall: Question = {
    kinds: [0, 1].map((predicted) => [0, 1].map((y) => ({ num: predicted * y, den: y }))),
    range: [0, 1],
    shape: 'product',
  }
  const beliefs = recall.kinds.map((worths, kind) => momentsOf(worths, kind === 1 ? [0.2, 0.8] : [0.9, 0.1]))

  function begun(masses: readonly number[] = [1, 1], allMass = 1000): QuestionInterval {
    const interval = new QuestionInterval({ question: recall, counts: [800, 200], plan: { kind: 'tolerance', tolerance: 0.1 } })
    const totals = totalsOver(recall)
    totals.add(0, masses[0]!, beliefs[0]!, 800)
    totals.add(1, masses[1]!, beliefs[1]!, 200)
    interval.round(totals.totals(), { allMass, drawn: 0, isPlain: true })
    return interval
  }

  it('has a forecast before its first draw, from what is believed, that comes about right', () => {
    const interval = begun()
    const { answers, low, high } = interval.forecast(0.1)!
    let drawn = 0
    for (; drawn < 700; drawn++) {
      const { low, high } = interval.answer()
      if ((high! - low!) / 2 <= 0.1) break
      const kind = drawn % 5 === 2 ? 1 : 0 // as often as there are such points
      const worth = recall.kinds[kind]![(kind === 1 ? Math.floor(drawn / 5) % 5 < 4 : drawn % 11 === 1) ? 1 : 0]!
      interval.draw({ kind, mass: 1, belief: beliefs[kind]!, worth })
    }
    expect(drawn).toBeGreaterThan(low)
    expect(drawn).toBeLessThan(high)
    expect(answers).toBeGreaterThan(low)
    expect(interval.halfWidthAfter(0)!).toBeCloseTo(0.1, 1)
    expect(interval.halfWidthAfter(200)!).toBeLessThan(interval.halfWidthAfter(50)!)
  })

  it('takes twice the answers where half of them say nothing about it', () => {
    expect(begun([1, 1], 2000).forecast(0.1)!.answers / begun().forecast(0.1)!.answers).toBeCloseTo(2, 1)
  })

  it('has none before a round, in one that says nothing about it, and once all is known', () => {
    const interval = new QuestionInterval({ question: recall, counts: [800, 200] })
    expect(interval.forecast(0.1)).toBeUndefined()
    expect(interval.halfWidthAfter(10)).toBeUndefined()
    expect(begun([0, 1]).forecast(0.1)).toBeUndefined()
    const one = new QuestionInterval({ question: mean, counts: [1] })
    const totals = totalsOver(mean)
    const belief = momentsOf(mean.kinds[0]!, [0.5, 0.5])
    totals.add(0, 1, belief)
    one.round(totals.totals(), { allMass: 1, drawn: 0, isPlain: true })
    one.draw({ kind: 0, mass: 1, belief, worth: { num: 1, den: 1 } })
    expect(one.forecast(0.1)).toBeUndefined()
  })
})
