import { describe, expect, it } from 'vitest'
import type { RoundFacts } from '../core/record.ts'
import { surveyor } from '../core/survey.ts'
import { poolWeights } from './pool-weights.ts'

const losses = [1, 0, 0.5, 0.2, 0.9, 0.7]

interface Drawn {
  readonly point: number
  readonly probability: number
}

function round(purpose: string, points: number, drawn: readonly Drawn[]): RoundFacts {
  return {
    round: 0,
    stream: `${purpose}/0`,
    strategy: purpose,
    design: purpose === 'given' ? 'certainty' : 'successive',
    size: drawn.length,
    model: 'none',
    survey: { ...surveyor(0).survey(), points },
    draws: drawn.map(({ point, probability }, k) => ({
      id: `${point}`,
      order: k + 1,
      probability,
      mass: 1,
      remaining: 1,
      scores: [],
    })),
    answers: new Map(drawn.map(({ point }) => [`${point}`, 'yes'])),
    revisions: [],
    isClosed: true,
  }
}

/** Every way to draw `size` points one after another, with masses that depend on what has been seen; and its chance. */
function* sequences(points: readonly number[], size: number, seen: number): Generator<{ drawn: Drawn[]; chance: number }> {
  if (size === 0) return yield { drawn: [], chance: 1 }
  const masses = points.map((point) => 0.2 + ((point * 7 + 3 * size) % 5) * (0.3 + seen))
  const total = masses.reduce((a, b) => a + b)
  for (const [k, point] of points.entries()) {
    const probability = masses[k]! / total
    const left = points.filter((each) => each !== point)
    for (const { drawn, chance } of sequences(left, size - 1, seen + losses[point]!))
      yield { drawn: [{ point, probability }, ...drawn], chance: probability * chance }
  }
}

const lossOf = (rounds: readonly RoundFacts[], weights: readonly number[]) =>
  rounds.flatMap(({ draws }) => draws).reduce((sum, { id }, k) => sum + weights[k]! * losses[Number(id)]!, 0)

const total = (points: readonly number[]) => points.reduce((sum, point) => sum + losses[point]!, 0)

/** What the weighted loss comes to on average, over all ways to draw three of the points. */
function expectation(points: readonly number[], record: (drawn: readonly Drawn[]) => RoundFacts[], poolSize: number): number {
  let sum = 0
  for (const { drawn, chance } of sequences(points, 3, 0)) {
    const rounds = record(drawn)
    sum += chance * lossOf(rounds, poolWeights(rounds, poolSize))
  }
  return sum
}

describe('labels that were not drawn', () => {
  const drawable = [1, 2, 3, 4, 5]
  const given = [{ point: 0, probability: 1 }]

  it('count as themselves, and the draws stand for the rest, by enumeration', () => {
    const before = (drawn: readonly Drawn[]) => [round('given', 6, given), round('learn', 5, drawn)]
    expect(expectation(drawable, before, 6)).toBeCloseTo(total([0, 1, 2, 3, 4, 5]), 12)
  })

  it('taken for draws, they would bias everything: the tempting mistake', () => {
    const mistaken = (drawn: readonly Drawn[]) => [round('learn', 6, given), round('learn', 5, drawn)]
    expect(Math.abs(expectation(drawable, mistaken, 6) - total([0, 1, 2, 3, 4, 5]))).toBeGreaterThan(0.05)
  })

  it('may come between the draws, by enumeration', () => {
    let sum = 0
    for (const first of sequences([0, ...drawable], 1, 0)) {
      const [{ point }] = first.drawn as [Drawn]
      const fresh = [0, 1].filter((each) => each !== point).map((each) => ({ point: each, probability: 1 }))
      const early = [round('learn', 6, first.drawn), round('given', 5, fresh)]
      const left = [2, 3, 4, 5].filter((each) => each !== point)
      for (const { drawn, chance } of sequences(left, 2, losses[point]!)) {
        const rounds = [...early, round('learn', left.length, drawn)]
        sum += first.chance * chance * lossOf(rounds, poolWeights(rounds, 6))
      }
    }
    expect(sum).toBeCloseTo(total([0, 1, 2, 3, 4, 5]), 12)
  })
})

describe('a pool that grows', () => {
  it('is stood for as a whole by the draws since, by enumeration', () => {
    // Points 4 and 5 came after point 0 had been drawn from the first four.
    const grown = (drawn: readonly Drawn[]) => [round('learn', 4, [{ point: 0, probability: 0.3 }]), round('learn', 5, drawn)]
    expect(expectation([1, 2, 3, 4, 5], grown, 6)).toBeCloseTo(total([0, 1, 2, 3, 4, 5]), 12)
  })

  it('leaves the labels of before as they are until there are new draws', () => {
    const rounds = [
      round('learn', 4, [
        { point: 0, probability: 0.3 },
        { point: 2, probability: 0.1 },
      ]),
    ]
    expect(poolWeights(rounds, 6)).toEqual([1, 1])
    const [first, second] = poolWeights(rounds, 4)
    expect(first).not.toBeCloseTo(second!, 3)
  })
})

describe('draws that are independent', () => {
  const bernoulli = (points: number, size: number, drawn: readonly Drawn[]): RoundFacts => ({
    ...round('learn', points, drawn),
    ...{ design: 'bernoulli', size },
  })

  it('stand for 1/π points each; in later rounds they count as themselves', () => {
    const start = round('learn', 6, [{ point: 0, probability: 0.3 }])
    const later = bernoulli(5, 2, [{ point: 1, probability: 0.4 }])
    // Rounds count by m/(n (n − m)): 1/30 and 2/15. A start of one draw is taken for a sixth.
    const [first, second] = [1 / 5, 4 / 5]
    expect(poolWeights([start, later], 6)).toEqual([expect.closeTo(first * 6 + second, 12), expect.closeTo(second / 0.4, 12)])
  })

  it('with replacement are no part of that', () => {
    const drawn = [{ point: 1, probability: 0.4 }]
    const mixed = [round('learn', 6, [{ point: 0, probability: 1 / 6 }]), { ...round('learn', 5, drawn), design: 'multinomial' }]
    expect(() => poolWeights(mixed, 6)).toThrow('strategy: draws with replacement must train on their own batch, got all labels')
  })
})

it('points that were chosen stand for themselves', () => {
  const drawn = [0, 1].map((point) => ({ point, probability: 0.1 }))
  expect(poolWeights([round('learn', 6, drawn), { ...round('learn', 4, drawn), design: 'top' }], 6)).toEqual([1, 1, 1, 1])
})
