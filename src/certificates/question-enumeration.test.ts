import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Plan, referenceTuning, type Tuning, tuning } from './plan.ts'
import { momentsOf, type Question, totalsOver, type Worth } from './question.ts'
import { QuestionInterval, type QuestionIntervalOptions } from './question-interval.ts'

const golden = JSON.parse(readFileSync(new URL('../../test/golden/questions.golden.json', import.meta.url), 'utf8'))

/** Every order of four draws in two rounds from five points. */
const five = [0, 1, 2, 3, 4]
const kindOf = [0, 1, 0, 1, 1]
const truth = [1, 0, 0, 1, 1]
const masses = [
  [1, 2, 0.5, 1.5, 1],
  [2, 1, 1, 0.7, 3],
]
const beliefs = [
  kindOf.map((kind) => (kind === 0 ? [0.7, 0.3] : [0.2, 0.8])),
  kindOf.map((kind) => (kind === 0 ? [0.6, 0.4] : [0.4, 0.6])),
]

/** What the answers 0 and 1 add, by kind: [num, den] each. */
const tables = {
  recall: [
    [0, 0, 0, 1],
    [0, 0, 1, 1],
  ],
  accuracy: [
    [1, 1, 0, 1],
    [0, 1, 1, 1],
  ],
  // Only points of kind 1 matter: draws of the others are skipped.
  precision: [
    [0, 0, 0, 0],
    [0, 1, 1, 1],
  ],
} as const

type Name = keyof typeof tables
const names = Object.keys(tables) as Name[]

function questionOf(name: Name): Question {
  const kinds = tables[name].map(([n, d, num, den]): Worth[] => [
    { num: n, den: d },
    { num, den },
  ])
  return { kinds, range: [0, 1], shape: 'product' }
}

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

function truthOf({ kinds }: Question): number {
  const worths = five.map((i) => kinds[kindOf[i]!]![truth[i]!]!)
  return total(worths.map(({ num }) => num)) / total(worths.map(({ den }) => den))
}

interface Walk {
  readonly question: Question
  readonly options: Partial<QuestionIntervalOptions>
  /** Of "cannot tell". */
  readonly isUnknown?: (i: number) => boolean
  /** Counts draws that matter, but with the masses of all points. */
  readonly isBroken?: boolean
}

/** The mean of something over every order of the draws. `look`: after each draw. */
function mean(
  { question, options, isUnknown = () => false, isBroken }: Walk,
  look: (interval: QuestionInterval) => number,
): number {
  const { kinds } = question
  let sum = 0
  const play = (order: readonly number[]): number => {
    const interval = new QuestionInterval({ question, counts: [2, 3], ...options })
    let seen = 0
    for (const round of [0, 1]) {
      const left = five.filter((i) => round === 0 || !order.slice(0, 2).includes(i))
      const totals = totalsOver(question)
      const momentsAt = (i: number) => momentsOf(kinds[kindOf[i]!]!, beliefs[round]![i]!)
      for (const i of left) totals.add(kindOf[i]!, masses[round]![i]!, momentsAt(i))
      const allMass = total(left.map((i) => masses[round]![i]!))
      const own = totals.totals()
      interval.round(isBroken ? { ...own, mass: allMass } : own, { allMass, drawn: 2 * round, isPlain: false })
      for (const i of order.slice(2 * round, 2 * round + 2)) {
        const worth = isUnknown(i) ? null : kinds[kindOf[i]!]![truth[i]!]!
        interval.draw({ kind: kindOf[i]!, mass: masses[round]![i]!, belief: momentsAt(i), worth })
        seen = look(interval)
      }
    }
    return seen
  }
  const walk = (chance: number, order: readonly number[]) => {
    if (order.length === 4) {
      sum += chance * play(order)
      return
    }
    const own = masses[order.length < 2 ? 0 : 1]!
    const left = five.filter((i) => !order.includes(i))
    const all = total(left.map((i) => own[i]!))
    for (const i of left) walk((chance * own[i]!) / all, [...order, i])
  }
  walk(1, [])
  return sum
}

/** Mean wealth against the true value at the end, on either side. */
function meanWealth(name: Name, plan: Plan, more: { readonly isBroken?: boolean; readonly tuning?: Tuning } = {}) {
  const question = questionOf(name)
  const { tuning = referenceTuning, ...rest } = more
  const options = { lower: 1e-9, upper: 1e-9, plan, values: [truthOf(question)], tuning }
  const of = (side: 'lower' | 'upper') => mean({ question, options, ...rest }, ({ limits }) => limits[side].owned(0))
  return { lower: of('lower'), upper: of('upper') }
}

const budget: Plan = { kind: 'budget', answers: 4 }

describe('the mean wealth against the true value, over every order of the draws', () => {
  it.each(['recall', 'accuracy'] as const)('is that of the reference: %s', (name) => {
    const { lower, upper } = meanWealth(name, budget)
    const expected = golden.enumeration[name]
    expect(truthOf(questionOf(name))).toBeCloseTo(expected.F, 12)
    expect(lower).toBeCloseTo(expected.lower, 9)
    expect(upper).toBeCloseTo(expected.upper, 9)
  })

  it.each(names)('is 1, whatever the plan: %s', (name) => {
    for (const plan of [budget, { kind: 'none' }, { kind: 'tolerance', tolerance: 0.2 }] as const)
      for (const each of Object.values(meanWealth(name, plan, { tuning }))) expect(each).toBeCloseTo(1, 9) // but for rounding
  })

  it('is not 1 for a twin that skips draws but not their masses', () => {
    const { lower, upper } = meanWealth('precision', budget, { isBroken: true })
    expect(Math.max(Math.abs(lower - 1), Math.abs(upper - 1))).toBeGreaterThan(1e-3)
  })

  it.each(names)('is 1 against a value that is watched, and goes on for ever: %s', (name) => {
    const question = questionOf(name)
    const F = truthOf(question)
    for (const side of ['above', 'below'] as const) {
      const options = { lower: 0.4, upper: 0.4, grid: 8, watch: [F] } // at which a limit would stop betting soon
      expect(mean({ question, options }, (interval) => interval.eValue(F, side))).toBeCloseTo(1, 9)
    }
  })

  it('is at most 1 where some answers say nothing', () => {
    const question = questionOf('recall')
    const options = { lower: 1e-9, upper: 1e-9, values: [truthOf(question)] }
    for (const unknown of five)
      for (const side of ['lower', 'upper'] as const) {
        const wealth = mean({ question, options, isUnknown: (i) => i === unknown }, ({ limits }) => limits[side].owned(0))
        expect(wealth).toBeLessThanOrEqual(1 + 1e-9)
      }
  })
})

it.each(names)('misses the truth at any time no more often than it says, over every order of the draws: %s', (name) => {
  const question = questionOf(name)
  const F = truthOf(question)
  const misses = { below: 0, above: 0 }
  for (const side of ['below', 'above'] as const) {
    let isMissed = false
    let last: QuestionInterval | undefined
    misses[side] = mean({ question, options: { lower: 0.3, upper: 0.3, grid: 40, finest: 0.01 } }, (interval) => {
      if (interval !== last) isMissed = false
      last = interval
      const { low, high } = interval.answer()
      isMissed ||= side === 'below' ? low! > F + 1e-12 : high! < F - 1e-12
      return isMissed ? 1 : 0
    })
    expect(misses[side]).toBeLessThanOrEqual(0.3)
  }
})
