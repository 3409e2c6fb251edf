import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type RoundView, RunningLimits } from './running.ts'
import type { ReadDraw, RunningRound } from './running-readings.ts'

const golden = JSON.parse(readFileSync(new URL('../../test/golden/running.golden.json', import.meta.url), 'utf8'))

// Five points, two rounds; masses, expectations, bets and the second model depend on the answers before.
const truth = [0, 1, 1, 0, 1]
const five = [0, 1, 2, 3, 4]
const bets = [
  { weight: 0.6, start: 0, target: 0.2 },
  { weight: 0.4, start: 1, target: 0.1 },
]
const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** What the second round rests on: the answers of the first. */
function settingOf(t: number, drawn: readonly number[]) {
  const h = total(drawn.map((i) => truth[i]!))
  const mass = (i: number) => 1 + 0.3 * i + 0.5 * h
  const expects = (i: number) => 0.1 + 0.15 * ((i + h) % 4)
  const isWrong = (i: number) => ((i + h + t) % 2 === truth[i] ? 0 : 1)
  return { mass, expects, isWrong }
}

type Design = RunningRound['design']

interface Played {
  readonly round: RunningRound
  /** n θ: what the round's model gets wrong. */
  readonly errors: number
}

/** Every way a round can go: the points drawn, in order, with the chance of that. */
function* waysOf(design: Design, left: readonly number[], mass: (i: number) => number): Generator<[readonly number[], number]> {
  if (design === 'bernoulli') {
    for (let bits = 0; bits < 2 ** left.length; bits++) {
      const isDrawn = (k: number) => (bits & (1 << k)) > 0
      const chance = left.reduce((p, i, k) => p * (isDrawn(k) ? inclusion(left, mass, i) : 1 - inclusion(left, mass, i)), 1)
      yield [left.filter((_, k) => isDrawn(k)), chance]
    }
    return
  }
  for (const i of left)
    for (const j of left) {
      if (design === 'successive' && i === j) continue
      const all = total(left.map(mass))
      yield [[i, j], (mass(i) / all) * (mass(j) / (design === 'successive' ? all - mass(i) : all))]
    }
}

const inclusion = (left: readonly number[], mass: (i: number) => number, i: number) =>
  Math.min(1, (2 * mass(i)) / total(left.map(mass)))

function play(design: Design, t: number, left: readonly number[], before: readonly number[], order: readonly number[]): Played {
  const { mass, expects, isWrong } = settingOf(t, before)
  const per = (i: number) => (design === 'bernoulli' ? inclusion(left, mass, i) : mass(i))
  let all = total(left.map(mass))
  const draws = order.map((i): ReadDraw => {
    const probability = design === 'bernoulli' ? per(i) : mass(i) / all
    if (design === 'successive') all -= mass(i)
    return { loss: isWrong(i), mass: mass(i), probability, predictedLoss: expects(i) }
  })
  const round: RunningRound = {
    design,
    isLearned: true,
    points: left.length,
    mass: total(left.map(mass)),
    predictedLoss: total(left.map(expects)),
    predictedVariance: total(left.map((i) => (expects(i) * (1 - expects(i))) / mass(i))),
    largestUp: Math.max(...left.map((i) => (1 - expects(i)) / per(i))),
    largestDown: Math.max(...left.map((i) => expects(i) / per(i))),
    expected: 2,
    draws,
  }
  return { round, errors: total(left.map(isWrong)) }
}

/** Mean wealth against the truth after both rounds. `shift`: of the number of errors that is taken for the truth. */
function meanWealth(design: Design, shift = 0) {
  const mean = { upper: 0, lower: 0 }
  const finish = (rounds: readonly Played[], chance: number) => {
    const running = new RunningLimits({ bets })
    for (const { round } of rounds) running.add(round)
    const views = rounds.map(
      ({ errors }): RoundView => ({ mostErrors: errors, leastErrors: errors, differing: 0, added: 0, gone: 0 }),
    )
    for (const side of ['upper', 'lower'] as const) mean[side] += chance * Math.exp(running.logWealth(side, shift, views))
  }
  for (const [first, p] of waysOf(design, five, settingOf(0, []).mass)) {
    const one = play(design, 0, five, [], first)
    const left = five.filter((i) => !first.includes(i))
    if (left.length === 0) finish([one], p)
    else
      for (const [second, q] of waysOf(design, left, settingOf(1, first).mass))
        finish([one, play(design, 1, left, first, second)], p * q)
  }
  return mean
}

describe('the mean wealth against the truth, over every way that draws can go', () => {
  it.each(['successive', 'multinomial'] as const)('is 1: %s', (design) => {
    const { upper, lower } = meanWealth(design)
    expect(Math.abs(upper - 1)).toBeLessThan(1e-12)
    expect(Math.abs(lower - 1)).toBeLessThan(1e-12)
    expect(golden.enumeration.upper).toBeCloseTo(1, 12)
  })

  it('is at most 1: bernoulli', () => {
    const { upper, lower } = meanWealth('bernoulli')
    for (const mean of [upper, lower]) {
      expect(mean).toBeLessThanOrEqual(1 + 1e-12)
    }
  })

  it.each(['successive', 'multinomial', 'bernoulli'] as const)(
    'is above 1 against one error too many, or too few: %s',
    (design) => {
      expect(meanWealth(design, 1).upper).toBeGreaterThan(1.01)
      expect(meanWealth(design, -1).lower).toBeGreaterThan(1.01)
    },
  )
})
