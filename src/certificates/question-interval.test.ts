import { describe, expect, it } from 'vitest'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import { answersUntil } from './forecast.ts'
import type { Plan } from './plan.ts'
import { momentsOf, type Question, totalsOver, type Worth } from './question.ts'
import { QuestionInterval, type QuestionIntervalOptions } from './question-interval.ts'

const error: Question = { kinds: [[0, 1].map((num) => ({ num, den: 1 }))], range: [0, 1], shape: 'product' }
/** Of points predicted negative, then positive; answers negative, then positive. */
const recall: Question = {
  kinds: [0, 1].map((predicted) => [0, 1].map((y) => ({ num: predicted * y, den: y }))),
  range: [0, 1],
  shape: 'product',
}

interface Point {
  readonly kind: number
  /** The place of its answer; null: cannot tell. */
  readonly answer: number | null
}

interface Setting {
  readonly masses?: readonly number[]
  /** Probabilities of the answers, by kind. */
  readonly beliefs?: readonly (readonly number[])[]
  readonly isPlain?: boolean
}

/** Begins a round of points and returns what draws from it, by place. */
function begin(interval: QuestionInterval, question: Question, points: readonly Point[], setting: Setting = {}, drawn = 0) {
  const { masses = points.map(() => 1), beliefs, isPlain = true } = setting
  const believed = question.kinds.map((worths, k) => momentsOf(worths, beliefs?.[k] ?? worths.map(() => 1 / worths.length)))
  const totals = totalsOver(question)
  for (const [i, { kind }] of points.entries()) totals.add(kind, masses[i]!, believed[kind]!)
  interval.round(totals.totals(), { allMass: masses.reduce((a, b) => a + b, 0), drawn, isPlain })
  return (i: number) => {
    const { kind, answer } = points[i]!
    const worth = answer === null ? null : question.kinds[kind]![answer]!
    interval.draw({ kind, mass: masses[i]!, belief: believed[kind]!, worth })
  }
}

function countsOf({ kinds }: Question, points: readonly Point[]): number[] {
  return kinds.map((_, k) => points.filter(({ kind }) => kind === k).length)
}

function asked(question: Question, points: readonly Point[], options: Partial<QuestionIntervalOptions> = {}): QuestionInterval {
  return new QuestionInterval({ question, counts: countsOf(question, points), ...options })
}

/** A pool of points that are all alike, `wrong` of them wrong, in an order by chance. */
function errors(size: number, wrong: number, seed = 1): Point[] {
  const uniforms = uniformsOf({ seed, name: 'errors' }, hashIds(Array.from({ length: size }, (_, i) => `${i}`)))
  return Array.from({ length: size }, (_, i) => ({ kind: 0, answer: i < wrong ? 1 : 0, key: uniforms(i) }))
    .sort((a, b) => a.key - b.key)
    .map(({ kind, answer }) => ({ kind, answer }))
}

describe('where everything is labelled', () => {
  it.each([1, 2, 5])('says the truth, of a pool of %i', (size) => {
    for (const steps of [size, undefined]) {
      const points = errors(size, Math.ceil(size / 2))
      const interval = asked(error, points, { steps })
      const draw = begin(interval, error, points)
      for (const i of points.keys()) draw(i)
      const value = Math.ceil(size / 2) / size
      expect(interval.answer()).toEqual({ state: 'known', value, low: value, high: value, answers: size })
    }
  })

  it('counts points that say nothing about the question as they are', () => {
    const precision: Question = {
      kinds: [[{ num: 0.25, den: 0.5 }], [0, 1].map((num) => ({ num, den: 1 }))],
      range: [0, 1],
      shape: 'product',
    }
    const points = [0, 0, 1].map((kind) => ({ kind, answer: 0 }))
    const interval = asked(precision, points)
    const draw = begin(interval, precision, points)
    expect(interval.certain()[0]).toBeCloseTo(0.25, 9)
    draw(2)
    expect(interval.answer()).toEqual({ state: 'known', value: 0.25, low: 0.25, high: 0.25, answers: 1 })
    draw(0) // it may be drawn for another question
    draw(1)
    expect(interval.answer()).toMatchObject({ state: 'known', value: 0.25, answers: 1 })
  })
})

it('says whether there is anything to divide by', () => {
  const points = Array.from({ length: 6 }, (_, i) => ({ kind: i % 2, answer: 0 }))
  const interval = asked(recall, points)
  const draw = begin(interval, recall, points, {
    beliefs: [
      [0.9, 0.1],
      [0.2, 0.8],
    ],
  })
  for (const i of points.keys()) {
    expect(interval.answer().state).toBe('if any')
    draw(i)
  }
  expect(interval.answer()).toEqual({ state: 'undefined', value: null, low: null, high: null, answers: 6 })
  interval.replan({ kind: 'none' })
  const found = asked(recall, points)
  begin(found, recall, [{ kind: 1, answer: 1 }, ...points.slice(1)])(0)
  expect(found.answer().state).toBe('defined')
})

it('does not bet on rounding errors: with no error at all, the lower limit stays 0', () => {
  const points = errors(568, 0)
  for (const steps of [568, undefined])
    for (const chance of [0.05, 0.3]) {
      const interval = asked(error, points, { steps, plan: { kind: 'tolerance', tolerance: 0.02 } })
      const draw = begin(interval, error, points, { beliefs: [[1 - chance, chance]], isPlain: false })
      for (let k = 0; k < 567; k++) {
        draw(k)
        expect(interval.limits.lower.value).toBe(0)
      }
      expect(interval.answer().high).toBeLessThanOrEqual(1 / 568)
    }
})

/** Records of small pools: tables, masses, beliefs, answers and rounds by chance. Levels are low, so that limits cross now and then. */
it('never has its limits crossed, in ten thousand records', () => {
  const runs = 10_000
  const hashes = hashIds(Array.from({ length: runs }, (_, i) => `${i}`))
  const uniforms = uniformsOf({ seed: 3, name: 'records' }, hashes)
  const found = { contradiction: 0, defined: 0, known: 0, 'if any': 0, undefined: 0 }
  for (let run = 0; run < runs; run++) {
    let used = 0
    const next = () => uniforms(run, used++)
    const below = (many: number) => Math.min(Math.floor(many * next()), many - 1)
    const worth = (): Worth => {
      const den = below(3)
      return { num: den * (below(3) - 1), den }
    }
    const kinds = Array.from({ length: 1 + below(2) }, () => [worth(), worth()])
    const question: Question = { kinds, range: [-1, 1], shape: 'product' }
    const points = Array.from({ length: 1 + below(6) }, () => ({
      kind: below(kinds.length),
      answer: next() < 0.1 ? null : below(2),
    }))
    const plans: Plan[] = [{ kind: 'none' }, { kind: 'budget', answers: 3 }, { kind: 'tolerance', tolerance: 0.5 }]
    const interval = asked(question, points, { lower: 0.45, upper: 0.45, plan: plans[below(3)]!, grid: 8, finest: 0.2 })
    let left = points
    while (left.length > 0) {
      const beliefs = kinds.map(() => next()).map((p) => [p, 1 - p])
      const draw = begin(interval, question, left, { masses: left.map(() => 0.2 + next()), beliefs, isPlain: next() < 0.3 })
      const size = 1 + below(left.length)
      for (let i = 0; i < size; i++) {
        draw(i)
        const { state, value, low, high } = interval.answer()
        found[state]++
        if (state === 'undefined') continue
        if (!(low! <= value! && value! <= high!)) expect.fail(`record ${run}: ${low} ≤ ${value} ≤ ${high}`)
        if (state !== 'contradiction' && run % 10 > 0) continue // what is certain takes long to compute
        const [least, most] = interval.certain()
        if (state === 'contradiction') expect([low, high]).toEqual([least, most])
        else if (low! < least - 1e-9 || high! > most + 1e-9)
          expect.fail(`record ${run}: ${low} to ${high}, certain ${least} to ${most}`)
      }
      left = left.slice(size)
    }
  }
  for (const [state, times] of Object.entries(found)) expect(times, state).toBeGreaterThan(20)
})

it('is little wider than one look would be, at the end of a budget', () => {
  const [size, answers, wrong, z] = [568, 100, 284, 1.96]
  let sum = 0
  for (let seed = 0; seed < 50; seed++) {
    const points = errors(size, wrong, seed)
    const interval = asked(error, points, { steps: size, plan: { kind: 'budget', answers } })
    const draw = begin(interval, error, points, { beliefs: [[0.5, 0.5]] })
    for (let k = 0; k < answers; k++) draw(k)
    const { low, high } = interval.answer()
    sum += (high! - low!) / 2
  }
  const n = answers * ((size - 1) / (size - answers)) // as many draws of an endless pool
  const wilson = (z / (n + z * z)) * Math.sqrt(n / 4 + (z * z) / 4)
  expect(sum / 50).toBeLessThan(1.15 * wilson)
  expect(sum / 50).toBeGreaterThan(wilson)
})

describe('a goal that changes', () => {
  it('splits what is owned anew, and replays nothing', () => {
    const points = errors(60, 12)
    const options = { grid: 30, finest: Number.POSITIVE_INFINITY }
    const [kept, changed] = [asked(error, points, options), asked(error, points, options)]
    const draws = [kept, changed].map((interval) => begin(interval, error, points))
    for (let k = 0; k < 15; k++) for (const draw of draws) draw(k)
    const before = kept.answer()
    changed.replan({ kind: 'budget', answers: 30 })
    expect(changed.answer()).toEqual(before)
    for (const side of ['lower', 'upper'] as const)
      for (let k = 0; k < 30; k++) {
        const owned = kept.limits[side].owned(k)
        expect(Math.abs(changed.limits[side].owned(k) - owned)).toBeLessThanOrEqual(1e-12 * owned)
      }
    for (let k = 15; k < 30; k++) for (const draw of draws) draw(k)
    const [one, other] = [kept.answer(), changed.answer()]
    expect(other.high! - other.low!).toBeLessThan(one.high! - one.low!)
    expect(other.low).toBeGreaterThanOrEqual(before.low!)
    expect(other.high).toBeLessThanOrEqual(before.high!)
  })
})

describe('which draws count', () => {
  it('not those of a round in which some point that matters could not be drawn; their answers do', () => {
    const points = [0, 0, 1, 1, 1].map((kind, i) => ({ kind, answer: i % 2 }))
    const interval = asked(recall, points, { lower: 0.3, upper: 0.3 })
    const draw = begin(interval, recall, points, { masses: [0, 0, 1, 1, 1] })
    for (const i of [2, 3]) draw(i)
    expect(interval.answer().answers).toBe(0)
    expect(interval.last).toBeUndefined()
    expect([interval.limits.lower.value, interval.limits.upper.value]).toEqual([0, 1])
    expect(interval.certain()[0]).toBeCloseTo(1 / 3, 12) // one is found, two may be missed
    const rest = points.filter((_, i) => i !== 2 && i !== 3)
    begin(interval, recall, rest)(0)
    expect(interval.answer().answers).toBe(1)
  })

  it('not those of points that the question does not depend on, whatever their masses', () => {
    const precision: Question = {
      kinds: [[0, 1].map(() => ({ num: 0, den: 0 })), [0, 1].map((num) => ({ num, den: 1 }))].map((worths) => worths.flat()),
      range: [0, 1],
      shape: 'product',
    }
    const points = [1, 0, 1, 0, 1, 1].map((kind, i) => ({ kind, answer: i % 2 }))
    const after = (order: readonly number[]) => {
      const interval = asked(precision, points, { lower: 0.3, upper: 0.3 })
      const draw = begin(interval, precision, points, { masses: [1, 9, 2, 0, 1, 1] })
      for (const i of order) draw(i)
      return interval.answer()
    }
    expect(after([0, 1, 2])).toEqual(after([0, 2]))
    expect(after([0, 1, 2]).answers).toBe(2)
  })

  it('answers that are given without a draw end the round, and are certain', () => {
    const points = errors(10, 5)
    const interval = asked(error, points)
    const draw = begin(interval, error, points)
    draw(0)
    interval.give(0, { num: 1, den: 1 }, 3)
    const [low, high] = interval.certain()
    const seen = 3 + points[0]!.answer!
    expect(low).toBeCloseTo(seen / 10, 12)
    expect(high).toBeCloseTo((seen + 6) / 10, 12)
    expect(interval.answer().answers).toBe(1)
    expect(() => draw(1)).toThrow('draw: round() must come first')
  })
})

it('says what is certain, and that it is a contradiction, where its limits have crossed', () => {
  const points = errors(10, 5)
  const crossed = (sign: 1 | -1, f: number) => (sign === 1 ? f < 0.85 : f > 0.15)
  const interval = asked(error, points, { start: (f, sign) => (crossed(sign, f) ? 50 : 1) })
  expect(interval.answer().state).toBe('defined') // nothing is bet before the first draw
  begin(interval, error, points)(0)
  const [low, high] = interval.certain()
  expect(high - low).toBeCloseTo(0.9, 12)
  expect(interval.answer()).toMatchObject({ state: 'contradiction', low, high, answers: 1 })
})

it('covers every reading of answers that say nothing', () => {
  const points = errors(80, 24).map(({ kind, answer }, i) => ({ kind, answer: i % 9 === 0 ? null : answer }))
  const after = (reading: number | null, plan: Plan) => {
    const interval = asked(error, points, { plan, lower: 0.05, upper: 0.05 })
    const read = points.map(({ kind, answer }) => ({ kind, answer: answer ?? reading }))
    const draw = begin(interval, error, read, { beliefs: [[0.7, 0.3]], isPlain: false })
    for (let k = 0; k < 60; k++) draw(k)
    return interval.answer()
  }
  for (const plan of [{ kind: 'none' }, { kind: 'budget', answers: 60 }] as const) {
    const unknown = after(null, plan)
    for (const reading of [0, 1]) {
      expect(unknown.low).toBeLessThanOrEqual(after(reading, plan).low!)
      expect(unknown.high).toBeGreaterThanOrEqual(after(reading, plan).high!)
    }
    expect(unknown.high! - unknown.low!).toBeLessThan(0.6)
    expect(unknown.answers).toBe(60)
  }
})

it('goes on telling where few of many answers say nothing, and counts those that do', () => {
  const points = errors(2000, 300).map(({ kind, answer }, i) => ({ kind, answer: i % 60 === 7 ? null : answer }))
  const interval = asked(error, points)
  const draw = begin(interval, error, points)
  for (let k = 0; k < 180; k++) draw(k)
  const { low, high } = interval.answer()
  const told = points.slice(0, 180).flatMap(({ answer }) => answer ?? [])
  expect(told.length).toBe(177)
  expect(interval.seen).toEqual({ num: told.filter((answer) => answer === 1).length, den: 177 })
  expect(low! <= 0.15 && 0.15 <= high!).toBe(true)
  expect(high! - low!).toBeLessThan(0.25) // what is certain leaves 0.91
})

describe('values that F can have', () => {
  it('are what limits are, where they are known', () => {
    const points = errors(40, 8)
    const interval = asked(error, points, { steps: 40, lower: 0.1, upper: 0.1 })
    const draw = begin(interval, error, points)
    for (let k = 0; k < 25; k++) draw(k)
    const { low, high } = interval.answer()
    for (const limit of [low!, high!]) expect(limit * 40).toBeCloseTo(Math.round(limit * 40), 9)
    expect(high! - low!).toBeLessThan(0.5)
  })

  it('are tested more closely as fewer are left', () => {
    const points = errors(400, 40)
    const width = (finest: number) => {
      const interval = asked(error, points, { grid: 40, finest })
      const draw = begin(interval, error, points)
      for (let k = 0; k < 200; k++) draw(k)
      const { low, high } = interval.answer()
      return high! - low!
    }
    expect(width(1e-3)).toBeLessThan(width(Number.POSITIVE_INFINITY))
  })

  it.each<[string, Plan, Question['range'], number]>([
    ['of the tolerance', { kind: 'tolerance', tolerance: 0.05 }, [0, 1], 0.05 / 160],
    ['of 2 % of the range', { kind: 'none' }, [-1, 1], 0.04 / 160],
  ])('are as close as a 160th %s, if nothing is said', (_, plan, range, finest) => {
    const points = errors(4000, 60)
    const question: Question = { ...error, range }
    const path = (options: Partial<QuestionIntervalOptions>) => {
      const interval = asked(question, points, { plan, grid: 200, ...options })
      const draw = begin(interval, question, points)
      return Array.from({ length: 1500 }, (_, k) => {
        draw(k)
        return interval.answer()
      })
    }
    const usual = path({})
    expect(usual).toEqual(path({ finest }))
    for (const times of [0.4, 2.5]) expect(usual).not.toEqual(path({ finest: times * finest }))
  })
})

describe('how much there is against a value', () => {
  const points = errors(300, 30)
  const interval = asked(error, points, { watch: [0.05, 0.3] })
  const draw = begin(interval, error, points)
  for (let k = 0; k < 150; k++) draw(k)

  it('grows without end where it is wrong, and not where it is right', () => {
    expect(interval.eValue(0.3, 'below')).toBeGreaterThan(1000) // and a limit stops at 40
    expect(interval.eValue(0.3, 'above')).toBeLessThan(0.1)
    expect(interval.eValue(0.05, 'above')).toBeGreaterThan(1)
    expect(interval.eValue(0.05, 'below')).toBeLessThan(1)
  })

  it('is known of values that are watched', () => {
    expect(() => interval.eValue(0.2, 'above')).toThrow('eValue: one of the values watched (0.05, 0.3) is required, got 0.2')
    expect(() => asked(error, points).eValue(0.2, 'above')).toThrow('eValue: one of the values watched (none) is required')
  })

  it('also where there is one limit alone', () => {
    const ceiling = asked(error, points, { lower: 0, upper: 0.05, watch: [0.3] })
    const draw = begin(ceiling, error, points)
    for (let k = 0; k < 100; k++) draw(k)
    expect(ceiling.eValue(0.3, 'below')).toBeGreaterThan(100)
    expect(ceiling.eValue(0.3, 'above')).not.toBe(1)
    expect(ceiling.limits.lower.value).toBe(0)
    ceiling.replan({ kind: 'budget', answers: 200 })
    const before = ceiling.eValue(0.3, 'below')
    draw(100)
    expect(ceiling.eValue(0.3, 'below')).not.toBe(before)
  })
})

describe('what is known before the first draw', () => {
  const points = errors(50, 10)
  const start = (f: number, sign: 1 | -1) => (sign === 1 ? 2 - f : 0.5 + f)

  it('counts against each value from there on, on either side', () => {
    const { lower, upper } = asked(error, points, { steps: 50, start }).limits
    for (const [k, f] of [0, 0.02, 0.04].entries()) expect(lower.owned(k)).toBeCloseTo(start(f, 1), 12)
    for (const [k, f] of [1, 0.98, 0.96].entries()) expect(upper.owned(k)).toBeCloseTo(start(f, -1), 12)
  })

  it('counts in forecasts like draws that leave as narrow an interval', () => {
    const told = (f: number, sign: 1 | -1) => ((sign === 1 ? f < 0.14 : f > 0.26) ? 40 : 1)
    const rest = {
      information: 0,
      variance: 1,
      draws: 0,
      left: 1e9,
      share: 1,
      plan: 'tolerance',
      lower: 0.025,
      upper: 0.025,
    } as const
    const paceOf = (start?: typeof told) => {
      const interval = asked(error, points, { steps: 50, plan: { kind: 'tolerance', tolerance: 0.05 }, start })
      begin(interval, error, points)
      return interval.pace()!
    }
    const { information, estimate } = paceOf(told)
    const answers = (tolerance: number, before: number) =>
      answersUntil({ ...rest, question: error, estimate, information: before }, tolerance).answers
    expect(information).toBeCloseTo(answers(0.06, 0), -1)
    expect(answers(0.03, information) / answers(0.03, 0)).toBeCloseTo(0.75, 1) // 1 - (0.03/0.06)², near enough
    expect(paceOf().information).toBe(0)
    expect(paceOf(() => 1).information).toBeCloseTo(0, 9)
  })

  it('is not asked for where there is no limit', () => {
    const sides = new Set<number>()
    const told = (f: number, sign: 1 | -1) => {
      sides.add(sign)
      return start(f, sign)
    }
    asked(error, points, { steps: 50, lower: 0, upper: 0.05, start: told })
    expect([...sides]).toEqual([-1])
  })
})

describe('refuses', () => {
  const points = errors(3, 1)

  it.each([
    [{ lower: -0.1 }, 'level: chances of error must be in [0, 1)'],
    [{ upper: -0.1 }, 'level: chances of error must be in [0, 1)'],
    [{ lower: -0.1, upper: 0.2 }, 'level: chances of error must be in [0, 1)'],
    [{ lower: 0.2, upper: -0.1 }, 'level: chances of error must be in [0, 1)'],
    [{ lower: 0, upper: 0 }, 'level: chances of error must be in [0, 1)'],
    [{ lower: 0.5, upper: 0.5 }, 'level: chances of error must be in [0, 1)'],
    [{ counts: [1, 2] }, 'counts: one for each of 1 kinds is required, got 2'],
    [{ counts: [-1] }, 'counts: must be whole numbers of at least 0, got -1'],
    [{ counts: [1.5] }, 'counts: must be whole numbers of at least 0, got 1.5'],
    [{ question: { ...error, range: [1, 1] } }, 'range: must go from a smaller to a larger value, got 1 to 1'],
    [{ question: { ...error, kinds: [[{ num: 0, den: -1 }]] } }, 'question: finite numbers and no denominator below 0'],
    [{ question: { ...error, kinds: [[{ num: Number.NaN, den: 1 }]] } }, 'question: finite numbers and no denominator below 0'],
    [{ question: { ...error, kinds: [[{ num: 0, den: Number.POSITIVE_INFINITY }]] } }, 'question: finite numbers and no'],
  ] as [Partial<QuestionIntervalOptions>, string][])('%o', (options, message) => {
    expect(() => asked(error, points, options)).toThrow(message)
  })

  it('draws before a round, of no mass, and of more points than there are', () => {
    const interval = asked(error, points)
    const belief = momentsOf(error.kinds[0]!, [0.5, 0.5])
    const drawn = { kind: 0, mass: 1, belief, worth: { num: 0, den: 1 } }
    expect(() => interval.draw(drawn)).toThrow('draw: round() must come first, got a draw before it')
    const draw = begin(interval, error, points)
    expect(() => interval.draw({ ...drawn, mass: 0 })).toThrow('draw: mass must be positive, got 0')
    for (const i of points.keys()) draw(i)
    expect(() => draw(0)).toThrow('draw: a point without an answer is required, got 1 more of kind 0, of which 0 are left')
    expect(() => interval.give(4, { num: 0, den: 1 })).toThrow('draw: a point without an answer is required')
  })

  it('totals that no points can have', () => {
    const totals = { isCovered: true, mass: 1, num: 0, den: 1, numNum: 1, numDen: 0, denDen: 0, down: [1], up: [1] }
    const setting = { allMass: 1, drawn: 0, isPlain: true }
    const tell = (wrong: object) => () => asked(error, points).round({ ...totals, ...wrong }, setting)
    expect(tell({ num: -1, numDen: -1 })).not.toThrow()
    for (const name of ['mass', 'den', 'numNum', 'denDen'])
      for (const total of [-1, Number.NaN, Number.POSITIVE_INFINITY])
        expect(tell({ [name]: total })).toThrow(`round: ${name} must be finite and not negative, got ${total}`)
    for (const name of ['num', 'numDen']) expect(tell({ [name]: Number.NaN })).toThrow(`round: ${name} must be finite, got NaN`)
    for (const name of ['down', 'up'])
      expect(tell({ [name]: [-1] })).toThrow('round: reach must be finite and not negative, got -1')
  })
})
