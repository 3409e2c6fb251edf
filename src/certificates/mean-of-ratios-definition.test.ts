import { describe, expect, it } from 'vitest'
import { f1OfClasses } from '../../bench/questions/macro-run.ts'
import { uniform } from '../core/randomness.ts'
import { type Expansion, type Limits, meanOf, remainderWithin, sizeOf, slopesOf } from './linearisation.ts'
import { MeanOfRatios, type MeanOfRatiosOptions } from './mean-of-ratios.ts'
import { noPlan } from './plan.ts'
import { momentsOf, type Question, totalsOver } from './question.ts'
import { type QuestionAnswer, QuestionInterval } from './question-interval.ts'

const three = [0, 1, 2]
const flag = (is: boolean) => (is ? 1 : 0)
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** A share of each class c: of the points that are `den`, those that are right. Kinds are the class predicted. */
function shares(den: (p: number, y: number, c: number) => boolean, range: Question['range'] = [0, 1]): Question[] {
  return three.map((c) => ({
    kinds: three.map((p) => three.map((y) => ({ num: flag(p === c && y === c), den: flag(den(p, y, c)) }))),
    range,
    shape: 'product',
  }))
}
const recalls = shares((_, y, c) => y === c, [-1, 1]) // wider than it need be
const precisions = shares((p, _, c) => p === c)

const masses = [1, 1.6, 0.7]
const beliefs = [
  [0.7, 0.2, 0.1],
  [0.15, 0.75, 0.1],
  [0.2, 0.2, 0.6],
]

interface Drawn {
  readonly kind: number
  readonly answer: number | null
}

/** The mean of ratios by its definition: every interval that it rests on is kept here, and put together again at every look. */
class Definition {
  readonly #parts: readonly Question[]
  readonly #options: MeanOfRatiosOptions
  readonly #ofParts: readonly QuestionInterval[]
  readonly #sizes: readonly (number | { readonly question: Question; readonly interval: QuestionInterval })[]
  #at: Expansion | undefined
  #linear: { readonly question: Question; readonly interval: QuestionInterval } | undefined
  readonly #record: Drawn[] = []

  constructor(options: MeanOfRatiosOptions) {
    const { parts, counts, linearised, plan = noPlan, lower = 0.025, upper = 0.025, grid = 400 } = options
    this.#parts = parts
    this.#options = options
    const sizes = linearised ? parts.map((part) => sizeOf(part, counts)) : []
    const limits = parts.length + sizes.filter((size) => typeof size === 'object').length
    const levels = linearised
      ? { lower: (lower + upper) / 20 / limits, upper: (lower + upper) / 20 / limits }
      : { lower: lower / limits, upper: upper / limits }
    const follow = (question: Question) => {
      const fineness = linearised ? { grid: 100, finest: 0.005 * (question.range[1] - question.range[0]) } : { grid }
      return new QuestionInterval({ question, counts, ...levels, ...fineness, plan: this.#planOfParts(plan) })
    }
    this.#ofParts = parts.map(follow)
    this.#sizes = sizes.map((size) => (typeof size === 'number' ? size : { question: size, interval: follow(size) }))
  }

  #planOfParts(plan: NonNullable<MeanOfRatiosOptions['plan']>) {
    return this.#options.linearised && plan.kind === 'tolerance' ? noPlan : plan
  }

  get #all() {
    const parts = this.#parts.map((question, k) => ({ question, interval: this.#ofParts[k]! }))
    return [...parts, ...this.#sizes.filter((size) => typeof size === 'object'), ...(this.#linear ? [this.#linear] : [])]
  }

  replan(plan: NonNullable<MeanOfRatiosOptions['plan']>): void {
    for (const { interval } of this.#all) interval.replan(interval === this.#linear?.interval ? plan : this.#planOfParts(plan))
  }

  give({ kind, answer }: Drawn): void {
    for (const { question, interval } of this.#all) interval.give(kind, answer === null ? null : question.kinds[kind]![answer]!)
    this.#record.push({ kind, answer })
  }

  round(totalsOf: (question: Question) => ReturnType<ReturnType<typeof totalsOver>['totals']>, drawn: number, allMass: number) {
    const { linearised, linearisedAt = 150 } = this.#options
    if (linearised && !this.#linear && drawn >= linearisedAt) this.#linearise()
    for (const { question, interval } of this.#all) interval.round(totalsOf(question), { allMass, drawn, isPlain: false })
  }

  #linearise(): void {
    const { counts, lower = 0.025, upper = 0.025, plan = noPlan, grid = 400 } = this.#options
    const points = sum(counts)
    const at = {
      ratios: this.#ofParts.map((interval) => interval.answer().value!),
      sizes: this.#sizes.map((size) => (typeof size === 'number' ? size : Math.max(1, size.interval.answer().value! * points))),
    }
    const slopes = slopesOf(this.#parts, at)
    const told = sum(this.#record.map(({ kind, answer }) => (answer === null ? 0 : slopes[kind]![answer]!)))
    const open = counts.map((count, k) => count - this.#record.filter(({ kind, answer }) => kind === k && answer !== null).length)
    const extreme = (pick: (...values: number[]) => number) => told + sum(open.map((count, k) => count * pick(...slopes[k]!)))
    const kinds = slopes.map((row) => row.map((u) => ({ num: points * u, den: 1 })))
    const question: Question = { kinds, range: [extreme(Math.min), extreme(Math.max)], shape: 'product' }
    const interval = new QuestionInterval({ question, counts, lower: 0.9 * lower, upper: 0.9 * upper, plan, grid })
    for (const { kind, answer } of this.#record) interval.give(kind, answer === null ? null : kinds[kind]![answer]!)
    this.#at = at
    this.#linear = { question, interval }
  }

  draw({ kind, answer }: Drawn): void {
    for (const { question, interval } of this.#all) {
      const worths = question.kinds[kind]!
      const belief = momentsOf(worths, beliefs[kind]!)
      interval.draw({ kind, mass: masses[kind]!, belief, worth: answer === null ? null : worths[answer]! })
    }
    this.#record.push({ kind, answer })
  }

  /** The least and the largest mean over whichever of the parts count that may or may not. */
  box(): Limits {
    const parts = this.#ofParts.map((interval) => interval.answer()).filter(({ state }) => state !== 'undefined')
    const isSure = ({ state }: QuestionAnswer) => state === 'defined' || state === 'known'
    const choices = Array.from({ length: 2 ** parts.length }, (_, bits) => parts.filter((__, k) => (bits >> k) & 1))
    const possible = choices.filter(
      (chosen) => chosen.length > 0 && parts.every((part) => !isSure(part) || chosen.includes(part)),
    )
    return [
      Math.min(...possible.map((chosen) => meanOf(chosen.map(({ low }) => low!)))),
      Math.max(...possible.map((chosen) => meanOf(chosen.map(({ high }) => high!)))),
    ]
  }

  /** First order and its remainder, where all parts count for certain. */
  firstOrder(): Limits | undefined {
    const parts = this.#ofParts.map((interval) => interval.answer())
    if (!this.#linear || !parts.every(({ state }) => state === 'defined' || state === 'known')) return undefined
    const points = sum(this.#options.counts)
    const [least, most] = remainderWithin(
      this.#at!,
      parts.map(({ low, high }): Limits => [low!, high!]),
      this.#sizes.map((size): Limits => {
        if (typeof size === 'number') return [size, size]
        const { low, high } = size.interval.answer()
        return [low! * points, high! * points]
      }),
    )
    const { low, high } = this.#linear.interval.answer()
    const centre = meanOf(this.#at!.ratios)
    return [centre + low! + least, centre + high! + most]
  }

  get answers(): number {
    return Math.max(...this.#ofParts.map((interval) => interval.answer().answers))
  }

  get value(): number {
    const parts = this.#ofParts.map((interval) => interval.answer()).filter(({ state }) => state !== 'undefined')
    return meanOf(parts.map(({ value }) => value!))
  }
}

describe('a mean of ratios is what its definition says, after every answer', () => {
  const tolerance = { kind: 'tolerance', tolerance: 0.04 } as const
  const budget = { kind: 'budget', answers: 400 } as const
  interface Row extends Partial<MeanOfRatiosOptions> {
    readonly parts: readonly Question[]
    /** Classes that points have in truth. Default: all three. */
    readonly classes?: number
    /** Whether first order says more than the parts do. */
    readonly gains: boolean
  }
  const rows: [string, Row][] = [
    ['macro-F1, to first order', { parts: f1OfClasses(3), linearised: true, plan: budget, gains: true }],
    ['balanced accuracy, to first order', { parts: recalls, linearised: true, plan: tolerance, gains: true }],
    ['macro-precision, to first order', { parts: precisions, linearised: true, gains: true }],
    ['macro-precision, one part of it known', { parts: precisions, linearised: true, counts: [700, 500, 1], gains: true }],
    ['balanced accuracy, where a class may have no point', { parts: recalls, linearised: true, classes: 2, gains: false }],
    ['balanced accuracy, by its parts', { parts: recalls, plan: tolerance, gains: false }],
  ]
  it.each(rows)('%s', (_, { gains, classes = 3, ...row }) => {
    const options = { counts: [700, 500, 300], lower: 0.2, upper: 0.3, linearisedAt: 50, grid: 40, ...row }
    const { counts } = options
    const [mean, definition] = [new MeanOfRatios(options), new Definition(options)]
    const left = [...counts]
    let gain = 0
    const say = (kind: number, k: number): Drawn => {
      left[kind]!--
      const u = uniform(7, 'answer', `${k}`)
      return { kind, answer: k % 50 === 49 ? null : (u < 0.8 ? kind : kind + (u < 0.9 ? 1 : 2)) % classes }
    }
    for (let drawn = 0; drawn < 400; drawn++) {
      if (drawn === 20 || drawn === 120)
        for (const kind of three.filter((each) => left[each]! > 0)) {
          const given = say(kind, 1000 + 48 * kind + drawn + flag(kind === 1))
          mean.give(kind, given.answer)
          definition.give(given)
        }
      if (drawn === 200) for (const each of [mean, definition]) each.replan({ kind: 'tolerance', tolerance: 0.03 })
      if (drawn % 50 === 0 || drawn === 20 || drawn === 120) {
        const totalsOf = (question: Question) => {
          const totals = totalsOver(question)
          for (const kind of three.filter((each) => left[each]! > 0))
            totals.add(kind, masses[kind]!, momentsOf(question.kinds[kind]!, beliefs[kind]!), left[kind]!)
          return totals.totals()
        }
        const allMass = sum(left.map((count, kind) => count * masses[kind]!))
        mean.round(totalsOf, { allMass, drawn, isPlain: false })
        definition.round(totalsOf, drawn, allMass)
      }
      const u = uniform(7, 'kind', `${drawn}`) * sum(left.map((count, kind) => count * masses[kind]!))
      const kind = u < left[0]! * masses[0]! ? 0 : u < left[0]! * masses[0]! + left[1]! * masses[1]! ? 1 : 2
      const { answer } = say(kind, drawn)
      mean.draw({ kind, mass: masses[kind]!, probabilities: beliefs[kind]!, answer })
      definition.draw({ kind, answer })
      if (drawn % 20 < 18) continue
      const { value, low, high, answers } = mean.answer()
      const [box, first] = [definition.box(), definition.firstOrder()]
      const wanted = first ? [Math.max(box[0], first[0]), Math.min(box[1], first[1])] : box
      expect(low).toBeCloseTo(wanted[0]!, 12)
      expect(high).toBeCloseTo(wanted[1]!, 12)
      expect(value).toBeCloseTo(Math.min(Math.max(definition.value, wanted[0]!), wanted[1]!), 12)
      expect(answers).toBe(definition.answers)
      if (first && (wanted[0]! > box[0] || wanted[1]! < box[1])) gain++
    }
    expect(gain > 0).toBe(gains)
  })
})
