import { describe, expect, it } from 'vitest'
import { randomPoints, testFrame, testPool } from '../../test/questions/test-pool.ts'
import type { AuditPlan } from '../audit.ts'
import { columnOracle } from '../oracles/column.ts'
import { type AuditOptions, certify } from '../projects/certify.ts'
import { memoryStore } from '../stores/memory.ts'
import { type Certificate, certificateOf, isSealed } from './certificate.ts'
import type { Goal } from './record.ts'
import { firstFault } from './replay.ts'
import { question } from './spec.ts'

const yes = { positive: 'yes' }
const every = [
  question('error'),
  question('recall', yes),
  question('f1', { ...yes, slice: { column: 'region', value: 'north' } }),
  question('error', { against: 'other' }),
  question('kappa', { level: 0.9 }),
]

const pool = testPool(randomPoints(500, 21, 0.15))
const audited = () => ({ ...pool.subject(), poolHash: 'sha256:0', columns: {} })
const usual: AuditOptions = {
  questions: every,
  goal: { budget: 130 },
  batch: 40,
  strategy: 'alis-audit',
  seed: 5,
  seedChosen: true,
}

async function certificateWith(changes: Partial<AuditOptions> = {}, store = memoryStore(), oracle = columnOracle(pool.truth)) {
  const rounds = certify(audited(), { oracle, store }, { ...usual, ...changes })
  let step = await rounds.next()
  while (!step.done) step = await rounds.next()
  return step.value.certificate
}

const faultIn = (certificate: Certificate) => firstFault(pool.subject(), certificate)

it.each<[string, Partial<AuditOptions>]>([
  ['a budget', {}],
  ['a tolerance, together', { goal: { tolerance: 0.15 }, together: true }],
  ['a ceiling', { goal: { below: 0.3 }, questions: [question('error')] }],
  ['uniform draws', { strategy: 'uniform' }],
  ['rounds of one', { batch: 1, goal: { budget: 56 }, questions: every.slice(1, 3) }],
])('an honest certificate verifies: %s', async (_, changes) => {
  const certificate = await certificateWith(changes)
  expect(isSealed(certificate)).toBe(true)
  const onFile = JSON.parse(JSON.stringify(certificate))
  expect(onFile).toEqual(certificate)
  expect(await faultIn(onFile)).toBeUndefined()
})

it('one that was stopped and went on with other questions, goals and sizes of rounds verifies too', async () => {
  const store = memoryStore()
  await certificateWith({ questions: [every[0]!], goal: { budget: 70 } }, store)
  await certificateWith({ questions: every.slice(1), goal: { tolerance: 0.15 }, batch: 17 }, store)
  const last = await certificateWith({ goal: { budget: 190 }, batch: 33 }, store)
  expect(await faultIn(last)).toBeUndefined()
})

it('one verifies where more is told apart by now than when its rules were made: sums and fits come out in another order', async () => {
  const plain = { ...testFrame, slices: [] }
  for (const seed of [2, 11, 29]) {
    const points = randomPoints(60, seed, 0.3)
    const [before, after] = [plain, testFrame].map((frame) => testPool(points, frame))
    const store = memoryStore()
    const wishes = { questions: [every[0]!], batch: 1, goal: { budget: 55 }, seed }
    const rounds = certify(
      { ...before!.subject(), poolHash: 'sha256:0', columns: {} },
      { oracle: columnOracle(before!.truth), store },
      { ...usual, ...wishes },
    )
    let step = await rounds.next()
    while (!step.done) step = await rounds.next()
    expect(await firstFault(after!.subject(), step.value.certificate)).toBeUndefined()
  }
})

it('one with revised answers verifies: rules rest on what was said then, limits on what stands', async () => {
  const store = memoryStore()
  const wrong = new Map([...pool.truth].map(([id, label], k) => [id, k % 4 === 0 ? 'no' : label]))
  await certificateWith({ goal: { budget: 90 } }, store, columnOracle(wrong))
  for (const { round, draws, isClosed } of await store.rounds())
    for (const { id } of draws)
      if (isClosed && wrong.get(id) !== pool.truth.get(id)) await store.revise(round, id, pool.truth.get(id)!)
  const last = await certificateWith({ goal: { budget: 160 } }, store)
  expect(last.revisions.length).toBeGreaterThan(3)
  expect(await faultIn(last)).toBeUndefined()
  expect(await faultIn({ ...last, revisions: [] })).toMatch(/^rounds\.\d+\.rules/)
})

const best = { model: 'own', within: 0.01, level: 0.95, leader: 'own', out: [], differences: {}, answers: 9 }

describe('a certificate that was touched', async () => {
  const honest = await certificateWith()
  const forged = (change: (copy: Mutable<Certificate>) => void) => {
    const copy = structuredClone(honest) as Mutable<Certificate>
    change(copy)
    return faultIn(certificateOf(copy as Certificate)) // sealed anew
  }

  it.each<[string, (copy: Mutable<Certificate>) => void, RegExp]>([
    ['a narrower limit', (c) => (c.questions[0]!.high! -= 0.01), /^questions\.0\.high/],
    ['limits that cross', (c) => ([c.questions[1]!.low, c.questions[1]!.high] = [0.9, 0.1]), /^questions\.1/],
    [
      'another answer',
      (c) => (c.rounds[0]!.draws[3]!.answer = c.rounds[0]!.draws[3]!.answer === 'yes' ? 'no' : 'yes'),
      /^(rounds|questions)\./,
    ],
    ['a draw left out', (c) => c.rounds[1]!.draws.splice(2, 1), /^rounds\.1\.draws\.2/],
    ['draws in another order', (c) => c.rounds[1]!.draws.reverse(), /^rounds\.1\.draws\.0/],
    ['another probability', (c) => (c.rounds[2]!.draws[0]!.probability *= 1.01), /^rounds\.2\.draws\.0\.probability/],
    ['another line', (c) => Object.assign(c.rounds.at(-1)!.rules.belief, { slope: 3 }), /rules\.belief\.slope/],
    ['masses that follow from nothing', (c) => Object.assign(c.rounds.at(-1)!.rules, { mass: { kind: 'equal' } }), /rules\.mass/],
    ['a goal set afterwards', (c) => Object.assign(c.rounds.at(-1)!.rules, { goal: { tolerance: 0.05 } }), /rules|questions/],
    ['and one in all rounds', (c) => setGoals(c, { tolerance: 0.05 }), /rules|questions/],
    ['a question registered afterwards', (c) => (c.questions[2]!.isRegistered = false), /^questions\.2\.isRegistered/],
    ['another seed', (c) => (c.seed = 6), /^rounds\.0\.draws/],
    ['a round left out', (c) => c.rounds.splice(1, 1), /^rounds\.1/],
    ['the end of a round left out', (c) => c.rounds[1]!.draws.pop(), /^rounds\.1\.draws/],
    ['a strategy that there is not', (c) => (c.rounds[1]!.strategy = 'clever'), /^rounds\.1\.strategy/],
    ['draws by other chances', (c) => (c.rounds[1]!.stream = 'audit/9'), /^rounds\.1\.stream/],
    ['rounds that are numbered as it pleases', (c) => (c.rounds[1]!.round = 0), /^rounds\.1\.round/],
    ['a round that is said to be larger', (c) => c.rounds[1]!.size++, /^rounds\.1\.draws/],
    ['a question left out', (c) => c.questions.splice(1, 1), /^questions: all that was asked.*recall/],
    ['a draw that says more', (c) => Object.assign(c.rounds[0]!.draws[0]!, { note: 'fine' }), /^rounds\.0\.draws\.0\.note/],
    [
      'a question that says more',
      (c) => Object.assign(c.questions[0]!.question, { note: 'fine' }),
      /question\.note: must be absent/,
    ],
    ['a goal that says more', (c) => Object.assign(c.rounds[0]!.rules.goal, { note: 'fine' }), /^rounds\.0\.rules\.goal\.note/],
    [
      'a revision that leads nowhere',
      (c) => c.revisions.push({ id: c.rounds[0]!.draws[0]!.id, from: 'no', to: 'maybe', opened: 9 }),
      /^revisions\.0\.to/,
    ],
    ['a revision of another point', (c) => c.revisions.push({ id: 'p', from: 'no', to: 'yes', opened: 9 }), /^revisions\.0\.id/],
    ['a race that nobody ran', (c) => (c.best = { ...best, within: 0.2 }), /^best/],
    ['a state that sounds better', (c) => (c.questions[3]!.state = 'known'), /^questions\.3\.state/],
  ])('%s is found', async (_, change, path) => {
    expect(await forged(change)).toMatch(path)
  })
})

function setGoals({ rounds }: Mutable<Certificate>, goal: Goal): void {
  for (const { rules } of rounds) Object.assign(rules, { goal })
}

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T

it('what was asked once stays in the certificate, and counts for limits that hold together', async () => {
  const store = memoryStore()
  await certificateWith({ goal: { budget: 80 } }, store)
  const { questions } = await certificateWith({ questions: every.slice(2, 3), goal: { budget: 120 }, together: true }, store)
  const named = (some: Certificate['questions']) => new Set(some.map(({ question }) => JSON.stringify(question)))
  const all = await certificateWith({ goal: { budget: 120 }, together: true }, store)
  expect(named(questions)).toEqual(named(all.questions))
  expect(questions[0]).toEqual(all.questions[2])
})

it('a plan of an audit is a certificate of its questions in their order', async () => {
  const { questions, answers, metric, value, low, high } = await certificateWith({
    questions: every.slice(0, 2),
  } satisfies Partial<AuditPlan>)
  expect(questions.map(({ question }) => question)).toEqual(every.slice(0, 2))
  expect([metric, answers, value, low, high]).toEqual(['error', 130, questions[0]!.value, questions[0]!.low, questions[0]!.high])
})
