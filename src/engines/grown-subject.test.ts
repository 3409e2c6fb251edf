import { describe, expect, it } from 'vitest'
import { randomPoints, ratioOf, type TestPoint, testPool } from '../../test/questions/test-pool.ts'
import { type AuditPlan, audit } from '../audit.ts'
import type { RoundFacts } from '../core/record.ts'
import { columnOracle } from '../oracles/column.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { type AuditOptions, certify } from '../projects/certify.ts'
import { ask, askAll } from '../questions/ask.ts'
import { auditRecord } from '../questions/audit-rounds.ts'
import type { Certificate } from '../questions/certificate.ts'
import { askBest } from '../questions/race.ts'
import type { AuditRules } from '../questions/record.ts'
import { firstFault } from '../questions/replay.ts'
import { question } from '../questions/spec.ts'
import { memoryStore } from '../stores/memory.ts'
import { grownSubject } from './grown-subject.ts'

const yes = { positive: 'yes' }
const every = [
  question('error'),
  question('recall', yes),
  question('f1', { ...yes, slice: { column: 'region', value: 'north' } }),
  question('error', { against: 'other' }),
  question('kappa'),
  question('macro-f1'),
]

/** The first points, and then points that are all predicted wrongly, by a model that is sure of them. */
const pointsOf = (start: number, added: number, seed = 3): readonly TestPoint[] => [
  ...randomPoints(start, seed, 0.15),
  ...randomPoints(added, seed + 1, 0.15).map((point) => ({ ...point, chance: 0.01, truth: 1 - point.predicted })),
]

/** A pool that had these sizes, one after another, and what is on record of it. */
function growing(sizes: readonly number[], points = pointsOf(sizes[0]!, sizes.at(-1)! - sizes[0]!)) {
  const { ids, truth } = testPool(points)
  const store = memoryStore()
  const arrivals = (until: number) => sizes.slice(0, until).map((size, k) => ids.slice(sizes[k - 1] ?? 0, size))
  const subjectAfter = (additions: number) =>
    grownSubject(testPool(points.slice(0, sizes[additions])).subject(), arrivals(additions + 1))
  const plan = { store, oracle: columnOracle(truth), questions: every, seed: 5, batch: 20 }
  async function go(additions: number, changes: Partial<AuditPlan>) {
    await store.grow(sizes[additions]!)
    return Array.fromAsync(audit({ ...plan, subject: subjectAfter(additions), ...changes }))
  }
  const recordAfter = async (additions: number) => auditRecord(subjectAfter(additions), store)
  return { ids, truth, store, plan, points, subjectAfter, go, recordAfter }
}

const of = (poolSize: number) => every.map((each) => ({ ...each, poolSize }))
const numbers = ({ low, high, value, state, answers }: ReturnType<typeof ask>) => ({ low, high, value, state, answers })

describe('points that are added in mid-audit', () => {
  it('leave the question about the first pool as it stood', async () => {
    const { go, recordAfter } = growing([300, 380])
    await go(0, { budget: 120 })
    const before = askAll(await recordAfter(0), every)
    const after = askAll(await recordAfter(1), of(300))
    expect(after.map(numbers)).toEqual(before.map(numbers))
    expect(after.every(({ isRegistered }) => isRegistered)).toBe(true)
    expect(before[0]!.question).toEqual(question('error'))
    expect(after[0]!.question).toEqual(question('error', { poolSize: 300 }))
  })

  it('begin another question with nothing but what is certain: all that was answered counts, nothing was bet', async () => {
    const { go, recordAfter, store, truth, ids, points } = growing([300, 380])
    await go(0, { budget: 120 })
    const answered = (await store.rounds()).flatMap(({ answers }) => [...answers.keys()])
    const wrong = answered.filter((id) => truth.get(id) !== ['no', 'yes'][points[ids.indexOf(id)]!.predicted]).length
    const { low, high, points: about, answers, isRegistered, question: own } = ask(await recordAfter(1), question('error'))
    expect(own).toEqual(question('error', { poolSize: 380 }))
    expect([about, answers, isRegistered]).toEqual([380, 0, false])
    expect(low).toBeCloseTo(wrong / 380, 12)
    expect(high).toBeCloseTo((wrong + 380 - 120) / 380, 12)
  })

  it('begin another question also where their answers matter nothing to it: what was won was about fewer points', async () => {
    const first = randomPoints(300, 3, 0.15)
    const alike = randomPoints(80, 4, 0.15).map((point) => ({ ...point, predicted: 0, other: 0 }))
    const { go, recordAfter } = growing([300, 380], [...first, ...alike])
    await go(0, { budget: 120 })
    const asked = [
      question('error', { against: 'other' }),
      question('confusion', { ...yes, actual: 'no' }),
      question('precision', yes),
    ]
    const record = await recordAfter(1)
    expect(askAll(record, asked).map(({ answers }) => answers)).toEqual([0, 0, 0])
    const before = askAll(
      record,
      asked.map((each) => ({ ...each, poolSize: 300 })),
    )
    expect(before.every(({ answers }) => answers > 0)).toBe(true)
  })

  it('are drawn with the others, and later draws go on saying something of the first pool', async () => {
    const { go, recordAfter, store, ids } = growing([300, 380])
    await go(0, { budget: 60 })
    const before = ask(await recordAfter(0), question('error'))
    const rounds = await go(1, { budget: 100 })
    const isLater = ({ rules }: RoundFacts) => (rules as AuditRules).poolSize === 380
    const drawn = (await store.rounds()).filter(isLater).flatMap(({ draws }) => draws.map(({ id }) => id))
    const inFirst = drawn.filter((id) => ids.indexOf(id) < 300).length
    expect([drawn.length, inFirst > 0, inFirst < 100]).toEqual([100, true, true]) // a budget is of the pool as it is
    const [first, now] = askAll(await recordAfter(1), [question('error', { poolSize: 300 }), question('error')])
    expect(now!.answers).toBe(100)
    expect(first!.answers).toBe(60 + inFirst)
    expect(first!.high! - first!.low!).toBeLessThan(before.high! - before.low!)
    expect(numbers(rounds.at(-1)!.questions[0]!)).toEqual(numbers(now!))
  })

  it('added once more, again and again: every pool has its question, and everything answered is the truth', async () => {
    const sizes = [40, 41, 60, 75]
    const { go, recordAfter, points } = growing(sizes)
    for (const additions of sizes.keys()) await go(additions, { budget: 15 })
    await go(3, { budget: 75 })
    const record = await recordAfter(3)
    for (const size of sizes) {
      const { state, value, points: about } = ask(record, question('error', { poolSize: size }))
      expect([state, about]).toEqual(['known', size])
      expect(value).toBeCloseTo(
        ratioOf(points.slice(0, size), ({ predicted, truth }) => [Number(predicted !== truth), 1]),
        12,
      )
    }
  })

  it.each([1, 2, 3, 7])('to a pool of %i, whose question is then known', async (start) => {
    const { go, recordAfter } = growing([start, start + 5])
    await go(0, { budget: start })
    await go(1, { budget: 2 })
    const record = await recordAfter(1)
    const [first, now] = askAll(record, [question('error', { poolSize: start }), question('error')])
    expect([first!.state, now!.state]).toEqual(['known', 'defined'])
    expect(now!.answers).toBeGreaterThanOrEqual(2)
  })

  it('let a round that was open be answered first: it was drawn from the first pool', async () => {
    const { go, store, truth, recordAfter } = growing([100, 130])
    const stopping: Oracle = {
      name: 'column',
      async *label(ids) {
        for (const id of ids.slice(0, 5)) yield { id, label: truth.get(id)! }
      },
      close: async () => {},
    }
    await go(0, { budget: 40, oracle: stopping })
    const [open] = await store.rounds()
    expect([open!.isClosed, open!.answers.size]).toEqual([false, 5])
    await go(1, { budget: 20 })
    const rounds = await store.rounds()
    expect(rounds.map(({ answers, isClosed }) => [answers.size, isClosed])).toEqual([
      [20, true],
      [20, true],
    ])
    expect(rounds.map(({ rules }) => (rules as AuditRules).poolSize)).toEqual([undefined, 130])
    expect(ask(await recordAfter(1), question('error', { poolSize: 100 })).answers).toBeGreaterThanOrEqual(20)
  })

  it('may be left to one question while another stays with the first pool: masses serve both', async () => {
    const { go, recordAfter } = growing([200, 260])
    await go(0, { budget: 60 })
    await go(1, { budget: 100, questions: [question('precision', { ...yes, poolSize: 200 }), question('recall', yes)] })
    const record = await recordAfter(1)
    const { questions } = record.rounds.at(-1)!.rules
    expect(questions.map(({ question: { poolSize } }) => poolSize)).toEqual([200, 260])
    expect(questions.every(({ totals }) => totals![0]!.isCovered)).toBe(true)
  })

  it('take part in a race only from the first round on that could draw them', async () => {
    const points = randomPoints(400, 8, 0.3).map((point, k) => ({
      ...point,
      other: k < 300 ? point.predicted : 1 - point.predicted,
    }))
    const { go, recordAfter } = growing([300, 400], points)
    await go(0, { budget: 60 })
    const race = { within: 0, level: 0.95 }
    const { model, answers } = askBest(await recordAfter(1), race)
    expect([model, answers]).toEqual([null, 0])
    await go(1, { budget: 340 })
    expect(askBest(await recordAfter(1), race).model).not.toBeNull()
  })

  it('must be told apart: a pool of another size than draws were made from is refused', async () => {
    const { go, store, points, plan } = growing([100, 130])
    await go(0, { budget: 30 })
    await store.grow(130)
    const untold = audit({ ...plan, subject: testPool(points).subject(), budget: 30 })
    await expect(untold.next()).rejects.toThrow(
      'audit: the pool of 100 points that round 0 was drawn from is required, got one of 130',
    )
    const { subjectAfter } = growing([90, 130], points)
    const other = audit({ ...plan, subject: subjectAfter(1), budget: 30 })
    await expect(other.next()).rejects.toThrow('got one of 90, 130')
    expect(() => grownSubject(testPool(points).subject(), [['p0']])).toThrow('arrivals: all 130 points are required, got 1')
  })

  it('are asked about by the sizes that the pool had, and no others', async () => {
    const { go, recordAfter } = growing([100, 130])
    await go(0, { budget: 30 })
    const record = await recordAfter(1)
    expect(() => ask(record, question('error', { poolSize: 120 }))).toThrow(
      'poolSize: one of the sizes that the pool had, 100, 130, is required, got 120',
    )
  })
})

describe('a certificate of a pool that has grown', () => {
  const options: Omit<AuditOptions, 'goal'> = {
    questions: every,
    batch: 25,
    strategy: 'alis-audit',
    seed: 5,
    seedChosen: true,
    together: true,
  }

  async function certified({ subjectAfter, plan, store }: ReturnType<typeof growing>, additions: number, budget: number) {
    const audited = { ...subjectAfter(additions), poolHash: 'sha256:0', columns: {} }
    const rounds = certify(audited, { oracle: plan.oracle, store }, { ...options, goal: { budget } })
    let step = await rounds.next()
    while (!step.done) step = await rounds.next()
    return JSON.parse(JSON.stringify(step.value.certificate)) as Certificate
  }

  async function both() {
    const pool = growing([150, 180, 210])
    const early = await certified(pool, 0, 70)
    await pool.store.grow(180)
    await pool.store.grow(210)
    return { pool, early, late: await certified(pool, 2, 60) }
  }

  it('says what is asked of the pool as it is, then what was asked of it before, and verifies', async () => {
    const { pool, early, late } = await both()
    expect(await firstFault(pool.subjectAfter(0), early)).toBeUndefined() // its rounds are still those of the first pool
    expect(await firstFault(pool.subjectAfter(2), late)).toBeUndefined()
    expect(late.questions.map(({ question: { metric, poolSize } }) => `${metric} ${poolSize}`)).toEqual(
      [210, 150].flatMap((size) => every.map(({ metric }) => `${metric} ${size}`)),
    )
    expect([late.answers, late.pool.size]).toEqual([130, 210])
    expect(late.claim).toContain('in the pool of 210 points')
    expect(late.questions[6]!.claim).toContain('in the pool of 150 points')
    const [now, then] = [early.questions[0]!, late.questions[6]!]
    expect(then.low! >= now.low! && then.high! <= now.high!).toBe(true)
  })

  it.each<[string, (certificate: Certificate) => unknown, RegExp]>([
    ['a round that claims the larger pool', ({ rounds }) => ({ rounds: changed(rounds, 0, { poolSize: 210 }) }), /rounds\.0/],
    ['a round that claims the first pool', ({ rounds }) => ({ rounds: changed(rounds, 3, { poolSize: 150 }) }), /rounds\.3/],
    [
      'what was said of the first pool, said of the whole',
      ({ questions: [first, ...others] }) => ({ questions: [{ ...others[5]!, question: first!.question }, ...others] }),
      /questions\.0/,
    ],
  ])('is found out where it was touched: %s', async (_, touch, fault) => {
    const { pool, late } = await both()
    expect(await firstFault(pool.subjectAfter(2), { ...late, ...(touch(late) as object) })).toMatch(fault)
  })
})

const changed = (rounds: Certificate['rounds'], at: number, rules: Partial<AuditRules>) =>
  rounds.with(at, { ...rounds[at]!, rules: { ...rounds[at]!.rules, ...rules } })
