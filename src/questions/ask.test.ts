import { describe, expect, it } from 'vitest'
import { randomPoints, ratioOf, type TestPoint, testPool } from '../../test/questions/test-pool.ts'
import { type AuditPlan, audit } from '../audit.ts'
import type { Label } from '../core/record.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import { ask, askAll, limitsTogether } from './ask.ts'
import { auditRecord } from './audit-rounds.ts'
import type { AuditRecord, AuditRules, RecordedRound } from './record.ts'
import { type QuestionSpec, question } from './spec.ts'

const is = (holds: boolean) => (holds ? 1 : 0)
const yes = { positive: 'yes' }
const south = { column: 'region', value: 'south' }

/** Every kind of question with its value by definition. */
const catalogue: [QuestionSpec, (point: TestPoint) => readonly [number, number]][] = [
  [question('error'), ({ predicted: p, truth: y }) => [is(p !== y), 1]],
  [question('accuracy'), ({ predicted: p, truth: y }) => [is(p === y), 1]],
  [question('prevalence', yes), ({ truth: y }) => [y, 1]],
  [question('precision', yes), ({ predicted: p, truth: y }) => [p * y, p]],
  [question('recall', yes), ({ predicted: p, truth: y }) => [p * y, y]],
  [question('tnr', yes), ({ predicted: p, truth: y }) => [(1 - p) * (1 - y), 1 - y]],
  [question('f1', yes), ({ predicted: p, truth: y }) => [2 * p * y, p + y]],
  [question('confusion', { positive: 'yes', actual: 'no' }), ({ predicted: p, truth: y }) => [p * (1 - y), 1]],
  [question('error', { against: 'other' }), ({ predicted: p, other: o, truth: y }) => [is(p !== y) - is(o !== y), 1]],
  [question('recall', { ...yes, against: 'other' }), ({ predicted: p, other: o, truth: y }) => [(p - o!) * y, y]],
  [question('accuracy', { slice: south }), ({ predicted: p, truth: y, slice: s }) => [s! * is(p === y), s!]],
  [question('recall', { ...yes, slice: south }), ({ predicted: p, truth: y, slice: s }) => [s! * p * y, s! * y]],
]

it.each(['macro-f1', 'balanced-accuracy'] as const)(
  '%s is the mean over classes, by its parts and to first order',
  async (metric) => {
    const f1 = (c: number) => (points: readonly TestPoint[]) =>
      ratioOf(points, ({ predicted: p, truth: y }) => [2 * is(p === c && y === c), is(p === c) + is(y === c)])
    const recall = (c: number) => (points: readonly TestPoint[]) =>
      ratioOf(points, ({ predicted: p, truth: y }) => [is(p === c && y === c), is(y === c)])
    const part = metric === 'macro-f1' ? f1 : recall
    const points = randomPoints(700, 12, 0.2)
    const truth = (part(0)(points) + part(1)(points)) / 2
    for (const isLinearised of [false, true]) {
      const spec = question(metric, { isLinearised })
      const { record } = await audited(points, { budget: 300 }, { questions: [spec], batch: 50 })
      const { low, high, state } = ask(await record(), spec)
      expect(state).toBe('defined')
      expect(low! <= truth && truth <= high!).toBe(true)
      expect(high! - low!).toBeLessThan(0.4)
      const whole = await audited(points, { budget: 700 }, { questions: [spec], batch: 100 })
      expect(ask(await whole.record(), spec)).toMatchObject({ state: 'known', low: expect.closeTo(truth, 12) })
    }
  },
)

/** An audit of some points, and its record. */
async function audited(
  points: readonly TestPoint[],
  goal: Pick<AuditPlan, 'budget' | 'tolerance'>,
  plan: Partial<AuditPlan> & { answers?: Map<string, Label> } = {},
) {
  const { questions = [question('error')], batch = 25, seed = 3, strategy = 'alis-audit', answers } = plan
  const pool = testPool(points)
  const store = memoryStore()
  const oracle = columnOracle(answers ?? pool.truth)
  const rounds = await Array.fromAsync(
    audit({ subject: pool.subject(), store, oracle, questions, seed, batch, strategy, ...goal }),
  )
  return { ...pool, store, rounds, record: () => recordIn(pool, store) }
}

async function recordIn({ subject }: ReturnType<typeof testPool>, store: ReturnType<typeof memoryStore>): Promise<AuditRecord> {
  return auditRecord(subject(), store)
}

it.each(catalogue.map(([spec, worth]) => [JSON.stringify(spec), spec, worth] as const))(
  'everything labelled is the truth: %s',
  async (_, spec, worth) => {
    for (const size of [1, 2, 5, 60]) {
      const points = randomPoints(size, size, 0.3, false)
      const truth = ratioOf(points, worth)
      const { rounds, record } = await audited(points, { budget: size }, { questions: [spec] })
      const answer = ask(await record(), spec)
      const isOpen = rounds.length > 0 // otherwise no answer could have changed anything
      if (Number.isNaN(truth)) expect(answer).toMatchObject({ state: 'undefined', value: null, low: null, high: null })
      else if (isOpen) expect(answer).toMatchObject({ state: 'known', low: expect.closeTo(truth, 12), high: answer.low })
    }
  },
)

it('what a record says of a question does not depend on which others are asked, nor in what order', async () => {
  const { record } = await audited(randomPoints(400, 5, 0.15), { budget: 120 })
  const specs = catalogue.map(([spec]) => spec)
  const own = await record()
  const alone = specs.map((spec) => JSON.stringify(ask(own, spec)))
  expect(askAll(own, specs).map((answer) => JSON.stringify(answer))).toEqual(alone)
  expect(
    askAll(own, specs.toReversed())
      .toReversed()
      .map((answer) => JSON.stringify(answer)),
  ).toEqual(alone)
})

it('a question that is asked afterwards gets what it would have got, if masses served it', async () => {
  const questions = [question('error'), question('recall', yes)]
  const { rounds, record } = await audited(randomPoints(500, 6, 0.2), { budget: 150 }, { questions })
  const asked = askAll(await record(), questions)
  for (const [k, { isReached: _, ...live }] of rounds.at(-1)!.questions.entries()) expect(asked[k]).toEqual(live)
  expect(ask(await record(), question('f1', yes))).toMatchObject({ isRegistered: false, state: 'defined' })
})

it.each([{ budget: 150 }, { budget: 150, tolerance: 0.001 }])(
  'with the same draws, what is asked afterwards is told as if it had been asked before: %o',
  async (goal) => {
    const recall = question('recall', yes)
    const points = randomPoints(500, 13, 0.2)
    const early = await audited(points, goal, { questions: [question('error'), recall], strategy: 'uniform' })
    const late = await audited(points, goal, { questions: [question('error')], strategy: 'uniform' })
    const [before, afterwards] = [ask(await early.record(), recall), ask(await late.record(), recall)]
    expect([before.isRegistered, afterwards.isRegistered]).toEqual([true, false])
    expect({ ...afterwards, isRegistered: true }).toEqual(before)
    expect(afterwards.plan.kind).toBe(goal.tolerance ? 'tolerance' : 'budget')
  },
)

describe('without positives', () => {
  const points = randomPoints(120, 7, 0.1).map((point) => ({ ...point, truth: 0, predicted: 0, other: 0 }))

  it('recall holds if there are any, says how many there can be at most, and is not defined in the end', async () => {
    const spec = question('recall', yes)
    const { record } = await audited(points, { budget: 60 }, { questions: [spec, question('prevalence', yes)] })
    const early = ask(await record(), spec)
    expect(early.state).toBe('if any')
    expect(early.atMost).toBeGreaterThan(0)
    expect(early.atMost).toBeLessThan(20)
    const whole = await audited(points, { budget: 120 }, { questions: [spec] })
    expect(ask(await whole.record(), spec)).toMatchObject({ state: 'undefined', value: null })
  })
})

it('a question whose points could not be drawn at first counts from the first round that covers it', async () => {
  const points = randomPoints(600, 8, 0.2)
  const pool = testPool(points)
  const store = memoryStore()
  const oracle = columnOracle(pool.truth)
  const precision = question('precision', yes)
  const recall = question('recall', yes)
  const plan = { store, oracle, seed: 1, batch: 30 }
  await Array.fromAsync(audit({ ...plan, subject: pool.subject(), questions: [precision], budget: 60 }))
  const early = await recordIn(pool, store)
  expect(ask(early, recall)).toMatchObject({ answers: 0, high: 1 }) // what was answered counts, and is not bet on
  expect(ask(early, precision).answers).toBe(60)
  await Array.fromAsync(audit({ ...plan, subject: pool.subject(), questions: [precision, recall], budget: 160 }))
  const { answers, low, high } = ask(await recordIn(pool, store), recall)
  const truth = ratioOf(points, ({ predicted: p, truth: y }) => [p * y, y])
  expect(answers).toBe(100)
  expect(low! <= truth && truth <= high!).toBe(true)
})

describe('an answer that is revised', () => {
  it('is read with the masses and beliefs on record, which rest on what was said first', async () => {
    const points = randomPoints(300, 9, 0.2)
    const pool = testPool(points)
    const store = memoryStore()
    const first = new Map([...pool.truth].map(([id, label], i) => [id, i % 3 === 0 ? (label === 'yes' ? 'no' : 'yes') : label]))
    const questions = [question('error'), question('recall', yes)]
    const plan = { subject: pool.subject(), store, questions, seed: 2, batch: 30, budget: 150 }
    await Array.fromAsync(audit({ ...plan, oracle: columnOracle(first) }))
    const rulesBefore = (await store.rounds()).map(({ rules }) => rules)
    for (const { round, draws } of await store.rounds()) {
      for (const { id } of draws) if (first.get(id) !== pool.truth.get(id)) await store.revise(round, id, pool.truth.get(id)!)
    }
    expect((await store.rounds()).map(({ rules }) => rules)).toEqual(rulesBefore)
    const record = await recordIn(pool, store)
    const truth = ratioOf(points, ({ predicted: p, truth: y }) => [is(p !== y), 1])
    const { low, high } = ask(record, questions[0]!)
    expect(low! <= truth && truth <= high!).toBe(true)
    // The same draws with rules made anew from the answers that stand: another record, and other limits.
    const refitted = record.rounds.map((round) => ({ ...round, rules: flat(round.rules) }))
    expect(ask({ ...record, rounds: refitted }, questions[0]!)).not.toEqual(ask(record, questions[0]!))
  })

  /** Rules with another line; totals go, as they would show it. */
  function flat(rules: AuditRules): AuditRules {
    const belief = rules.belief.kind === 'line' ? { ...rules.belief, slope: rules.belief.slope / 2 } : rules.belief
    return { ...rules, belief, questions: rules.questions.map(({ totals: _, ...rest }) => rest) }
  }
})

it('rules that were changed on record are found out by the totals kept with them', async () => {
  const { record } = await audited(randomPoints(300, 10, 0.2), { budget: 120 })
  const own = await record()
  const rounds = own.rounds.map((round) =>
    round.rules.belief.kind === 'line'
      ? { ...round, rules: { ...round.rules, belief: { ...round.rules.belief, slope: 0.1 } } }
      : round,
  )
  expect(() => ask({ ...own, rounds }, question('error'))).toThrow(/^record: .* must be .* as its rules have it, got /)
})

it('limits that hold together are wider than each by itself', async () => {
  const specs = [question('error'), question('recall', yes), question('precision', yes)]
  const { record } = await audited(randomPoints(400, 11, 0.2), { budget: 150 }, { questions: specs })
  const own = await record()
  for (const [k, { low, high }] of askAll(own, specs, { together: 3 }).entries()) {
    const each = ask(own, specs[k]!)
    expect(low!).toBeLessThanOrEqual(each.low!)
    expect(high!).toBeGreaterThanOrEqual(each.high!)
    expect(high! - low!).toBeGreaterThan(each.high! - each.low!)
  }
})

it('limits that hold together rest on draws since each question was asked; of one that never was, on what is certain', async () => {
  const [first, late, never] = [question('error'), question('recall', yes), question('precision', yes)] as const
  const goal = { tolerance: 0.01 }
  const { record, subject, store, truth } = await audited(
    randomPoints(400, 11, 0.2),
    { ...goal, budget: 100 },
    { questions: [first] },
  )
  const before = (await record()).rounds.length
  const plan = { subject: subject(), store, oracle: columnOracle(truth), questions: [first, late], seed: 3, batch: 20 }
  for await (const _ of audit({ ...plan, ...goal, budget: 160 }));
  const own = await record()
  const each = askAll(own, [first, late, never])
  const limits = limitsTogether(own, each)
  const all = { together: 3 }
  const rangeOf = ({ low, high }: { low: number | null; high: number | null }) => ({ low, high })
  expect(limits[0]).toEqual(rangeOf(ask(own, first, all))) // asked before the first draw

  /** Answers that are known, and not bet on. */
  const unbet = ({ rules, given, draws }: RecordedRound): RecordedRound => {
    const known = draws.map(({ code, answer }) => ({ code, answer: answer! }))
    return { rules: { ...rules, mass: { kind: 'equal' }, questions: [] }, given: [...given, ...known], draws: [] }
  }
  const [begun, certain] = [before, own.rounds.length].map((until, k) => {
    const rounds = own.rounds.map((round, t) => (t < until ? unbet(round) : round))
    return rangeOf(ask({ ...own, rounds }, k === 0 ? late : never, all))
  })
  expect(limits[1]!.low).toBeCloseTo(Math.min(begun!.low!, each[1]!.low!), 12)
  expect(limits[1]!.high).toBeCloseTo(Math.max(begun!.high!, each[1]!.high!), 12)
  expect(limits[1]!.high! - limits[1]!.low!).toBeGreaterThan(begun!.high! - begun!.low! - 1e-12)
  const plain = ask(own, late, all)
  expect(limits[1]!.high! - limits[1]!.low!).toBeGreaterThan(plain.high! - plain.low!)
  expect(limits[2]).toEqual(certain)
})
