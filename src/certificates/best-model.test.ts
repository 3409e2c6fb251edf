import { describe, expect, it } from 'vitest'
import { ModelRace } from './best-model.ts'
import { ModelPair, type RaceDraw } from './model-pair.ts'
import { referenceTuning } from './plan.ts'
import { momentsOf, type Question, spreadAt, totalsOver } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

interface Point {
  readonly predicted: readonly number[]
  readonly probabilities: readonly number[]
  readonly truth: number
}

const beliefs = [
  [0.5, 0.3, 0.2],
  [0.2, 0.7, 0.1],
  [0.4, 0.35, 0.25],
]
const point = (predicted: readonly number[], truth: number, i: number): Point => ({
  predicted,
  truth,
  probabilities: beliefs[i % 3]!,
})

/** Six points at which each of three models is right three times. */
const six = [
  point([0, 1, 0], 0, 0),
  point([0, 1, 1], 1, 1),
  point([1, 1, 0], 0, 2),
  point([0, 1, 2], 0, 0),
  point([1, 1, 2], 1, 1),
  point([2, 1, 0], 1, 2),
]
const massesOf = [
  [1, 2, 0.5, 1.5, 1, 0.8],
  [2, 1, 1, 0.7, 3, 1.2],
]
const groupOf = ({ predicted, probabilities }: Point) => ({ predicted, probabilities, count: 1 })
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/** A race in rounds of two, from draws in this order. `told`: what it hears of a mass. */
function replay(
  points: readonly Point[],
  order: readonly number[],
  {
    within = 0,
    delta = 1e-9,
    told = (mass: number) => mass,
  }: { within?: number; delta?: number; told?: (mass: number) => number } = {},
): ModelRace {
  const race = new ModelRace({ models: points[0]!.predicted.length, pool: points.map(groupOf), within, delta })
  for (let start = 0; start < order.length; start += 2) {
    const masses = massesOf[(start / 2) % 2]!.map(told)
    const left = points.map((_, i) => i).filter((i) => !order.slice(0, start).includes(i))
    race.round(left.map((i) => ({ ...groupOf(points[i]!), mass: masses[i]! })))
    for (const i of order.slice(start, start + 2))
      race.draw({ ...groupOf(points[i]!), mass: masses[i]!, answer: points[i]!.truth })
  }
  return race
}

/** Calls back with every order of four draws in two rounds, and its probability. */
function everyOrder(count: number, each: (order: readonly number[], chance: number) => void): void {
  const walk = (order: readonly number[], chance: number) => {
    if (order.length === 4) return each(order, chance)
    const masses = massesOf[order.length < 2 ? 0 : 1]!
    const left = Array.from({ length: count }, (_, i) => i).filter((i) => !order.includes(i))
    const total = sum(left.map((i) => masses[i]!))
    for (const i of left) walk([...order, i], (chance * masses[i]!) / total)
  }
  walk([], 1)
}

function meanWealth(points: readonly Point[], options?: Parameters<typeof replay>[2]) {
  const models = [0, 1, 2]
  const elimination = models.map(() => 0)
  const cover = models.map(() => models.map(() => 0))
  everyOrder(points.length, (order, chance) => {
    const { wealth } = replay(points, order, options)
    for (const j of models) elimination[j]! += chance * wealth.elimination[j]!
    for (const w of models) for (const j of models) cover[w]![j]! += chance * wealth.cover[w]![j]!
  })
  return { elimination, cover }
}

describe('by enumeration', () => {
  it('mean wealth against a model that is as good as all others is 1', () => {
    const { elimination, cover } = meanWealth(six)
    for (const mean of elimination) expect(Math.abs(mean - 1)).toBeLessThan(1e-9)
    for (const mean of cover.flat()) expect(Math.abs(mean - 1)).toBeLessThan(1e-9)
  })

  it('mean wealth against the best is at most 1, and against "better by just ε" it is 1', () => {
    const points = six.with(5, point([2, 1, 0], 0, 2)) // three, two and four are right
    const { elimination, cover } = meanWealth(points, { within: 1 / 6 })
    expect(elimination[2]).toBeLessThan(1)
    for (const [w, j] of [
      [0, 2],
      [1, 0],
    ] as const)
      expect(Math.abs(cover[w]![j]! - 1)).toBeLessThan(1e-9)
    expect(cover[1]![2]).toBeLessThan(1)
    expect(cover[2]![1]).toBeGreaterThan(1)
  })

  it('mean wealth is not 1 for a twin that forgets the weights', () => {
    const { elimination, cover } = meanWealth(six, { told: () => 1 })
    expect(Math.max(...elimination)).toBeGreaterThan(1.001)
    expect(Math.max(...cover.flat())).toBeGreaterThan(1.001)
  })
})

it('sees of two models what the question about their difference sees', () => {
  const pool = six.map(groupOf)
  const pair = new ModelPair(0, 1, pool)
  const differ = pool.filter((group) => pair.differsAt(group)).length
  const worth = ({ predicted }: Point, y: number) => ({ num: Number(predicted[0] === y) - Number(predicted[1] === y), den: 1 })
  const question: Question = {
    kinds: six.map((each) => [0, 1, 2].map((y) => worth(each, y))),
    range: [-differ / 6, differ / 6],
    shape: 'product',
  }
  const interval = new QuestionInterval({ question, counts: six.map(() => 1), tuning: referenceTuning })
  const [masses] = massesOf
  const totals = totalsOver(question)
  for (const [i, worths] of question.kinds.entries()) totals.add(i, masses![i]!, momentsOf(worths, six[i]!.probabilities))
  interval.round(totals.totals(), { allMass: sum(masses!), drawn: 0, isPlain: false })
  pair.round(six.map((each, i) => ({ ...groupOf(each), mass: masses![i]! })))
  for (const i of [4, 0, 1, 5]) {
    const draw: RaceDraw = { ...groupOf(six[i]!), mass: masses![i]!, answer: six[i]!.truth }
    const [wager, estimate] = [pair.wager(1, 0, draw), pair.estimate]
    const belief = momentsOf(question.kinds[i]!, six[i]!.probabilities)
    interval.draw({ kind: i, mass: masses![i]!, belief, worth: worth(six[i]!, six[i]!.truth) })
    if (pair.differsAt(draw)) {
      const { x, centre, variance } = interval.last!
      expect(wager.deviation).toBeCloseTo(Math.sqrt(variance * spreadAt(question, 0)), 10)
      expect(estimate).toBeCloseTo(centre * 6, 10)
      expect(wager.x).toBeCloseTo(x + centre * 6, 10) // X tested at 0, and at the centre; the denominator is known
    }
    pair.draw(draw)
  }
})

describe('a race of models', () => {
  const order = [4, 0, 5, 2]

  it('does not depend on the order of the models', () => {
    const places = [2, 0, 1]
    const permuted = six.map((each) => ({ ...each, predicted: places.map((j) => each.predicted[j]!) }))
    const [one, other] = [replay(six, order), replay(permuted, order)]
    for (const [k, j] of places.entries()) {
      expect(other.wealth.elimination[k]).toBeCloseTo(one.wealth.elimination[j]!, 12)
      for (const [l, m] of places.entries()) expect(other.wealth.cover[k]![l]).toBeCloseTo(one.wealth.cover[j]![m]!, 12)
    }
    expect(places[other.standing().leader]).toBe(one.standing().leader)
    const groups = six.map(groupOf)
    for (const [i, mass] of other.masses(permuted.map(groupOf)).entries()) expect(mass).toBeCloseTo(one.masses(groups)[i]!, 12)
  })

  it('is the same from groups as from points', () => {
    const points = [...six, ...six]
    const apart = new ModelRace({ models: 3, pool: points.map(groupOf), within: 0.01 })
    const groups = six.map((each) => ({ ...groupOf(each), count: 2 }))
    const together = new ModelRace({ models: 3, pool: groups, within: 0.01 })
    const masses = together.masses(groups)
    expect([...apart.masses(points.map(groupOf))]).toEqual([...masses, ...masses])
    apart.round(points.map((each, i) => ({ ...groupOf(each), mass: masses[i % 6]! })))
    together.round(groups.map((group, i) => ({ ...group, mass: masses[i]! })))
    for (const i of order) {
      const draw: RaceDraw = { ...groupOf(six[i]!), mass: masses[i]!, answer: six[i]!.truth }
      apart.draw(draw)
      together.draw(draw)
    }
    for (const [j, owned] of apart.wealth.elimination.entries()) expect(together.wealth.elimination[j]).toBeCloseTo(owned, 12)
    for (const [k, owned] of apart.wealth.cover.flat().entries()) expect(together.wealth.cover.flat()[k]).toBeCloseTo(owned, 12)
  })

  it('gives mass to every point where models in the race differ, most where the leader may be wrong, and none elsewhere', () => {
    const alike = point([1, 1, 1], 1, 0)
    const masses = new ModelRace({ models: 3, pool: [...six, alike].map(groupOf), within: 0.01 }).masses(
      [...six, alike].map(groupOf),
    )
    expect(masses[6]).toBe(0)
    expect(Math.min(...masses.slice(0, 6))).toBeGreaterThanOrEqual(0.4)
    expect(sum([...masses]) / 6).toBeCloseTo(1, 12)
  })

  it('has the favourite for a leader until draws tell, and for its rivals those that it has yet to leave behind', () => {
    // Model 2 is believed to be right most often. It differs from 0 at one of ten points, and from 1 at seven.
    const predictedAt = (i: number) => (i === 0 ? [0, 1, 1] : i < 8 ? [1, 0, 1] : [1, 1, 1])
    const groups = Array.from({ length: 10 }, (_, i) => ({ predicted: predictedAt(i), probabilities: [0.3, 0.7], count: 1 }))
    const race = new ModelRace({ models: 3, pool: groups, within: 0.2 })
    expect(race.state(groups)).toEqual({ race: [0, 1, 2], leader: 2, rivals: [1] })
    for (const i of [1, 2, 3]) race.give({ predicted: predictedAt(i), answer: 1 })
    expect(race.state(groups.toSpliced(1, 3)).rivals).toEqual([]) // 2 is three ahead of 1, with four to go
    race.give({ predicted: predictedAt(0), answer: 1 })
    expect(race.standing()).toMatchObject({ leader: 2, covered: [true, true, true] })

    const turned = new ModelRace({ models: 3, pool: groups, within: 0 })
    turned.round(groups.map((group) => ({ ...group, mass: 1 })))
    expect(turned.state(groups).leader).toBe(turned.standing().leader)
    for (const i of [1, 2, 3]) turned.draw({ ...groups[i]!, mass: 1, answer: 0 })
    expect(turned.state(groups.toSpliced(1, 3))).toMatchObject({ race: [0, 1, 2], leader: 1 })
    for (const i of [4, 5]) turned.draw({ ...groups[i]!, mass: 1, answer: 0 })
    expect(turned.state(groups.toSpliced(1, 5)).race).toEqual([1]) // five ahead, with two to go
    turned.draw({ ...groups[9]!, mass: 1, answer: 1 }) // where all say the same
    expect(turned.standing().answers).toBe(5)
  })

  it('knows the best when all answers are given, and says so of no worse one', () => {
    const points = six.with(5, point([2, 1, 0], 0, 2))
    const race = new ModelRace({ models: 3, pool: points.map(groupOf), within: 0 })
    for (const { predicted, truth } of points) race.give({ predicted, answer: truth })
    const { best, leader, out, differences, answers } = race.standing()
    expect([best, leader, answers]).toEqual([2, 2, 0])
    expect(out).toEqual([true, true, false])
    for (const [j, difference] of [-1 / 6, -2 / 6, 0].entries()) expect(differences[j]).toBeCloseTo(difference, 12)
  })

  it('names any of several best models, once everything has been drawn', () => {
    const { best, covered, out } = replay(six, [4, 0, 5, 2, 1, 3]).standing()
    expect(best).not.toBeNull()
    expect(covered).toEqual([true, true, true])
    expect(out).toEqual([false, false, false])
  })

  it('names one of models that never differ from the start', () => {
    const pool = [
      { predicted: [1, 1, 1], count: 9 },
      { predicted: [0, 1, 2], count: 0 },
    ]
    const race = new ModelRace({ models: 3, pool, within: 0 })
    expect(race.standing()).toEqual({
      leader: 0,
      best: 0,
      out: [false, false, false],
      covered: [true, true, true],
      differences: [0, 0, 0],
      answers: 0,
    })
  })

  it('tells two models apart, and keeps those that are the same together', () => {
    const points = Array.from({ length: 400 }, (_, i) => point([0, i % 4 === 0 ? 1 : 0, 0], 0, 0))
    const race = new ModelRace({ models: 3, pool: points.map(groupOf), within: 0.01 })
    const groups = points.map(groupOf)
    const masses = race.masses(groups)
    race.round(groups.map((group, i) => ({ ...group, mass: masses[i]! })))
    for (let i = 0; race.standing().best === null; i += 4) race.draw({ ...groups[i]!, mass: masses[i]!, answer: 0 })
    const { best, out, covered, answers } = race.standing()
    expect(best).toBe(0)
    expect(out[1] || covered[1]).toBe(true)
    expect([out[0], out[2], covered[2]]).toEqual([false, false, true])
    expect(answers).toBeLessThan(40)
  })

  it('takes as proven what is owned enough against, for all models together, and no less', () => {
    // Model 1 is wrong at 100 of 400 points; models 0 and 2 differ at 50 others, and are right at half of them each.
    const points = Array.from({ length: 400 }, (_, i) =>
      point([0, i % 4 === 0 ? 1 : 0, i % 8 === 2 ? 1 : 0], i % 16 === 2 ? 1 : 0, 0),
    )
    const groups = points.map(groupOf)
    const delta = 0.2
    const race = new ModelRace({ models: 3, pool: groups, within: 0.08, delta })
    const masses = race.masses(groups)
    race.round(groups.map((group, i) => ({ ...group, mass: masses[i]! })))
    const order = [...groups.keys()].filter((i) => masses[i]! > 0).sort((a, b) => ((a * 233) % 401) - ((b * 233) % 401))
    const proven = new Set<number>()
    const lost = new Set<number>()
    for (const i of order.slice(0, 70)) {
      race.draw({ ...groups[i]!, mass: masses[i]!, answer: points[i]!.truth })
      const { wealth } = race
      for (const [k, owned] of wealth.cover.flat().entries()) if (owned >= (2 * 2) / delta || k % 4 === 0) proven.add(k)
      for (const [j, owned] of wealth.elimination.entries()) if (owned >= 2 / delta) lost.add(j)
      const { leader, covered, out } = race.standing()
      expect(covered).toEqual([0, 1, 2].map((j) => proven.has(3 * leader + j)))
      expect(out).toEqual([0, 1, 2].map((j) => lost.has(j)))
    }
    expect(proven.size).toBeGreaterThan(4)
    expect([...lost]).toEqual([1])
    expect(race.standing().best).not.toBeNull()
  })

  it('is led by the model whose smallest lead is the largest, as pairs of models have it', () => {
    const aheadIn = (order: readonly number[], w: number, j: number) => {
      const pair = replay(
        six.map((each) => ({ ...each, predicted: [each.predicted[w]!, each.predicted[j]!] })),
        order,
      )
      const { leader, differences } = pair.standing()
      return leader === 0 ? -differences[1]! : differences[0]!
    }
    let isTold = false
    for (const order of [0, 1, 2, 3, 4, 5].flatMap((i) => [1, 2, 3].map((step) => [i, (i + step) % 6, (i + 4) % 6]))) {
      const leads = [0, 1, 2].map((w) => [0, 1, 2].filter((j) => j !== w).map((j) => aheadIn(order, w, j)))
      const [smallest, largest] = [leads.map((own) => Math.min(...own)), leads.map((own) => Math.max(...own))]
      const { leader } = replay(six, order).standing()
      expect(smallest[leader]).toBeCloseTo(Math.max(...smallest), 12)
      isTold ||= largest[leader]! < Math.max(...largest) - 1e-9
    }
    expect(isTold).toBe(true) // whose largest lead is the largest is another one at times
  })

  it.each([
    [0, 2],
    [2, 0],
  ])('keeps the last model, though draws have misled it: model %i, which was beaten less clearly than %i', (kept, clear) => {
    const predicted = (ofKept: number, ofClear: number, ofBest: number) => {
      const classes = [ofBest, ofBest, ofBest]
      classes[kept] = ofKept
      classes[clear] = ofClear
      return classes
    }
    const group = (classes: readonly number[], count: number) => ({ predicted: classes, probabilities: [0.5, 0.5], count })
    const [against, apart, rest] = [group(predicted(1, 1, 0), 6), group(predicted(1, 0, 1), 3), group(predicted(0, 0, 1), 30)]
    const race = new ModelRace({ models: 3, pool: [against, apart, rest], within: 0, delta: 0.99 })
    race.round([against, apart, rest].map((each) => ({ ...each, mass: 1 })))
    for (const each of [against, against, against, against, against, apart]) race.draw({ ...each, mass: 1, answer: 1 })
    expect(race.standing().out).toEqual([false, true, false])
    race.give({ ...rest, answer: 1 }) // now both are certain to be worse than the one that is out
    expect(race.standing().out).toEqual([0, 1, 2].map((j) => j !== kept))
  })

  it('counts nothing for a pair in a round in which some point where the two differ could not be drawn', () => {
    const race = new ModelRace({ models: 3, pool: six.map(groupOf), within: 0 })
    race.round(six.slice(1).map((each) => ({ ...groupOf(each), mass: 1 }))) // models 0 and 1, and 1 and 2, differ at the first point
    race.draw({ ...groupOf(six[3]!), mass: 1, answer: 0 })
    expect(race.wealth.cover.map((owned) => owned.map((each) => each === 1))).toEqual([
      [true, true, false],
      [true, true, true],
      [false, true, true],
    ])
    expect(race.wealth.elimination.map((owned) => owned === 1)).toEqual([false, true, false])
  })

  it('takes "cannot tell" at its worst for every bet, and never as certain', () => {
    const draw = (answer: number | null) => {
      const race = new ModelRace({ models: 3, pool: six.map(groupOf), within: 0, delta: 1e-9 })
      race.round(six.map((each) => ({ ...groupOf(each), mass: 1 })))
      race.draw({ ...groupOf(six[5]!), mass: 1, answer })
      return race
    }
    const unsaid = draw(null).wealth
    for (const answer of [0, 1, 2]) {
      const said = draw(answer).wealth
      for (const [k, owned] of unsaid.cover.flat().entries()) expect(owned).toBeLessThanOrEqual(said.cover.flat()[k]!)
      for (const [j, owned] of unsaid.elimination.entries()) expect(owned).toBeLessThanOrEqual(said.elimination[j]!)
    }
    const race = draw(null)
    for (const { predicted, truth } of six.slice(0, 5)) race.give({ predicted, answer: truth })
    expect(race.standing().best).toBeNull()
  })

  it('refuses what is no race', () => {
    const pool = six.map(groupOf)
    expect(() => new ModelRace({ models: 1, pool: [], within: 0 })).toThrow('models: two or more are required, got 1')
    expect(() => new ModelRace({ models: 2, pool, within: 0 })).toThrow('a class for each of 2 models is required, got 3 classes')
    expect(() => new ModelRace({ models: 2.5, pool: [], within: 0 })).toThrow('models: two or more are required, got 2.5')
    for (const within of [-1, 1])
      expect(() => new ModelRace({ models: 3, pool, within })).toThrow(`within: must be in [0, 1), got ${within}`)
    for (const delta of [0, 1])
      expect(() => new ModelRace({ models: 3, pool, within: 0, delta })).toThrow(`delta: must be in (0, 1), got ${delta}`)
    for (const count of [-1, 0.5])
      expect(() => new ModelRace({ models: 3, pool: [{ ...pool[0]!, count }], within: 0 })).toThrow(
        `pool: whole numbers of points are required, got ${count}`,
      )
    const race = new ModelRace({ models: 3, pool, within: 0 })
    expect(() => race.draw({ ...pool[0]!, mass: 1, answer: 0 })).toThrow('round() must come first')
    expect(() => race.round([...pool, ...pool].map((group) => ({ ...group, mass: 1 })))).toThrow('no more points than are open')
    race.round(pool.map((group) => ({ ...group, mass: 1 })))
    expect(() => race.draw({ ...pool[0]!, mass: 0, answer: 0 })).toThrow('draw: a mass above 0 is required, got 0')
    for (const { predicted } of pool) race.give({ predicted, answer: 0 })
    expect(() => race.give({ predicted: [0, 1, 2], answer: 0 })).toThrow(
      'give: no more points than are open are required, got 1 of 0',
    )
    expect(() => race.draw({ ...pool[0]!, mass: 1, answer: 0 })).toThrow('round() must come first')
  })
})
