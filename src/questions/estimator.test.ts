import { describe, expect, it } from 'vitest'
import { testStrata } from '../../test/questions/test-pool.ts'
import type { Label } from '../core/record.ts'
import { ask, askAll } from './ask.ts'
import { estimatorFor } from './estimator.ts'
import type { Frame } from './frame.ts'
import type { Learned } from './learned.ts'
import { type AuditRecord, type AuditRules, RecordReader } from './record.ts'
import { sample } from './sample.ts'
import { type QuestionSpec, question } from './spec.ts'
import { totalsOf } from './totals.ts'

const classes = ['a', 'b', 'c']
/** What was predicted and answered, in draw order, of 20 points that are predicted to be of each class. */
const told = Array.from({ length: 36 }, (_, k) => ({
  predicted: classes[k % 3]!,
  answer: classes[k % 5 === 0 ? (k + 1) % 3 : k % 3]! as Label,
}))
const plain = sample({ classes, of: { a: 20, b: 20, c: 20 }, answers: told })
const [error, recall, macro] = [question('error'), question('recall', { positive: 'b' }), question('macro-f1')]
const linearised = question('macro-f1', { isLinearised: true })

const limits = ({ low, high }: ReturnType<typeof ask>) => [low, high]
const widthOf = ({ low, high }: ReturnType<typeof ask>) => high! - low!

describe.each<[string, QuestionSpec]>([
  ['a mean', error],
  ['a ratio', recall],
  ['a mean over classes', macro],
])('%s', (_, spec) => {
  it('has the limits of its level, shared out where several are to hold at once', () => {
    const alone = ask(plain, { ...spec, level: 0.98 })
    expect(limits(ask(plain, { ...spec, level: 0.9 }, { together: 5 }))).toEqual(limits(alone))
    expect(widthOf(ask(plain, { ...spec, level: 0.9 }))).toBeLessThan(widthOf(alone))
    expect(alone).toMatchObject({ level: 0.98, points: 60, question: { metric: spec.metric } })
  })

  it('is registered if it was asked before some of the draws', () => {
    const asked = (...questions: readonly QuestionSpec[]): AuditRecord => ({
      ...plain,
      rounds: [
        {
          ...plain.rounds[0]!,
          rules: { ...plain.rounds[0]!.rules, questions: questions.map((each) => ({ question: each, isOpen: false })) },
        },
      ],
    })
    const isRegistered = (...questions: readonly QuestionSpec[]) => ask(asked(...questions), spec).isRegistered
    expect([isRegistered(), isRegistered({ ...spec, level: 0.9 }), isRegistered({ ...spec, level: 0.9 }, spec)]).toEqual([
      false,
      false,
      true,
    ])
    const [round] = asked(spec).rounds
    const later = { ...plain.rounds[0]!, given: [], draws: [] }
    expect(ask({ ...plain, rounds: [round!, later] }, spec).isRegistered).toBe(true) // once and for all
  })

  it('is bet on for the goal of each round', () => {
    const planned = sample({ classes, of: { a: 20, b: 20, c: 20 }, answers: told, isPlanned: true })
    expect([ask(plain, spec).plan, ask(planned, spec).plan]).toEqual([{ kind: 'none' }, { kind: 'budget', answers: 36 }])
    expect(limits(ask(planned, spec))).not.toEqual(limits(ask(plain, spec)))
  })

  it('counts answers that were given, and bets on none', () => {
    const { strata } = plain
    const given = told.map(({ answer }, k) => ({ code: plain.rounds[0]!.draws[k]!.code, answer }))
    const none = { rules: plain.rounds[0]!.rules, given, draws: [] }
    const [kept, said] = [ask({ strata, rounds: [none] }, spec), ask(plain, spec)]
    expect(kept.answers).toBe(0)
    expect(widthOf(kept)).toBeGreaterThan(widthOf(said))
    expect(widthOf(kept)).toBeLessThan(0.7) // where nothing is known it is 1
    const silent = { ...none, given: given.map(({ code }) => ({ code, answer: null })) }
    const open = ask({ strata, rounds: [silent] }, spec)
    expect(widthOf(open)).toBeGreaterThan(widthOf(kept) + 0.2)
  })
})

it('a ceiling takes all that the level leaves, and says no more below than what is certain', () => {
  const [ceiling, twice] = [ask(plain, question('error', { isCeiling: true })), ask(plain, question('error', { level: 0.9 }))]
  expect(ceiling.high).toBe(twice.high)
  const wrong = told.filter(({ predicted, answer }) => predicted !== answer).length
  expect(ceiling.low).toBeCloseTo(wrong / 60, 12)
})

it('either limit of a mean may be wrong as often: that of what is right is that of what is wrong, turned round', () => {
  const right = ask(plain, question('accuracy', { isCeiling: true }))
  expect(ask(plain, question('error', { level: 0.9 })).low).toBeCloseTo(1 - right.high!, 9)
})

it('a mean over classes has the means of the limits of its parts, each of which takes its share of the risk', () => {
  const parts = classes.map((positive) => ask(plain, question('f1', { positive, level: 1 - 0.1 / 3 })))
  const { low, high } = ask(plain, question('macro-f1', { level: 0.9 }))
  expect(low).toBeCloseTo(parts.reduce((sum, part) => sum + part.low!, 0) / 3, 9)
  expect(high).toBeCloseTo(parts.reduce((sum, part) => sum + part.high!, 0) / 3, 9)
})

it('a mean over classes is bet on by its parts, or itself where that was asked for', () => {
  const [parts, itself] = askAll(plain, [macro, linearised])
  expect(limits(parts!)).not.toEqual(limits(itself!))
  expect([parts!.state, itself!.state]).toEqual(['defined', 'defined'])
  expect(estimatorFor(macro, plain.strata).forecast(0.1)).toBeUndefined()
  expect('learned' in parts!).toBe(false)
})

describe('what there is to divide by', () => {
  const nobody = sample({
    classes,
    of: { a: 20, b: 20, c: 20 },
    answers: told.map(({ predicted }) => ({ predicted, answer: 'a' })),
  })

  it('is at most so many points, at the level of the question, while nothing of it is found', () => {
    const { state, atMost, level } = ask(nobody, recall)
    const prevalence = ask(nobody, question('prevalence', { positive: 'b', isCeiling: true, level }))
    expect([state, atMost]).toEqual(['if any', Math.floor(prevalence.high! * 60 + 1e-6)])
    expect(atMost).toBeLessThan(20)
    expect('atMost' in ask(plain, recall)).toBe(false) // something is
    const first = { ...nobody.rounds[0]!, draws: nobody.rounds[0]!.draws.slice(0, 1) }
    expect(ask({ ...nobody, rounds: [first] }, recall).atMost).toBe(59) // the first is of another class
  })

  it('is not asked for where it is there for certain', () => {
    for (const spec of [error, question('precision', { positive: 'b' }), question('f1', { positive: 'b' })])
      expect('atMost' in ask(nobody, spec)).toBe(false)
  })
})

it('starts from what the learning owns, and says on how many answers of it', () => {
  const evidence = { keptBack: 0.5, poolSize: 60, rounds: [] }
  const learned = {
    rules: { calibrating: 0, evidence },
    points: 60,
    answers: 77,
    told: [],
    logWealth: () => 40,
  } as unknown as Learned
  const strata = { ...plain.strata, learned }
  const answer = ask({ ...plain, strata }, error)
  expect(answer.learned).toBe(77)
  expect(limits(answer)).not.toEqual(limits(ask(plain, error)))
  expect('learned' in ask({ ...plain, strata }, recall)).toBe(false)
})

describe('as masses see it', () => {
  const frame: Frame = { classes, models: ['own'], slices: [] }
  const strata = testStrata(
    frame,
    [0, 1].map((k) => ({ predicted: [k], count: 10 })),
  )
  const rules: AuditRules = {
    ...{ belief: { kind: 'plain', wrong: [0.2, 0.2, 0.2] }, mass: { kind: 'equal' }, isPlain: true, goal: {}, questions: [] },
  }
  const wanted = (spec: QuestionSpec, tolerance?: number) => {
    const reader = new RecordReader(strata)
    const estimator = estimatorFor(spec, strata)
    reader.follow([estimator])
    const round = reader.begin(rules)
    const totals = estimator.tables.map((each) => totalsOf(each, strata, round))
    return estimator.wanted(totals, tolerance).map(({ centre, denominator, tolerance: own }) => [centre, denominator, own])
  }

  it('a question is where it is thought to be, with what it is expected to divide by', () => {
    expect(wanted(error, 0.05)).toEqual([[expect.any(Number), 20, 0.05]])
    expect(wanted(recall)).toEqual([[expect.any(Number), expect.closeTo(10 * 0.8 + 10 * 0.1, 9), 1]])
  })

  it('a mean over classes is its parts, each as one of so many; no class is there that no point can be of', () => {
    const third = 0.1 * 20 // of the last class, which nothing is predicted to be of
    expect(wanted(macro, 0.1).map(([, denominator, tolerance]) => [denominator, tolerance])).toEqual([
      [expect.closeTo(10 + 9, 9), expect.closeTo(0.3, 12)],
      [expect.closeTo(10 + 9, 9), expect.closeTo(0.3, 12)],
      [expect.closeTo(third, 9), expect.closeTo(0.3, 12)],
    ])
    const precisions = wanted({ ...macro, metric: 'macro-f1' })
    expect(precisions.map(([, , tolerance]) => tolerance)).toEqual([3, 3, 3])
  })
})
