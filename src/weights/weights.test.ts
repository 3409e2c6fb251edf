import { describe, expect, it } from 'vitest'
import { weightHealth } from './health.ts'
import { lureWeights } from './lure.ts'
import { poolMean } from './pool-mean.ts'
import { roundWeights } from './rounds.ts'
import { tempered } from './tempered.ts'

describe('LURE', () => {
  it('has the reference value', () => {
    const losses = [0.9, 0.1, 0.4, 0.05, 0.7]
    const weights = lureWeights([0.02, 0.01, 0.03, 0.004, 0.05], 100)
    const estimate = losses.reduce((sum, loss, k) => sum + weights[k]! * loss, 0) / 5
    expect(Math.abs(estimate - 0.1969070776936204)).toBeLessThan(1e-9)
  })

  it('is 1 for uniform draws, and when everything is drawn', () => {
    const uniform = lureWeights([1 / 10, 1 / 9, 1 / 8], 10)
    for (const weight of uniform) expect(weight).toBeCloseTo(1, 12)
    expect([...lureWeights([0.9, 0.3, 1], 3)]).toEqual([1, 1, 1])
  })

  it.each([
    ['a pool smaller than the draws', [0.5, 0.5], 1, 'poolSize must be a whole number of at least the 2 draws, got 1'],
    ['half a point', [0.5], 1.5, 'poolSize must be a whole number of at least the 1 draws, got 1.5'],
    ['no size at all', [0.5], Number.NaN, 'poolSize must be a whole number of at least the 1 draws, got NaN'],
    ['a draw that was impossible', [0.5, 0], 9, 'probabilities must be in (0, 1], got 0 at draw 2'],
    ['more than certainty', [1.5], 9, 'probabilities must be in (0, 1], got 1.5 at draw 1'],
    ['no probability', [Number.NaN], 9, 'probabilities must be in (0, 1], got NaN at draw 1'],
  ])('refuses %s', (_, probabilities, poolSize, message) => {
    expect(() => lureWeights(probabilities, poolSize)).toThrow(`lureWeights: ${message}`)
  })

  it('takes draws that were certain', () => {
    expect(lureWeights([1], 4)[0]).toBeCloseTo(1 + (3 / 3) * (1 / 4 - 1), 12)
  })

  it('is never negative', () => {
    for (const weight of lureWeights([1, 0.999, 0.5], 50)) expect(weight).toBeGreaterThanOrEqual(0)
  })

  // Every sequence of three draws from five points, with masses that depend on the losses already seen (as a
  // model's would): the expectation of the estimate is the mean, exactly.
  it('is unbiased under adaptive masses, by enumeration', () => {
    const losses = [1, 0, 0.5, 0.2, 0.9]
    const mean = losses.reduce((a, b) => a + b) / 5
    const expectation = (estimate: (order: number[], q: number[]) => number) => {
      let sum = 0
      const walk = (order: number[], q: number[], chance: number) => {
        if (order.length === 3) sum += chance * estimate(order, q)
        else {
          const seen = order.reduce((total, i) => total + losses[i]!, 0)
          const left = losses.map((_, i) => i).filter((i) => !order.includes(i))
          const masses = left.map((i) => 0.2 + ((i * 7 + 3 * order.length) % 5) * (0.3 + seen))
          const total = masses.reduce((a, b) => a + b)
          for (const [k, i] of left.entries()) walk([...order, i], [...q, masses[k]! / total], (chance * masses[k]!) / total)
        }
      }
      walk([], [], 1)
      return sum
    }
    const drawn = (q: number[]) => q.map((probability) => ({ probability }))
    const values = (order: number[]) => order.map((i) => losses[i]!)
    expect(expectation((order, q) => poolMean('successive', drawn(q), values(order), 5))).toBeCloseTo(mean, 12)
    expect(Math.abs(expectation((order) => values(order).reduce((a, b) => a + b) / 3) - mean)).toBeGreaterThan(1e-3) // forgotten weights
  })
})

describe('round weights', () => {
  const losses = [1, 0, 0.5, 0.2, 0.9]
  const mean = losses.reduce((a, b) => a + b) / 5

  /** Two Bernoulli rounds over all 2⁵ × 2^left outcomes; the second round's probabilities depend on the first's labels. */
  function expectation(estimate: (rounds: Parameters<typeof roundWeights>[0]) => number): number {
    let sum = 0
    const first = [0.5, 0.2, 0.3, 0.6, 0.4]
    for (let a = 0; a < 32; a++) {
      const { chance, drawn, left } = outcome([0, 1, 2, 3, 4], first, a)
      const seen = drawn.reduce((total, { index }) => total + losses[index]!, 0)
      const second = left.map((i) => 0.3 + 0.05 * i + 0.1 * seen)
      for (let b = 0; b < 2 ** left.length; b++) {
        const next = outcome(left, second, b)
        const rounds = [
          { points: 5, expected: 2, draws: drawn },
          { points: left.length, expected: Math.min(1.5, left.length - 0.5), draws: next.drawn },
        ]
        sum += chance * next.chance * estimate(rounds.slice(0, left.length > 0 ? 2 : 1))
      }
    }
    return sum
  }

  function outcome(points: number[], pi: number[], bits: number) {
    const drawn = points.map((index, k) => ({ index, probability: pi[k]! })).filter((_, k) => bits & (1 << k))
    const left = points.filter((_, k) => !(bits & (1 << k)))
    const chance = pi.reduce((product, p, k) => product * (bits & (1 << k) ? p : 1 - p), 1)
    return { chance, drawn, left }
  }

  // The shares must be fixed in advance; here n₂ varies with the first outcome, so fix them by giving equal sizes.
  it('are unbiased with shares fixed in advance, by enumeration', () => {
    const fixed = (rounds: Parameters<typeof roundWeights>[0]) =>
      rounds.map((round, t) => ({ ...round, points: t === 0 ? 5 : 3, expected: t === 0 ? 2 : 1.5 }))
    const estimate = (rounds: Parameters<typeof roundWeights>[0]) => {
      const padded = rounds.length === 2 ? rounds : [...rounds, { points: 3, expected: 1.5, draws: [] }]
      return [...roundWeights(fixed(padded), 5)].reduce((sum, [i, weight]) => sum + weight * losses[i]!, 0) / 5
    }
    expect(expectation(estimate)).toBeCloseTo(mean, 12)
  })

  it('adding per-round sums without the labelled part is biased: the tempting mistake', () => {
    const wrong = (rounds: Parameters<typeof roundWeights>[0]) =>
      rounds.reduce(
        (sum, { points, draws }) =>
          sum + draws.reduce((total, { index, probability }) => total + losses[index]! / probability, 0) / points / rounds.length,
        0,
      )
    expect(Math.abs(expectation(wrong) - mean)).toBeGreaterThan(0.01)
  })

  const draw = (index: number, probability: number) => ({ index, probability })

  it.each([
    ['first', 0],
    ['last', 1],
  ])('a round that expects every point counts alone, if it is the %s', (_, complete) => {
    const rounds = [0, 1].map((t) => ({
      points: 4,
      expected: t === complete ? 4 : 2,
      draws: [draw(t, t === complete ? 1 : 0.5)],
    }))
    // A point of an earlier round counts as itself in the one that counts; later rounds add nothing.
    expect([...roundWeights(rounds, 4)]).toEqual([
      [0, 1],
      [1, complete === 0 ? 0 : 1],
    ])
  })

  it('the first of two rounds that expect every point counts', () => {
    const rounds = [0, 1].map((t) => ({ points: 2, expected: 2, draws: [draw(t, 1)] }))
    expect([...roundWeights(rounds, 2).values()]).toEqual([1, 0])
  })

  it.each([
    ['a draw that was impossible', 0],
    ['more than certainty', 1.01],
    ['no probability', Number.NaN],
  ])('refuse %s', (_, probability) => {
    const message = `roundWeights: probabilities must be in (0, 1], got ${probability} in round 1`
    const rounds = [
      { points: 3, expected: 1, draws: [draw(0, 1)] },
      { points: 3, expected: 1, draws: [draw(1, probability)] },
    ]
    expect(() => roundWeights(rounds, 3)).toThrow(message)
  })

  it('refuse a round that draws from more than the pool', () => {
    const rounds = [{ points: 4, expected: 1, draws: [] }]
    expect(() => roundWeights(rounds, 3)).toThrow('roundWeights: a round draws from at most the 3 points of the pool, got 4')
    expect(roundWeights(rounds, 4).size).toBe(0)
  })

  it('a round of one draw counts as LURE counts it', () => {
    const probabilities = [0.3, 0.2, 0.5]
    const rounds = probabilities.map((probability, k) => ({ points: 6 - k, expected: 1, draws: [{ index: k, probability }] }))
    const lure = lureWeights(probabilities, 6)
    for (const [k, weight] of roundWeights(rounds, 6)) expect((weight * 3) / 6).toBeCloseTo(lure[k]!, 12)
  })
})

it('the estimates of independent draws are the textbook ones', () => {
  expect(poolMean('bernoulli', [{ probability: 0.5 }, { probability: 0.25 }], [1, 1], 6)).toBeCloseTo(1, 12)
  expect(poolMean('multinomial', [{ probability: 0.5 }, { probability: 0.25 }], [1, 1], 6)).toBeCloseTo(0.5, 12)
  expect(poolMean('bernoulli', [], [], 6)).toBe(0)
  expect(() => poolMean('bernoulli', [{ probability: 0.5 }], [], 6)).toThrow('got 0 for 1 draws')
  expect(() => poolMean('multinomial', [], [], 6)).toThrow('got 0 for 0 draws')
  expect(() => poolMean('successive', [], [], 6)).toThrow('poolMean: one value for each of at least one draw is required')
  expect(() => poolMean('top', [{ probability: 1 }], [0], 3)).toThrow(
    'poolMean: design must be one with known probabilities, got top',
  )
})

it('tempering goes from none to full, at mean 1', () => {
  expect([...tempered([1, 4, 9], 0)]).toEqual([1, 1, 1])
  expect([...tempered([1, 4, 9], 0.5)]).toEqual([0.5, 1, 1.5])
  expect(tempered([1, 4, 9], 1)[2]).toBeCloseTo(27 / 14, 12)
  for (const exponent of [2, -0.1, Number.NaN])
    expect(() => tempered([1], exponent)).toThrow(`weighting: must be in [0, 1], got ${exponent}`)
})

it('weights that are all 0 count alike', () => {
  expect([...tempered([0, 0], 1)]).toEqual([1, 1])
})

it('health sees one weight that outgrows the rest', () => {
  expect(weightHealth([1, 1, 1, 1])).toEqual({ effectiveSize: 4, largest: 1 })
  const uneven = weightHealth([1, 1, 1, 97])
  expect(uneven.largest).toBeCloseTo(3.88, 12)
  expect(uneven.effectiveSize).toBeCloseTo(100 ** 2 / (3 + 97 ** 2), 12)
  expect(weightHealth([0, 0])).toEqual({ effectiveSize: 0, largest: 0 })
  expect(weightHealth([])).toEqual({ effectiveSize: 0, largest: 0 })
})
