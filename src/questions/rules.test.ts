import { describe, expect, it } from 'vitest'
import { randomPoints, testFrame, testPool, testStrata } from '../../test/questions/test-pool.ts'
import type { AskedAnswer } from './ask.ts'
import { beliefsOf } from './beliefs.ts'
import { estimatorFor, type QuestionEstimator } from './estimator.ts'
import { type Strata, strataOf } from './frame.ts'
import { RaceReader } from './race.ts'
import { type AuditRules, type Goal, planFor, RecordReader } from './record.ts'
import { drawable, isClosed, isReachedBy, plainAnswersLeft, registered, rulesFor, standingOf } from './rules.ts'
import { question } from './spec.ts'
import { totalsOf } from './totals.ts'

const yes = { positive: 'yes' }
const strata = async (): Promise<Strata> =>
  strataOf(
    testFrame,
    await testPool(randomPoints(300, 4, 0.2))
      .subject()
      .pool.counts(),
  )
const toldTimes = (count: number) => ({
  rules: { calibrating: count },
  told: new Array(count).fill({ doubt: 0, isWrong: false }),
})
const withTold = (own: Strata, count: number) => ({
  ...own,
  learned: toldTimes(count) as unknown as NonNullable<Strata['learned']>,
})

/** Draws points of one stratum after another; every fifth is predicted wrong. */
function drawn(reader: RecordReader, count: number): void {
  const { codes, list } = reader.strata
  for (let k = 0, at = 0; k < count; at = (at + 7) % codes.length) {
    if (reader.left[at] === 0) continue
    const isWrong = k++ % 5 === 0
    reader.draw(codes[at]!, (list[at]!.predicted[0] === 1) === isWrong ? 'no' : 'yes')
  }
}

function follow(own: Strata, specs = [question('error'), question('recall', yes)]) {
  const reader = new RecordReader(own)
  const estimators = specs.map((spec) => estimatorFor(spec, own, { tables: reader.tables(spec) }))
  reader.follow(estimators)
  return { reader, estimators }
}

describe('answers that are drawn alike first', () => {
  it('are fifty, of which answers of learning stand in for half at most', async () => {
    const own = await strata()
    const left = (told: number, count: number) => {
      const reader = new RecordReader(told > 0 ? withTold(own, told) : own)
      reader.begin({ ...equal, questions: [] })
      drawn(reader, count)
      return plainAnswersLeft(reader)
    }
    expect([left(0, 0), left(0, 20), left(0, 50), left(0, 60)]).toEqual([50, 30, 0, 0])
    expect([left(10, 0), left(25, 0), left(400, 0), left(400, 30)]).toEqual([40, 25, 25, 0])
  })

  it('are ten where answers are grades', () => {
    const graded = testStrata({ classes: [], models: [], slices: [], range: [0, 1] }, [{ count: 40 }])
    expect(plainAnswersLeft(new RecordReader(graded))).toBe(10)
  })
})

const equal: AuditRules = {
  belief: { kind: 'plain', wrong: [0.1, 0.1] },
  mass: { kind: 'equal' },
  isPlain: true,
  goal: {},
  questions: [],
}

it.each<[string, ReturnType<typeof question>, Goal, object]>([
  ['a ceiling', question('error'), { below: 0.1 }, { isCeiling: true }],
  ['no ceiling', question('error'), { tolerance: 0.01 }, {}],
  ['a mean over classes, and many answers', question('macro-f1'), { budget: 500 }, { isLinearised: true }],
  ['a mean over classes, closely', question('macro-f1'), { tolerance: 0.1 }, { isLinearised: true }],
  ['a mean over classes, and few answers', question('macro-f1'), { budget: 499, tolerance: 0.11 }, {}],
  ['a mean over classes, with nothing said', question('macro-f1'), {}, {}],
  ['a mean over points', question('error'), { budget: 5000 }, {}],
])('a question is registered by its goal alone: %s', (_, spec, goal, more) => {
  expect(registered([spec], goal)[0]).toEqual({ ...spec, ...more })
})

it.each<[Goal, object]>([
  [
    { tolerance: 0.1, budget: 50 },
    { kind: 'tolerance', tolerance: 0.1 },
  ],
  [{ budget: 50 }, { kind: 'budget', answers: 50 }],
  [{ budget: 50, below: 0.1 }, { kind: 'none' }],
  [{ below: 0.1 }, { kind: 'none' }],
  [{}, { kind: 'none' }],
])('bets aim at what was set: %o', (goal, plan) => {
  expect(planFor(goal)).toEqual(plan)
})

describe('a goal is reached', () => {
  const answer: AskedAnswer = {
    ...{ question: question('error'), level: 0.95, plan: { kind: 'none' }, isRegistered: true, points: 100, answers: 9 },
    ...{ state: 'defined', value: 0.3, low: 0.25, high: 0.375 },
  }
  const nothing = { value: null, low: null, high: null } as const

  it.each<[string, Partial<AskedAnswer>, Goal, boolean]>([
    ['once the interval is as narrow', {}, { tolerance: 0.0625 }, true],
    ['and not before', {}, { tolerance: 0.0624 }, false],
    ['once the upper limit is as low', {}, { below: 0.375 }, true],
    ['and not before that', {}, { below: 0.37 }, false],
    ['by either of two', {}, { below: 0.37, tolerance: 0.1 }, true],
    ['where nothing was set, never', {}, { budget: 5 }, false],
    ['where all is known', { state: 'known' }, {}, true],
    ['where there is nothing to divide by', { state: 'undefined', ...nothing }, {}, true],
    ['never by a contradiction', { state: 'contradiction' }, { tolerance: 0.5, below: 0.9 }, false],
    ['if there is anything to divide by, too', { state: 'if any' }, { tolerance: 0.1 }, true],
  ])('%s', (_, change, goal, isReached) => {
    expect(isReachedBy({ ...answer, ...change }, goal)).toBe(isReached)
  })

  it('and nothing more is asked then, nor after a contradiction', () => {
    const closed = (state: AskedAnswer['state'], isReached: boolean) => isClosed({ ...answer, state, isReached })
    expect([closed('defined', false), closed('defined', true), closed('contradiction', false)]).toEqual([false, true, true])
  })

  it('or about so many answers later, where the goal looks within reach', () => {
    const asked: number[] = []
    const estimator = (change: Partial<AskedAnswer>) =>
      ({
        answer: () => ({ ...answer, ...change }),
        forecast: (halfWidth: number) => asked.push(halfWidth) && { answers: 70 },
      }) as unknown as QuestionEstimator
    expect(standingOf(estimator({}), { tolerance: 0.01 })).toMatchObject({ isReached: false, forecast: { answers: 70 } })
    expect(standingOf(estimator({}), { below: 0.35 })).toMatchObject({ isReached: false, forecast: { answers: 70 } })
    expect(asked).toEqual([0.01, expect.closeTo(0.05, 12)])
    for (const [change, goal] of [
      [{}, { tolerance: 0.1 }],
      [{}, { below: 0.3 }],
      [{}, { below: 0.2 }],
      [nothing, { below: 0.35 }],
      [{}, { budget: 70 }],
    ] as const)
      expect('forecast' in standingOf(estimator(change), goal)).toBe(false)
    expect(asked).toHaveLength(2)
  })
})

describe('the rules of a round', () => {
  const goal = { tolerance: 0.05 }

  it('are alike for every point that matters at first, with what is known of the learning', async () => {
    const own = await strata()
    const { reader, estimators } = follow(own)
    const rules = rulesFor(reader, { estimators }, goal)
    expect(rules).toMatchObject({ belief: { kind: 'plain' }, mass: { kind: 'equal' }, isPlain: true, goal })
    expect('learned' in rules || 'poolSize' in rules || 'race' in rules).toBe(false)
    const told = follow(withTold(own, 3))
    expect(rulesFor(told.reader, told, goal).learned).toEqual({ calibrating: 3 })
    told.reader.begin(rulesFor(told.reader, told, goal))
    expect('learned' in rulesFor(told.reader, told, goal)).toBe(false) // on record once
  })

  it('say which pool they are about, where there was more than one', () => {
    const { reader, estimators } = follow(
      testStrata({ ...testFrame, pools: [5, 9] }, [{ predicted: [0, 0], slices: [0], count: 9 }]),
    )
    expect(rulesFor(reader, { estimators }, goal).poolSize).toBe(9)
  })

  it('keep what every question needs of the round', async () => {
    const { reader, estimators } = follow(await strata())
    const rules = rulesFor(reader, { estimators }, goal)
    const round = reader.open(rules)
    for (const [k, { question: spec, isOpen, totals }] of rules.questions.entries()) {
      expect([spec, isOpen]).toEqual([estimators[k]!.question, true])
      expect(totals).toEqual([totalsOf(estimators[k]!.tables[0]!, reader.strata, round)])
    }
  })

  it('go where answers say most once the confidences are known, or stay alike where that was wanted', async () => {
    const { reader, estimators } = follow(await strata())
    reader.begin(rulesFor(reader, { estimators }, goal))
    drawn(reader, 50)
    expect(rulesFor(reader, { estimators }, goal)).toMatchObject({
      ...{ belief: { kind: 'line' }, isPlain: false },
      mass: { kind: 'spread', parts: [{ scale: expect.any(Number) }, { scale: expect.any(Number) }] },
    })
    expect(rulesFor(reader, { estimators }, goal, 'uniform')).toMatchObject({ belief: { kind: 'line' }, mass: { kind: 'equal' } })
  })

  it('serve the questions that are open alone', async () => {
    const { reader, estimators } = follow(await strata(), [question('error'), question('prevalence', yes)])
    const [error, prevalence] = estimators as [QuestionEstimator, QuestionEstimator]
    const closed: QuestionEstimator = {
      ...{ question: error.question, tables: error.tables },
      answer: () => ({ ...error.answer(), state: 'contradiction' }),
      wanted: () => expect.unreachable('nothing is wanted of it'),
      ...{ give: () => {}, begin: () => {}, draw: () => {}, forecast: () => undefined },
    }
    const own = [closed, prevalence]
    reader.begin(rulesFor(reader, { estimators: own }, goal))
    drawn(reader, 50)
    const { questions, mass } = rulesFor(reader, { estimators: own }, goal)
    expect(questions.map(({ isOpen }) => isOpen)).toEqual([false, true])
    expect(mass).toMatchObject({ kind: 'spread', parts: [expect.anything()] })
  })

  it('of a race are votes, and masses where its models differ', async () => {
    const own = await strata()
    const { reader, estimators } = follow(own, [question('error')])
    const race = new RaceReader({ within: 0.02, level: 0.9 }, own)
    const rules = rulesFor(reader, { estimators, race }, {})
    const belief = { kind: 'votes', wrong: 0.1 } as const
    expect(rules).toEqual({
      ...{ belief, isPlain: false, goal: {}, race: { within: 0.02, level: 0.9 } },
      mass: { kind: 'race', ...race.state(reader.left, beliefsOf(belief, own)) },
      questions: [{ question: estimators[0]!.question, isOpen: false }],
    })
  })
})

it('draws are made from strata that have mass, and points', () => {
  const own = testStrata(testFrame, [
    { predicted: [0, 0], slices: [0], count: 5 },
    { predicted: [1, 0], slices: [0], count: 1 },
    { predicted: [1, 1], slices: [0], count: 2 },
  ])
  const { reader } = follow(own)
  const rules = { ...equal, questions: [{ question: question('precision', yes), isOpen: true }] }
  expect(drawable(reader, rules)).toEqual({ codes: own.codes.slice(1), masses: Float64Array.of(1, 1) })
  reader.begin(rules)
  reader.draw(own.codes[1]!, 'no')
  expect(drawable(reader, rules)).toEqual({ codes: own.codes.slice(2), masses: Float64Array.of(1) })
})
