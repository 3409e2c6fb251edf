import { describe, expect, it } from 'vitest'
import { type RoundView, RunningLimits } from './running.ts'
import type { ReadDraw, RunningRound } from './running-readings.ts'

// Five points; a round of three draws that a person may end on seeing a point, and one of two that is drawn anew from what is left.
const five = [0, 1, 2, 3, 4]
const wrong = [0, 1, 1, 0, 1]
const bets = [
  { weight: 0.6, start: 0, target: 0.2 },
  { weight: 0.4, start: 1, target: 0.1 },
]
const expects = (i: number) => 0.1 + 0.15 * (i % 4)
type Mass = (i: number) => number
const gentle: Mass = (i) => 1 + 0.3 * i
/** One point, which the model is right about, has nearly all of the mass: drawing it says little. */
const heavy: Mass = (i) => (i === 3 ? 12 : 1)
const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** Every order in which so many of these points can be drawn, with its chance. */
function* orders(left: readonly number[], size: number, mass: Mass): Generator<[readonly number[], number]> {
  if (size === 0) return yield [[], 1]
  const all = total(left.map(mass))
  for (const i of left) {
    const others = left.filter((k) => k !== i)
    for (const [rest, chance] of orders(others, size - 1, mass)) yield [[i, ...rest], (chance * mass(i)) / all]
  }
}

/** Whether a person who has answered these and sees this point ends the round there, without an answer to it. */
type Rule = (seen: number, answered: readonly number[]) => boolean

const rules: Record<string, Rule> = {
  'a point that the model is wrong about': (seen) => wrong[seen] === 1,
  'a point that the model is right about': (seen) => wrong[seen] === 0,
  'the third point': (_, answered) => answered.length === 2,
  'a hard point after an easy one': (seen, answered) => wrong[seen] === 1 && answered.some((i) => wrong[i] === 0),
  'any point after an error': (_, answered) => answered.some((i) => wrong[i] === 1),
  'one certain point, but not as the first': (seen, answered) => seen === 3 && answered.length > 0,
}

function roundOf(left: readonly number[], drawn: readonly number[], unanswered: readonly number[], mass: Mass): RunningRound {
  let all = total(left.map(mass))
  const draws = drawn.map((i): ReadDraw => {
    const probability = mass(i) / all
    all -= mass(i)
    return { loss: unanswered.includes(i) ? null : (wrong[i] as 0 | 1), mass: mass(i), probability, predictedLoss: expects(i) }
  })
  return {
    design: 'successive',
    isLearned: true,
    points: left.length,
    mass: total(left.map(mass)),
    predictedLoss: total(left.map(expects)),
    predictedVariance: total(left.map((i) => (expects(i) * (1 - expects(i))) / mass(i))),
    largestUp: Math.max(...left.map((i) => (1 - expects(i)) / mass(i))),
    largestDown: Math.max(...left.map((i) => expects(i) / mass(i))),
    draws,
  }
}

/** What becomes of the point that was seen and not answered. */
type Seen = 'went without' | 'left out' | 'an error'

/** Mean wealth against the errors among the points without an answer, after both rounds. */
function meanWealth(rule: Rule, seen: Seen, mass: Mass) {
  const mean = { upper: 0, lower: 0 }
  for (const [all, p] of orders(five, 3, mass)) {
    const end = all.findIndex((i, k) => rule(i, all.slice(0, k)))
    const isCounted = end >= 0 && seen !== 'left out'
    const drawn = end < 0 ? all : all.slice(0, isCounted ? end + 1 : end)
    const unanswered = isCounted ? [all[end]!] : []
    const left = five.filter((i) => !drawn.includes(i))
    for (const [second, q] of orders(left, 2, mass)) {
      const running = new RunningLimits({ bets })
      running.add(roundOf(five, drawn, unanswered, mass))
      running.add(roundOf(left, second, [], mass))
      const errorsIn = (points: readonly number[]) => total(points.filter((i) => !unanswered.includes(i)).map((i) => wrong[i]!))
      const found = errorsIn([...drawn, ...second])
      const [asError, gone] = seen === 'an error' ? [unanswered.length, 0] : [0, unanswered.length]
      const views: RoundView[] = [
        { mostErrors: found + asError, leastErrors: found, differing: 0, added: 0, gone },
        { mostErrors: errorsIn(second), leastErrors: errorsIn(second), differing: 0, added: 0, gone: 0 },
      ]
      const errors = errorsIn(left.filter((i) => !second.includes(i)))
      for (const side of ['upper', 'lower'] as const) mean[side] += p * q * Math.exp(running.logWealth(side, errors, views))
    }
  }
  return mean
}

describe('a round that ends at the last point that was shown, drawn anew from what is left', () => {
  it.each(Object.entries(rules))('has a mean wealth of at most 1 if it ends on seeing %s', (_, rule) => {
    for (const mass of [gentle, heavy]) {
      const { upper, lower } = meanWealth(rule, 'went without', mass)
      expect(Math.max(upper, lower)).toBeLessThanOrEqual(1 + 1e-12)
    }
  })

  it.each(['any point after an error', 'the third point'])(
    'is as long as drawn if the point itself did not matter: %s',
    (name) => {
      const { upper, lower } = meanWealth(rules[name]!, 'left out', gentle)
      expect([upper, lower].map((mean) => mean.toFixed(12))).toEqual(['1.000000000000', '1.000000000000'])
    },
  )

  it('has a mean above 1 if the point that ended it is left out', () => {
    expect(meanWealth(rules['a point that the model is wrong about']!, 'left out', gentle).upper).toBeGreaterThan(1.1)
    expect(meanWealth(rules['a point that the model is right about']!, 'left out', gentle).lower).toBeGreaterThan(1.3)
  })

  it('has a mean above 1 if that point counts as an error found: it may have been none, and which point it is was chosen', () => {
    expect(meanWealth(rules['one certain point, but not as the first']!, 'an error', heavy).upper).toBeGreaterThan(1.005)
  })
})
