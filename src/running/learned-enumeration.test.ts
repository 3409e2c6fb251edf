import { describe, expect, it } from 'vitest'
import { momentsOf, type Question, totalsOver } from '../certificates/question.ts'
import { QuestionInterval } from '../certificates/question-interval.ts'
import { RunningLimits } from '../certificates/running.ts'
import type { ReadDraw } from '../certificates/running-readings.ts'
import { keptBack } from '../questions/learned.ts'

// Six points: a model is scored by two draws, a second one follows from their answers and is frozen, two more draws audit it.
const six = [0, 1, 2, 3, 4, 5]
const truth = [0, 1, 1, 0, 1, 0]
const bets = [
  { weight: 0.6, start: 0, target: 0.2 },
  { weight: 0.4, start: 1, target: 0.1 },
]
const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const question: Question = { kinds: [[{ num: 0, den: 1 }, { num: 1, den: 1 }]], range: [0, 1], shape: 'product' } // biome-ignore format: a table

/** Wrong about two points at first. */
const first = (i: number) => (i === 1 || i === 3 ? 1 - truth[i]! : truth[i]!)
/** The second model: what it predicts may depend on the points drawn and their answers in any way. */
type Second = (drawn: readonly number[]) => (i: number) => number
const seconds: Record<string, Second> = {
  'the same model': () => first,
  'a better one': (drawn) => (i) => (drawn.includes(1) ? truth[i]! : first(i)),
  'one that is worse after good draws': (drawn) => (i) => (drawn.some((k) => first(k) !== truth[k]) ? first(i) : 1 - truth[i]!),
  'one that is better after bad draws': (drawn) => (i) => (drawn.some((k) => first(k) !== truth[k]) ? truth[i]! : first(i)),
}
const mass = (i: number) => 1 + 0.3 * i
const expects = (i: number) => 0.1 + 0.15 * (i % 4)

function learningFrom(drawn: readonly number[]) {
  let all = total(six.map(mass))
  const draws = drawn.map((i): ReadDraw => {
    const probability = mass(i) / all
    all -= mass(i)
    return { loss: first(i) === truth[i] ? 0 : 1, mass: mass(i), probability, predictedLoss: expects(i) }
  })
  const limits = new RunningLimits({ bets })
  limits.add({
    design: 'successive',
    isLearned: true,
    points: six.length,
    mass: total(six.map(mass)),
    predictedLoss: total(six.map(expects)),
    predictedVariance: total(six.map((i) => (expects(i) * (1 - expects(i))) / mass(i))),
    largestUp: Math.max(...six.map((i) => (1 - expects(i)) / mass(i))),
    largestDown: Math.max(...six.map((i) => expects(i) / mass(i))),
    draws,
  })
  return limits
}

interface Walk {
  readonly second: Second
  /** Differences between the models that are not counted. */
  readonly isBlind?: boolean
  /** So much of the stake is bet on learning. */
  readonly share?: number
}

/** Mean wealth against the true share of errors of the second model: as its audit begins, and after two draws of it. */
function meanWealth({ second, isBlind = false, share = 1 - keptBack }: Walk) {
  const mean = { start: { lower: 0, upper: 0 }, end: { lower: 0, upper: 0 } }
  for (const a of six)
    for (const b of six.filter((i) => i !== a)) {
      const all = total(six.map(mass))
      const chance = (mass(a) / all) * (mass(b) / (all - mass(a)))
      const drawn = [a, b]
      const own = second(drawn)
      const left = six.filter((i) => !drawn.includes(i))
      const errors = left.filter((i) => own(i) !== truth[i]).length
      const found = drawn.filter((i) => first(i) !== truth[i]).length
      const differing = isBlind ? 0 : left.filter((i) => own(i) !== first(i)).length
      const limits = learningFrom(drawn)
      const view = { mostErrors: found, leastErrors: found, differing, added: 0, gone: 0 }
      const start = (side: 'lower' | 'upper') => 1 - share + share * Math.exp(limits.logWealth(side, errors, [view]))
      for (const side of ['lower', 'upper'] as const) mean.start[side] += chance * start(side)
      const F = errors / left.length
      for (const c of left)
        for (const d of left.filter((i) => i !== c)) {
          const interval = new QuestionInterval({
            question,
            counts: [left.length],
            ...{ lower: 1e-9, upper: 1e-9, values: [F], plan: { kind: 'budget', answers: 2 } },
            start: (_, sign) => start(sign === 1 ? 'lower' : 'upper'),
          })
          const belief = (i: number) => momentsOf(question.kinds[0]!, [1 - expects(i), expects(i)])
          const totals = totalsOver(question)
          for (const i of left) totals.add(0, mass(i), belief(i))
          const allMass = total(left.map(mass))
          interval.round(totals.totals(), { allMass, drawn: 0, isPlain: false })
          for (const i of [c, d])
            interval.draw({ kind: 0, mass: mass(i), belief: belief(i), worth: { num: own(i) === truth[i] ? 0 : 1, den: 1 } })
          const way = chance * (mass(c) / allMass) * (mass(d) / (allMass - mass(c)))
          for (const side of ['lower', 'upper'] as const) mean.end[side] += way * interval.limits[side].owned(0)
        }
    }
  return mean
}

describe('the mean wealth against the true value, over every way that learning and its audit can go', () => {
  it.each(Object.entries(seconds))('is at most 1 as the audit begins, and after it: %s', (_, second) => {
    const { start, end } = meanWealth({ second })
    for (const mean of [start.lower, start.upper, end.lower, end.upper]) expect(mean).toBeLessThanOrEqual(1 + 1e-9)
  })

  it('is 1 where the model stays what it was', () => {
    const { start, end } = meanWealth({ second: seconds['the same model']! })
    for (const mean of [start.lower, start.upper, end.lower, end.upper]) expect(mean).toBeCloseTo(1, 9)
  })

  it('is above 1 where differences between the models are not counted', () => {
    const worse = meanWealth({ second: seconds['one that is worse after good draws']!, isBlind: true })
    const better = meanWealth({ second: seconds['one that is better after bad draws']!, isBlind: true })
    expect(Math.max(worse.start.upper, better.start.lower, worse.start.lower, better.start.upper)).toBeGreaterThan(1.01)
  })
})
