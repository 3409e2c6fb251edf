import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carriedLimits, type ErrorLimits, type RoundView, RunningLimits } from './running.ts'
import { firstNeeded, runningBets } from './running-bets.ts'
import type { ReadDraw, RunningRound } from './running-readings.ts'

type Loss = 0 | 1 | null

interface GoldenRound {
  readonly design: RunningRound['design']
  readonly totals: Record<'points' | 'mass' | 'predicted' | 'variance' | 'up' | 'down', number> & { readonly learned: boolean }
  readonly draws: readonly { readonly loss: Loss; readonly mass: number; readonly predicted: number }[]
  /** Of independent draws: expected, ranges with π for a, and loss, π, g of each. */
  readonly size?: number
  readonly up?: number
  readonly down?: number
  readonly drawn?: readonly (readonly [Loss, number, number])[]
}

interface GoldenLook extends Record<'now' | 'low' | 'high' | 'expected' | 'estimate' | 'after', number> {
  readonly carried: readonly [number, number | null]
  readonly logW: Readonly<Record<string, number>>
  readonly D: readonly number[]
  readonly KU: readonly number[]
  readonly KL: readonly number[]
  readonly new: readonly number[]
  readonly gone: readonly number[]
}

// Made by theory's plain reference (`running_reference.py`): a run of 24 rounds among 300 points, with every kind of round.
const golden: {
  readonly rounds: readonly GoldenRound[]
  readonly looks: readonly GoldenLook[]
  readonly draws: readonly { readonly [name in 'xU' | 'xL' | 'low' | 'high' | 's2' | 'ratio']: number }[]
  readonly defaults: Readonly<Record<'weights' | 'starts' | 'targets', readonly number[]>>
} & Record<string, unknown> = JSON.parse(readFileSync(new URL('../../test/golden/running.golden.json', import.meta.url), 'utf8'))
const stakes = golden.draws as unknown as readonly Readonly<Record<'bU' | 'bL', readonly number[]>>[]

const weights = [0.4, 0.35, 0.25]
const goldenBets = weights.map((weight, j) => ({ weight, start: [12, 36, 90][j]!, target: [0.2, 0.12, 0.08][j]! }))
const rounds = golden.rounds.map(roundOf)

function roundOf({ design, totals, draws, size, up, down, drawn }: GoldenRound): RunningRound {
  const { points, mass, predicted, variance, learned } = totals
  const common = { design, isLearned: learned, points, mass, predictedLoss: predicted, predictedVariance: variance }
  if (drawn) {
    const independent = drawn.map(([loss, probability, g]): ReadDraw => ({ loss, mass: 1, probability, predictedLoss: g }))
    return { ...common, largestUp: up!, largestDown: down!, expected: size!, draws: independent }
  }
  let left = mass
  const read = draws.map(({ loss, mass: own, predicted: g }): ReadDraw => {
    const draw = { loss, mass: own, probability: own / left, predictedLoss: g }
    if (design === 'successive') left -= own
    return draw
  })
  return { ...common, largestUp: totals.up, largestDown: totals.down, draws: read }
}

const close = (value: number, wanted: number) => Math.abs(value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))
const expectClose = (value: number, wanted: number, what: string) =>
  expect(close(value, wanted), `${what}: ${value} instead of ${wanted}`).toBe(true)

describe('the golden run', () => {
  it('has the readings, ranges, variances and bets of the reference, draw by draw', () => {
    const running = new RunningLimits({ bets: goldenBets })
    // Bets for so little that no range binds show the variance, bets for so much that it always does show the range.
    const shown = new RunningLimits({ bets: [1e-9, 1e9].map((target) => ({ weight: 0.5, start: 0, target })) })
    let k = 0
    for (const round of rounds) {
      const { upper, lower } = running.add(round)
      const inside = shown.add({ ...round, isLearned: true })
      for (const [at, xUpper] of upper.values.entries()) {
        const { xU, xL, low, high, s2 } = golden.draws[k]!
        expectClose(xUpper, xU, 'X behind the upper limit')
        expectClose(lower.values[at]!, xL, 'X behind the lower limit')
        expectClose(1e-9 / inside.upper.stakes[0]![at]!, s2, 'variance')
        expectClose(0.95 / inside.upper.stakes[1]![at]!, high, 'high')
        expectClose(1 - 0.95 / inside.lower.stakes[1]![at]!, low, 'low')
        for (const [j] of goldenBets.entries()) {
          expectClose(upper.stakes[j]![at]!, stakes[k]!.bU[j]!, 'bet on the upper limit')
          expectClose(lower.stakes[j]![at]!, stakes[k]!.bL[j]!, 'bet on the lower limit')
        }
        k++
      }
    }
    expect(k).toBe(golden.draws.length)
  })

  it('has the wealth, carried limits, limits and estimate of the reference at every look', () => {
    const running = new RunningLimits({ bets: goldenBets })
    for (const look of golden.looks) {
      running.add(rounds[look.after]!)
      const views = viewsOf(look)
      for (const [name, wanted] of Object.entries(look.logW)) {
        const [side, errors] = name.split(':') as ['upper' | 'lower', string]
        expectClose(running.logWealth(side, Number(errors), views), wanted, `${name} after round ${look.after}`)
      }
      const { low, high } = carriedLimits(views)
      expect([low, high]).toEqual([look.carried[0], look.carried[1] ?? Number.POSITIVE_INFINITY])
      expect(running.limits(look.now, views)).toEqual({ low: look.low, high: look.high })
      expectClose(running.estimate(look.expected), look.estimate, 'estimate')
    }
  })

  it('bets with the weights, starts and targets of the reference where none are given', () => {
    const { weights, starts, targets } = golden.defaults
    for (const [j, bet] of runningBets.entries()) {
      expect([bet.weight, bet.start]).toEqual([weights[j], starts[j]])
      expectClose(bet.target, targets[j]!, 'target')
    }
  })
})

/** Earlier looks are forgotten where points were added (round 10) or taken out (round 13). */
function viewsOf({ after, D, KU, KL, new: added, gone }: GoldenLook): RoundView[] {
  const kept = after >= 13 ? 13 : after >= 10 ? 10 : 0
  return D.map((differing, t): RoundView => {
    const view = { mostErrors: KU[t]!, leastErrors: KL[t]!, differing, added: added[t]!, gone: gone[t]! }
    return t > kept ? { ...view, opening: golden.looks[t - 1]! } : view
  })
}

const nothing: RoundView = { mostErrors: 0, leastErrors: 0, differing: 0, added: 0, gone: 0 }

it('does not take two negative factors for a gain', () => {
  // Two errors at points of small mass: X is far above every possible mean, and 1 + b (0 − X) is below 0 twice.
  const draw: ReadDraw = { loss: 1, mass: 0.02, probability: 0.001, predictedLoss: 0 }
  const totals = {
    isLearned: true,
    points: 100,
    mass: 20,
    predictedLoss: 0,
    predictedVariance: 1,
    largestUp: 0.1,
    largestDown: 0,
  }
  const running = new RunningLimits({ bets: [{ weight: 1, start: 0, target: 0.2 }] })
  const { upper } = running.add({ ...totals, design: 'multinomial', draws: [draw, draw] }) // the largest ratio is understated on purpose
  expect(1 - upper.stakes[0]![0]! * upper.values[0]!).toBeLessThan(-1)
  expect(running.logWealth('upper', 0, [nothing])).toBe(Number.NEGATIVE_INFINITY)
  expect(golden.two_negative_factors).toMatchObject({ is_rejected: false })
})

const losses = fc.constantFrom<Loss>(0, 1, null)
const share = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** A round of any design, with totals that are those of a pool of its draws and more points like them. */
const anyRound = fc
  .record({
    design: fc.constantFrom('successive' as const, 'multinomial' as const, 'bernoulli' as const),
    drawn: fc.array(fc.record({ loss: losses, told: losses, mass: share(0.05, 4), g: share(0, 1) }), { maxLength: 12 }),
    others: fc.array(fc.record({ mass: share(0.05, 4), g: share(0, 1) }), { minLength: 1, maxLength: 30 }),
    isLearned: fc.boolean(),
  })
  .map(({ design, drawn, others, isLearned }): RunningRound => {
    const pool = [...drawn, ...others]
    const total = (value: (point: { mass: number; g: number }) => number) => pool.reduce((sum, point) => sum + value(point), 0)
    const mass = total((point) => point.mass)
    const isIndependent = design === 'bernoulli'
    const expected = Math.max(1, drawn.length)
    const chance = (own: number) => Math.min(1, (expected * own) / mass)
    const per = (own: number) => (isIndependent ? chance(own) : own)
    let left = mass
    const draws = drawn.map(({ loss, told, mass: own, g }): ReadDraw => {
      const probability = isIndependent ? chance(own) : own / left
      if (design === 'successive') left -= own
      return { loss, told, mass: own, probability, predictedLoss: g }
    })
    return {
      design,
      isLearned,
      points: pool.length,
      mass,
      predictedLoss: total(({ g }) => g),
      predictedVariance: total(({ g, mass: own }) => (g * (1 - g)) / own),
      largestUp: Math.max(...pool.map(({ g, mass: own }) => (1 - g) / per(own))),
      largestDown: Math.max(1e-9, ...pool.map(({ g, mass: own }) => g / per(own))),
      expected,
      draws,
    }
  })

const anyView = fc.record({
  mostErrors: fc.nat(12),
  leastErrors: fc.nat(12),
  differing: fc.nat(12),
  added: fc.nat(5),
  gone: fc.nat(5),
})
const anyRecord = fc.array(fc.tuple(anyRound, anyView), { minLength: 1, maxLength: 6 })
const eager = [0, 3, 10].map((start, j) => ({ weight: 1 / 3, start, target: 0.3 * 0.5 ** j }))

it('owns more against every larger number of errors behind the upper limit, and less behind the lower', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const running = new RunningLimits({ bets: eager })
      for (const [round] of record) running.add(round)
      const views = record.map(([, view]) => view)
      for (const [side, sign] of [['upper', 1] as const, ['lower', -1] as const]) {
        let before = Number.NEGATIVE_INFINITY
        for (let step = 0; step <= 40; step++) {
          const wealth = running.logWealth(side, sign === 1 ? step : 40 - step, views)
          // Products are rounded: 80 factors, each to 1e-16.
          if (!(wealth >= before - 1e-12 * Math.max(1, Math.abs(before)))) expect.fail(`${side}: ${wealth} after ${before}`)
          before = wealth
        }
      }
    }),
    { numRuns: 1000, seed: 20_260_101 },
  )
})

it('bets the same whatever is asked of it, and rests its bets on the answers that were given first', () => {
  fc.assert(
    fc.property(anyRecord, fc.integer({ min: 0, max: 40 }), (record, points) => {
      const [plain, asked, revised] = [0, 1, 2].map(() => new RunningLimits({ bets: eager }))
      const views: RoundView[] = []
      for (const [round, view] of record) {
        const first = plain!.add(round)
        const other = asked!.add(round)
        views.push(view)
        asked!.limits(points, views)
        expect(other).toEqual(first)
        const turned = round.draws.map((draw) => ({ ...draw, loss: draw.loss === 1 ? 0 : 1 }) as ReadDraw)
        const after = revised!.add({ ...round, draws: turned })
        expect([after.upper.stakes, after.lower.stakes]).toEqual([first.upper.stakes, first.lower.stakes])
        expect(after.upper.lines.map(({ slope }) => slope)).toEqual(first.upper.lines.map(({ slope }) => slope))
      }
    }),
    { seed: 20_260_101 },
  )
})

it('moves its readings with an answer that is revised', () => {
  const round = rounds[2]!
  const turned = {
    ...round,
    draws: round.draws.map((draw, k) => (k === 2 ? { ...draw, loss: 1 as const, told: draw.loss } : draw)),
  }
  const [before, after] = [round, turned].map((each) => new RunningLimits({ bets: goldenBets }).add(each))
  expect(after!.upper.values[2]! - before!.upper.values[2]!).toBeCloseTo(1 / (round.points * round.draws[2]!.probability), 12)
  expect(after!.upper.values[3]! - before!.upper.values[3]!).toBeCloseTo(1 / round.points, 12) // S, from then on
  expect(after!.upper.values[1]).toBe(before!.upper.values[1])
})

describe('points that are added right after a look', () => {
  const look = golden.looks[20]!
  const running = new RunningLimits({ bets: goldenBets })
  for (const round of rounds.slice(0, 21)) running.add(round)
  const withAdded = (n: number): ErrorLimits =>
    running.limits(
      look.now + n,
      viewsOf(look).map((view) => ({ ...view, added: view.added + n })),
    )

  it('raise the upper limit by their number and leave the lower where it was', () => {
    const { low, high } = running.limits(look.now, viewsOf(look))
    expect(high).toBeLessThan(look.now)
    for (const n of [1, 7, 500]) expect(withAdded(n)).toEqual({ low, high: high + n })
  })
})

it('does not bet on a first round, and gives up a bet when the third after it has begun', () => {
  const first = new RunningLimits({ bets: eager })
  const { upper, lower } = first.add({ ...rounds[1]!, isLearned: false })
  for (const { stakes } of [upper, lower]) expect(stakes.every((own) => own.every((stake) => stake === 0))).toBe(true)
  expect(first.limits(286, [nothing])).toEqual({ low: 0, high: 286 })

  const four = [0, 6, 12, 18].map((start) => ({ weight: 0.25, start, target: 0.1 }))
  const running = new RunningLimits({ bets: four })
  for (const round of rounds.slice(1, 4)) running.add(round) // six draws each
  expect([[6], [6, 12], [6, 12, 18]].map((ends) => firstNeeded(ends, four))).toEqual([0, 0, 1])
  expect([[], [10], [10, 40], [10, 40, 50], [10, 30, 1080]].map((ends) => firstNeeded(ends))).toEqual([0, 1, 2, 2, 2])
  const views = [nothing, nothing, nothing]
  const spoiled = [{ ...nothing, differing: 290 }, nothing, nothing] // the first round: only the bet that was given up rests on it
  expect(running.logWealth('upper', 200, spoiled)).toBe(running.logWealth('upper', 200, views))
  expect(running.logWealth('upper', 200, [nothing, ...spoiled.slice(0, 1), nothing])).toBeLessThan(
    running.logWealth('upper', 200, views),
  )
})

/** Draws with replacement among points that are alike, and a model that expects to be wrong at half of them. */
function alike(points: number, losses: readonly Loss[]): RunningRound {
  const draws = losses.map((loss): ReadDraw => ({ loss, mass: 1, probability: 1 / points, predictedLoss: 0.5 }))
  const totals = {
    points,
    mass: points,
    predictedLoss: points / 2,
    predictedVariance: points / 4,
    largestUp: 0.5,
    largestDown: 0.5,
  }
  return { design: 'multinomial', isLearned: true, ...totals, draws }
}

describe('after many draws', () => {
  const losses = Array.from({ length: 3000 }, (_, k): Loss => (k % 50 === 0 ? 1 : 0))
  const running = new RunningLimits({ bets: [{ weight: 0.5, start: 0, target: 0.3 }] })
  const readings = running.add(alike(100, losses))

  it.each([
    ['upper', 1, 100],
    ['upper', 1, 0],
    ['upper', 1, 2],
    ['lower', -1, 0],
    ['lower', -1, 100],
  ] as const)(
    'what is owned is a product, however large or small: behind the %s limit, %i × at %i errors',
    (side, sign, errors) => {
      const { values, stakes } = readings[side]
      const logs = [...values].map((x, k) => Math.log(1 + sign * stakes[0]![k]! * (errors / 100 - x)))
      const log = Math.log(0.5) + logs.reduce((a, b) => a + b, 0)
      expect(running.logWealth(side, errors, [nothing])).toBeCloseTo(log, 7)
    },
  )

  it('some of these are beyond what numbers hold', () => {
    expect(running.logWealth('upper', 100, [nothing])).toBeGreaterThan(800)
    expect(running.logWealth('upper', 0, [nothing])).toBeLessThan(-10)
    expect(running.logWealth('lower', 100, [nothing])).toBeLessThan(-800)
  })

  it('limits come to the ends, where all points are wrong or none is', () => {
    const [all, none] = [1, 0].map((loss) => {
      const sure = new RunningLimits({ bets: [{ weight: 1, start: 0, target: 0.1 }] })
      sure.add(alike(5, new Array<Loss>(200).fill(loss as Loss)))
      return sure.limits(5, [nothing])
    })
    expect([all, none]).toEqual([
      { low: 5, high: 5 },
      { low: 0, high: 0 },
    ])
  })

  it('they are counted by round', () => {
    const counted = new RunningLimits()
    for (const count of [3, 0, 4]) counted.add(alike(10, losses.slice(0, count)))
    expect(counted.ends).toEqual([3, 3, 7])
  })
})

it('carries limits from look to look: errors that were found leave them, changes of the model and of the pool widen them', () => {
  const view = { mostErrors: 3, leastErrors: 2, differing: 4, added: 7, gone: 5 }
  expect(carriedLimits([nothing, { ...view, opening: { low: 20, high: 40 } }])).toEqual({
    low: 20 - 2 - 4 - 5,
    high: 40 - 3 + 4 + 7,
  })
  expect(carriedLimits([nothing])).toEqual({ low: 0, high: Number.POSITIVE_INFINITY })
})

it('expects of a model what it expects of itself, and the mean surprise so far: newer draws count more', () => {
  const running = new RunningLimits()
  expect(running.estimate(0.3)).toBe(0.3)
  running.add(alike(10, [1, 0]))
  running.add(alike(10, [1]))
  // Surprises of ½, −½ and ½, a draw being worth half of one that is 100 draws younger.
  const [newest, middle, oldest] = [1, 0.5 ** 0.01, 0.5 ** 0.02] as const
  expect(running.estimate(0.3)).toBeCloseTo(0.3 + (0.5 * (newest - middle + oldest)) / (50 + newest + middle + oldest), 12)
})

it('refuses a level that is none', () => {
  for (const level of [0, 1]) expect(() => new RunningLimits({ level })).toThrow(`level: must be in (0, 1), got ${level}`)
})
