import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findings } from './findings.ts'
import { betsOf, noPlan, type Plan, referenceTuning as tuning } from './plan.ts'
import { probit } from './probit.ts'
import { momentsOf, type Question, totalsOver, type Worth } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

// Made by theory's plain reference (`questions_reference.py`): pool and record come from formulas alone, written out again below.
const golden = JSON.parse(readFileSync(new URL('../../test/golden/questions.golden.json', import.meta.url), 'utf8'))

const [size, classes, batch] = [48, 3, 10]
const points = Array.from({ length: size }, (_, i) => i)
const predicted = points.map((i) => ((i * 7) % 11) % classes)
const other = points.map((i) => (i % 4 ? predicted[i]! : (predicted[i]! + 1) % classes))
const slice = points.map((i) => (i % 3 === 0 ? 1 : 0))
const wrong = points.map((i) => 0.02 + 0.5 * (((i * 37) % size) / size) ** 2)
const truth = points.map((i) =>
  ((i * 53 + 7) % 97) / 97 >= 1.3 * wrong[i]! ? predicted[i]! : (predicted[i]! + 1 + (i % 2)) % classes,
)
const three = [0, 1, 2]
const kinds = three.flatMap((p) => three.flatMap((o) => [0, 1].map((s) => [p, o, s] as const)))
const kindOf = points.map((i) => kinds.findIndex(([p, o, s]) => p === predicted[i] && o === other[i] && s === slice[i]))
const counts = kinds.map((_, k) => kindOf.filter((kind) => kind === k).length)
const share = three.map((k) => predicted.filter((p) => p === k).length / size)

type Rule = (kind: readonly [number, number, number], y: number) => number
const flag = (is: boolean) => (is ? 1 : 0)
const one: Rule = () => 1
const metrics: Record<string, { num: Rule; den: Rule; least?: number; shape?: 'f1' }> = {
  error: { num: ([p], y) => flag(p !== y), den: one },
  prevalence: { num: (_, y) => flag(y === 1), den: one },
  precision: { num: ([p], y) => flag(p === 1 && y === 1), den: ([p]) => flag(p === 1) },
  recall: { num: ([p], y) => flag(p === 1 && y === 1), den: (_, y) => flag(y === 1) },
  f1: { num: ([p], y) => 2 * flag(p === 1 && y === 1), den: ([p], y) => flag(p === 1) + flag(y === 1), shape: 'f1' },
  kappa: { num: ([p], y) => flag(p === y) - share[y]!, den: (_, y) => 1 - share[y]!, least: -1 },
  difference: { num: ([p, o], y) => flag(p === y) - flag(o === y), den: one, least: -1 },
  'slice accuracy': { num: ([p, , s], y) => flag(s === 1 && p === y), den: ([, , s]) => flag(s === 1) },
  score: { num: ([p], y) => [1, 0.6, 0.25][Math.abs(p - y)]!, den: one },
}

function questionOf(name: string): Question {
  const { num, den, least = 0, shape = 'product' } = metrics[name]!
  const worths = kinds.map((kind) => three.map((y): Worth => ({ num: num(kind, y), den: den(kind, y) })))
  const wide: Question = { kinds: worths, range: [least, 1], shape }
  const [low, high] = new QuestionInterval({ question: wide, counts }).certain()
  return { ...wide, range: high - low < 1e-9 ? wide.range : [low, high] }
}

const steps = (name: string) => (name === 'error' || name === 'prevalence' ? size : undefined)
const widest = (name: string): Question => (steps(name) ? { ...questionOf(name), range: [0, 1] } : questionOf(name))
const intervalFor = (name: string, plan: Plan) =>
  new QuestionInterval({
    question: widest(name),
    counts,
    plan,
    steps: steps(name),
    grid: 100,
    finest: Number.POSITIVE_INFINITY,
    tuning,
  })

interface Round {
  readonly left: readonly number[]
  readonly before: number
  readonly masses: readonly number[]
  readonly beliefs: readonly (readonly number[])[]
  readonly order: readonly number[]
  readonly isPlain: boolean
}

const believe = (i: number, p: number) => three.map((y) => (y === predicted[i] ? 1 - p : p / (classes - 1)))
const reduceSum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/** Begins a round for a question, and draws from it. */
function read(interval: QuestionInterval, question: Question, round: Round, each: (draws: number) => void = () => {}): void {
  const { left, masses, beliefs, before: drawn, isPlain, order } = round
  const totals = totalsOver(question)
  for (const i of left) totals.add(kindOf[i]!, masses[i]!, momentsOf(question.kinds[kindOf[i]!]!, beliefs[i]!))
  interval.round(totals.totals(), { allMass: reduceSum(left.map((i) => masses[i]!)), drawn, isPlain })
  for (const [k, i] of order.entries()) {
    each(drawn + k)
    const worths = question.kinds[kindOf[i]!]!
    interval.draw({ kind: kindOf[i]!, mass: masses[i]!, belief: momentsOf(worths, beliefs[i]!), worth: worths[truth[i]!]! })
  }
}

/** Masses for two open questions, as section 5 has them. */
function massesFor(
  questions: readonly Question[],
  intervals: readonly QuestionInterval[],
  tolerances: readonly number[],
  left: readonly number[],
  beliefs: readonly (readonly number[])[],
  seen: readonly number[],
) {
  const squares = new Map(left.map((i) => [i, 0]))
  for (const [k, question] of questions.entries()) {
    const momentsAt = (i: number) => momentsOf(question.kinds[kindOf[i]!]!, beliefs[i]!)
    const den = Math.max(1, seen[k]! + reduceSum(left.map((i) => momentsAt(i).den)))
    const [least, most] = question.range
    const margin = 0.05 * (most - least)
    const f = Math.min(Math.max(intervals[k]!.centre, least + margin), most - margin)
    for (const i of left) {
      const { numNum, numDen, denDen } = momentsAt(i)
      squares.set(i, squares.get(i)! + Math.max(numNum - 2 * f * numDen + f * f * denDen, 0) / (den * tolerances[k]!) ** 2)
    }
  }
  const mean = reduceSum([...squares.values()].map(Math.sqrt)) / left.length
  return points.map((i) => (squares.has(i) ? 0.6 * (Math.sqrt(squares.get(i)!) / mean) + 0.4 : 0))
}

const record: Round[] = []
{
  const open = ['error', 'recall'].map(questionOf)
  const intervals = open.map(
    (question, k) =>
      new QuestionInterval({
        question,
        counts,
        plan: { kind: 'tolerance', tolerance: [0.1, 0.15][k]! },
        grid: 100,
        finest: Number.POSITIVE_INFINITY,
        tuning,
      }),
  )
  let left: readonly number[] = points
  for (let t = 0; t < 3; t++) {
    const isPlain = t === 0
    const alike = (i: number) => left.filter((j) => predicted[j] === predicted[i]).map((j) => wrong[j]!)
    const beliefs = points.map((i) => believe(i, isPlain && left.includes(i) ? reduceSum(alike(i)) / alike(i).length : wrong[i]!))
    const answered = record.flatMap(({ order }) => order)
    const seen = open.map(({ kinds }) => reduceSum(answered.map((i) => kinds[kindOf[i]!]![truth[i]!]!.den)))
    const masses = isPlain ? points.map(() => 1) : massesFor(open, intervals, [0.1, 0.15], left, beliefs, seen)
    const keyed = left.map((i) => ({ i, key: -Math.log((((i * 29 + 11 + 17 * t) % 61) + 0.5) / 61) / masses[i]! }))
    const order = keyed
      .sort((a, b) => a.key - b.key || a.i - b.i)
      .slice(0, batch)
      .map(({ i }) => i)
    const round = { left, before: t * batch, masses, beliefs, order, isPlain }
    record.push(round)
    for (const [k, interval] of intervals.entries()) read(interval, open[k]!, round)
    left = left.filter((i) => !order.includes(i))
  }
}

/** Relative to 10⁻⁹, as the reference asks. */
function expectNear(got: number, expected: number, what: string): void {
  expect(Math.abs(got - expected), `${what}: ${got} against ${expected}`).toBeLessThanOrEqual(
    1e-9 * Math.max(1e-6, Math.abs(expected)),
  )
}

const plans: Record<string, Plan> = {
  None: noPlan,
  "('tolerance', 0.1)": { kind: 'tolerance', tolerance: 0.1 },
  "('budget', 30)": { kind: 'budget', answers: 30 },
}

describe('the reference', () => {
  it('has the same pool and the same draws', () => {
    expect(kindOf).toEqual(golden.kinds)
    expect(truth).toEqual(golden.truth)
    for (const [t, { order, masses, left }] of record.entries()) {
      expect(order).toEqual(golden.rounds[t].order)
      for (const i of order) expectNear(masses[i]!, golden.rounds[t].mass[i], `mass of ${i}`)
      expectNear(reduceSum(left.map((i) => masses[i]!)), golden.rounds[t].total, `total of round ${t}`)
    }
  })

  it('makes the same bets', () => {
    const cases: Record<string, [number, number, Plan]> = {
      '0.025 48 None': [0.025, 48, noPlan],
      "0.025 48 ('tolerance', 0.1)": [0.025, 48, plans["('tolerance', 0.1)"]!],
      "0.025 2000 ('budget', 100)": [0.025, 2000, { kind: 'budget', answers: 100 }],
    }
    expect(Object.keys(golden.bets).sort()).toEqual(Object.keys(cases).sort())
    for (const [name, [alpha, many, plan]] of Object.entries(cases)) {
      const { weights, deadlines, sizes } = betsOf(plan, alpha, many, tuning)
      const delays = deadlines.map(({ goal, need }) => need / probit(goal) ** 2)
      const all = [...delays, 0, ...sizes]
      const goals = all.map((_, k) => deadlines[k]?.goal ?? 0)
      expect(golden.bets[name]).toHaveLength(all.length)
      for (const [k, [kind, x, weight, goal]] of golden.bets[name].entries()) {
        expect(kind).toBe(k < delays.length ? 'deadline' : k === delays.length ? 'all-in' : 'steady')
        expectNear(weights[k]!, weight, 'weight')
        expectNear(all[k]!, x, 'size or delay')
        expectNear(goals[k]!, goal, 'goal')
      }
    }
  })

  it.each(Object.keys(golden.questions))('comes to the same totals, draws, wealth and limits: %s', (name) => {
    const expected = golden.questions[name]
    const metric = Object.keys(metrics).find((each) => name.startsWith(`${each} `))!
    const question = widest(metric)
    const interval = intervalFor(metric, plans[name.slice(metric.length + 1)]!)
    const path: ReturnType<QuestionInterval['answer']>[] = []
    const counted: { readonly i: number; readonly evidence: QuestionInterval['last'] }[] = []
    const order = record.flatMap((round) => round.order)
    const look = (k: number) => {
      if (k === 0) return
      path.push(interval.answer())
      if (interval.last !== counted.at(-1)?.evidence) counted.push({ i: order[k - 1]!, evidence: interval.last })
    }
    for (const round of record) read(interval, question, round, look)
    look(order.length)
    for (const [k, { i, base, X, th, r, A }] of expected.draws.entries()) {
      const { i: drawn, evidence } = counted.at(k < 3 ? k : -1)!
      expect(drawn).toBe(i)
      for (const [got, wanted] of [
        [evidence!.base, base],
        [evidence!.x, X],
        [evidence!.centre, th],
        [evidence!.variance, r],
        [evidence!.mass, A],
      ])
        expectNear(got, wanted, `draw ${k}`)
    }
    for (const [k, at] of [4, 9, 14, 19, 24, 29].entries()) {
      const { state, low, high } = path[at]!
      expect(state).toBe(expected.path[k].state)
      expectNear(low!, expected.path[k].low, `low after ${at + 1}`)
      expectNear(high!, expected.path[k].high, `high after ${at + 1}`)
    }
    const [low, high] = interval.certain()
    expectNear(low, expected.certain[0], 'certainly above')
    expectNear(high, expected.certain[1], 'certainly below')
    expectWealth(interval, expected.wealth)
    const totals = totalsOver(question)
    const { left, masses, beliefs } = record[1]!
    for (const i of left) totals.add(kindOf[i]!, masses[i]!, momentsOf(question.kinds[kindOf[i]!]!, beliefs[i]!))
    const { mass: A, num: Gn, den: Gd, numNum: Vnn, numDen: Vnd, denDen: Vdd, down, up } = totals.totals()
    for (const [key, value] of Object.entries({ A, Gn, Gd, Vnn, Vnd, Vdd })) expectNear(value, expected.totals_round_1[key], key)
    for (let j = 0; j < 9; j++) expectNear(down[j]!, expected.totals_round_1.down[j], `down ${j}`)
    for (let j = 0; j < 9; j++) expectNear(up[j]!, expected.totals_round_1.up[j], `up ${j}`)
  })

  it('goes on with the same wealth when the goal changes', () => {
    const interval = intervalFor('error', noPlan)
    const path: ReturnType<QuestionInterval['answer']>[] = []
    for (const round of record)
      read(interval, widest('error'), round, (k) => {
        if (k > 0) path.push(interval.answer())
        if (k === 10) interval.replan({ kind: 'tolerance', tolerance: 0.1 })
        if (k === 20) interval.replan({ kind: 'tolerance', tolerance: 0.05 })
      })
    path.push(interval.answer())
    const expected = golden['goal changed']
    for (const [k, at] of [9, 14, 19, 24, 29].entries()) {
      expectNear(path[at]!.low!, expected.path[k].low, `low after ${at + 1}`)
      expectNear(path[at]!.high!, expected.path[k].high, `high after ${at + 1}`)
    }
    expectWealth(interval, expected.wealth)
  })

  it.each(Object.keys(golden['all labelled']))('is the truth when everything is labelled: %s', (name) => {
    const question = questionOf(name)
    const interval = new QuestionInterval({ question, counts })
    for (const round of record) read(interval, question, round)
    const left = record.at(-1)!.left.filter((i) => !record.at(-1)!.order.includes(i))
    read(interval, question, {
      left,
      before: 30,
      masses: points.map(() => 1),
      beliefs: points.map((i) => believe(i, wrong[i]!)),
      order: left,
      isPlain: false,
    })
    const { state, low, high, value } = interval.answer()
    expect(state).toBe('known')
    for (const said of [low, high, value]) expectNear(said!, golden['all labelled'][name].truth, name)
  })
})

it('lists the findings of the reference', () => {
  const { e, alpha, rejected } = golden.e_bh
  expect(findings(e, alpha)).toEqual(rejected)
  expect(findings([1, 2], 0.05)).toEqual([])
  expect(findings([20], 0.05)).toEqual([0]) // 1/α, and no more
})

function expectWealth(interval: QuestionInterval, expected: Record<string, number[]>): void {
  for (const [place, wealth] of Object.entries(expected)) {
    const [side, at] = place.split(' ').map(Number)
    const own = interval.limits[side === 1 ? 'lower' : 'upper'].wealthAt(at!)
    expect(own.length).toBe(wealth.length)
    for (const [j, w] of wealth.entries()) expectNear(own[j]!, w, `wealth ${place} of bet ${j}`)
  }
}
