import { describe, expect, it } from 'vitest'
import { audit } from '../audit.ts'
import { type RoundView, RunningLimits } from '../certificates/running.ts'
import type { ReadDraw } from '../certificates/running-readings.ts'
import { expectedLossOf } from '../core/belief.ts'
import { dense } from '../core/features.ts'
import { type Model, predictedClass, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { grownSubject } from '../engines/grown-subject.ts'
import { memoryEngine } from '../engines/memory.ts'
import { importLabels } from '../import-labels.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { learn } from '../loop.ts'
import { errorOf } from '../losses/error.ts'
import { logistic } from '../losses/logistic.ts'
import { columnOracle } from '../oracles/column.ts'
import { ask, askAll } from '../questions/ask.ts'
import { auditRecord, certifiedRounds, strataAsked } from '../questions/audit-rounds.ts'
import { certificateOf, certificateText } from '../questions/certificate.ts'
import { keptBack, type Learned, startWealthOf } from '../questions/learned.ts'
import type { AuditRules } from '../questions/record.ts'
import { firstFault } from '../questions/replay.ts'
import { question } from '../questions/spec.ts'
import { memoryStore } from '../stores/memory.ts'
import type { GrowingStore, Store } from '../stores/store.ts'
import { strategies } from '../strategies/catalogue.ts'
import { learnedBefore } from './learned.ts'
import { modelSubject } from './model-subject.ts'

const [size, columns] = [400, 3]
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const features = dense(values, columns)
const rowOf = new Map(ids.map((id, i) => [id, i]))
const classes = ['no', 'yes']
const truth = new Map<string, Label>(
  ids.map((id, i) => [
    id,
    4 * values[i * columns]! - 3 * values[i * columns + 1]! + 3 * (uniform(1, 'noise', id) - 0.5) > 0 ? 'yes' : 'no',
  ]),
)
for (const id of ids.filter((_, i) => i % 19 === 0)) truth.set(id, null) // some cannot be told

const engine = () => memoryEngine({ ids, features })
const { suited: _, ...strategy } = strategies.alis

async function learnOn(store: Store, rounds: number): Promise<Model> {
  const plan = { engine: engine(), store, oracle: columnOracle(truth), learner: logisticLearner(), strategy, classes }
  return (await Array.fromAsync(learn({ ...plan, seed: 7, start: 20, batch: 20, rounds }))).at(-1)!.model
}

/** Eight rounds, with labels given in between. */
async function learned(): Promise<{ store: GrowingStore; model: Model }> {
  const store = memoryStore()
  await learnOn(store, 4)
  const labels = new Map(ids.slice(100, 140).map((id) => [id, truth.get(id) ?? 'no']))
  await importLabels({ engine: engine(), store, classes, seed: 7, labels })
  return { store, model: await learnOn(store, 8) }
}

const look = async (store: Store, model: Model) =>
  (await learnedBefore(
    { engine: engine(), model, loss: logistic },
    { rounds: await store.rounds(), model: (id) => store.model(id), poolSize: size },
  ))!

function classAt(model: Model, id: string): number {
  const scores = new Float64Array(1)
  scorerOf(model)(features, rowOf.get(id)!, scores)
  return predictedClass(scores)
}

function readingOf({ survey, draws, answers }: RoundFacts, model: Model | undefined) {
  const read = draws.map(({ id, mass, probability, scores }): ReadDraw => {
    const label = answers.get(id)!
    const loss = label === null ? null : classes[predictedClass(scores)] === label ? 0 : 1
    return { loss, mass, probability, predictedLoss: expectedLossOf(errorOf(logistic), scores) }
  })
  const totals = { isLearned: model !== undefined, points: survey.points, mass: survey.mass, ...survey.controls[0]! }
  return { ...totals, design: 'successive' as const, draws: read }
}

/** The wealth of the running certificate, with every count made by a plain loop over the pool. */
async function byHand(store: Store, model: Model) {
  const rounds = await store.rounds()
  const answered = new Map(rounds.flatMap((round) => [...round.answers]))
  const left = ids.filter((id) => !answered.has(id))
  const limits = new RunningLimits()
  const views: RoundView[] = []
  const before = new Set<string>()
  for (const round of rounds) {
    const own = round.stream === 'learn/0' ? undefined : await store.model(round.model)
    if (round.stream.startsWith('learn/')) {
      limits.add(readingOf(round, own))
      const found = [...answered].filter(([id]) => !before.has(id))
      const wrong = found.filter(([id, label]) => own && classes[classAt(own, id)] !== label)
      const differing = own ? left.filter((id) => classAt(own, id) !== classAt(model, id)).length : 0
      const leastErrors = wrong.filter(([, label]) => label !== null).length
      views.push({ mostErrors: wrong.length, leastErrors, differing, added: 0, gone: 0 })
    }
    for (const { id } of round.draws) before.add(id)
  }
  return { points: left.length, logWealth: (side: 'upper' | 'lower', errors: number) => limits.logWealth(side, errors, views) }
}

it('is the wealth of the running certificate, by a plain loop over the pool', async () => {
  const { store, model } = await learned()
  const [found, expected] = [await look(store, model), await byHand(store, model)]
  expect(found.points).toBe(expected.points)
  for (const side of ['upper', 'lower'] as const)
    for (const errors of [0, 1, 5, 20, 60, 120, found.points])
      expect(found.logWealth(side, errors)).toBeCloseTo(expected.logWealth(side, errors), 9)
  expect(found.logWealth('upper', found.points)).toBeGreaterThan(3) // it says something
  expect(found.answers).toBe(140)
  expect(found.certified.rounds.map(({ round }) => round)).toEqual([2, 3, 4, 6, 7, 8, 9]) // bets begin with round 2, and round 5 was given
  expect(found.certified.points).toHaveLength(size - found.points)
})

it('has what was answered to the newest draws, each by the model that drew it', async () => {
  const { store, model } = await learned()
  const { told, rules } = await look(store, model)
  const drawn = (await store.rounds()).filter(({ stream }) => stream.startsWith('learn/') && stream !== 'learn/0')
  const known = drawn.flatMap(({ draws, answers }) =>
    draws.filter(({ id }) => answers.get(id) !== null).map((draw) => ({ draw, answers })),
  )
  expect(told).toHaveLength(known.length)
  expect(rules.calibrating).toBe(known.length)
  for (const [k, { draw, answers }] of known.entries()) {
    const chance = 1 / (1 + Math.exp(Math.abs(draw.scores[0]!)))
    expect(told[k]!.isWrong).toBe(classes[predictedClass(draw.scores)] !== answers.get(draw.id))
    expect(Math.abs(told[k]!.doubt - Math.log(chance / (1 - chance)))).toBeLessThanOrEqual(1 / 32 + 1e-9)
  }
})

it('says nothing where nothing was learned by random draws, and starts no bets where scores are columns', async () => {
  const store = memoryStore()
  const plan = { engine: engine(), store, oracle: columnOracle(truth), learner: logisticLearner(), classes, seed: 7, rounds: 3 }
  const { model } = (await Array.fromAsync(learn({ ...plan, strategy: strategies.uncertainty }))).at(-1)!
  expect(await look(store, model)).toBeUndefined()
  const { store: other } = await learned()
  const inColumns = { kind: 'columns', id: 'scores', classes, columns: 1 } as const
  const found = await look(other, inColumns)
  expect(found.rules).toEqual({ calibrating: found.told.length })
  expect(found.answers).toBe(0)
})

describe('an audit of the model', () => {
  const plan = {
    questions: [question('error'), question('accuracy')],
    budget: 60,
    batch: 20,
    seed: 7,
    oracle: columnOracle(truth),
  }
  const audited = async () => {
    const { store, model } = await learned()
    const rounds = await Array.fromAsync(audit({ ...plan, subject: modelSubject(engine(), model), store }))
    return { store, model, rounds }
  }

  it('begins with the evidence on record, draws half as many alike first, and mirrors error and accuracy', async () => {
    const { store, rounds } = await audited()
    const own = (await store.rounds()).filter(({ stream }) => stream.startsWith('audit/'))
    expect(own.map(({ rules }) => 'learned' in rules!)).toEqual([true, false, false, false])
    expect(own.map(({ rules, draws }) => [(rules as AuditRules).isPlain, draws.length])).toEqual([
      [true, 20],
      [true, 5],
      [false, 20],
      [false, 15],
    ])
    const [error, accuracy] = rounds.at(-1)!.questions
    expect(error!.learned).toBe(140)
    expect(error!.low! + accuracy!.high!).toBeCloseTo(1, 9)
    expect(error!.high! + accuracy!.low!).toBeCloseTo(1, 9)
  })

  it('goes on, and is asked and verified, by what was counted then, to the last bit', async () => {
    const { store, model, rounds } = await audited()
    const uncounted = { ...engine(), compare: () => Promise.reject(new Error('counted again')) }
    const again = modelSubject(uncounted, model)
    const resumed = await Array.fromAsync(audit({ ...plan, subject: again, store, fromStart: true }))
    expect(resumed).toEqual(rounds.slice(0, resumed.length))
    const { isReached: _, forecast: __, ...last } = rounds.at(-1)!.questions[0]!
    expect(ask(await auditRecord(again, store), question('error'))).toEqual(last)
    const { plan: ___, ...recall } = ask(await auditRecord(again, store), question('recall', { positive: 'yes' }))
    expect(recall).not.toHaveProperty('learned')
  })

  it('is verified by counting anew, also when answers of learning were revised during it; what was touched is found', async () => {
    const { store, model } = await audited()
    const facts = await store.rounds()
    for (const { id } of facts[8]!.draws.slice(0, 5))
      await store.revise(8, id, facts[8]!.answers.get(id) === 'yes' ? 'no' : 'yes')
    await Array.fromAsync(audit({ ...plan, budget: 80, subject: modelSubject(engine(), model), store }))
    const subject = () => modelSubject(engine(), model)
    const record = await store.rounds()
    const { rounds, revisions, after } = certifiedRounds(subject(), record)
    expect(revisions).toHaveLength(5)
    const strata = await strataAsked(subject(), store)
    const asked = askAll(await auditRecord(subject(), store), plan.questions)
    const content = { questions: asked, answers: 80, unknown: 0, goal: { budget: 80 }, reached: false, columns: {}, after }
    const certificate = certificateOf({
      ...content,
      ...{ pool: { size: strata.points, hash: '' }, model: model.id, classes, seed: 7, seedChosen: true },
      learned: strata.learned!.certified,
      ...{ rounds, revisions, versions: { alis: '' } },
    })
    const before = { rounds: async () => record.slice(0, after), model: (id: string) => store.model(id) }
    const faultIn = async (touched: object = {}, learning = before) => {
      const own = subject()
      await own.pool.take(record.slice(0, after).flatMap(({ draws }) => draws.map(({ id }) => id)))
      return firstFault(own, { ...JSON.parse(certificateText(certificate)), ...touched }, learning)
    }
    expect(await faultIn()).toBeUndefined()
    const { learned: kept } = certificate
    const [first, ...rest] = kept!.rounds
    expect(await faultIn({ learned: { ...kept, rounds: rest } })).toMatch(/^learned\.rounds/)
    expect(await faultIn({ learned: { ...kept, rounds: [{ ...first, mostErrors: 0 }, ...rest] } })).toMatch(
      /^learned\.rounds\.0\.mostErrors/,
    )
    expect(await faultIn({ learned: undefined })).toMatch(/^(learned|revisions)/)
    const rules = rounds[0]!.rules.learned!
    const fewer = { ...rules.evidence!, rounds: rules.evidence!.rounds.map((each) => ({ ...each, differing: 0 })) }
    const forged = [{ ...rounds[0]!, rules: { ...rounds[0]!.rules, learned: { ...rules, evidence: fewer } } }, ...rounds.slice(1)]
    expect(await faultIn({ rounds: forged })).toMatch(/^rounds\.0\.rules\.learned\.evidence\.rounds\.\d+\.differing/)
    const dropped = { ...before, rounds: async () => record.slice(0, after).filter(({ round }) => round !== 7) }
    expect(await faultIn({}, dropped)).toMatch(/^rounds\.0\.rules/)
    const told = record
      .slice(0, after)
      .map((each) => (each.round === 9 ? { ...each, answers: new Map([...each.answers].map(([id]) => [id, 'yes'])) } : each))
    expect(await faultIn({}, { ...before, rounds: async () => told })).toBeDefined()
  }, 60_000)

  it('of a pool that has grown since starts from it for the pool as it was, and from nothing for the pool as it is', async () => {
    const { store, model } = await audited()
    const more = Array.from({ length: 40 }, (_, k) => `new ${k}`)
    const larger = () =>
      memoryEngine({
        ids: [...ids, ...more],
        features: dense(Float32Array.from([...values, ...values.slice(0, 40 * columns)]), columns),
      })
    await store.grow(size + 40)
    const grown = grownSubject(modelSubject(larger(), model), [ids, more])
    const strata = await strataAsked(grown, store)
    expect(startWealthOf(question('error', { poolSize: size }), strata)).toBeDefined()
    expect(startWealthOf(question('error', { poolSize: size + 40 }), strata)).toBeUndefined()
    const record = (await store.rounds()).slice(0, 10)
    const counted = await grown.learned!({ rounds: record, model: (id) => store.model(id), poolSize: size })
    expect(counted!.rules).toEqual(strata.learned!.rules) // points that came later are not counted
  })
})

it('starts a question about all errors at ω + (1 − ω) W₀ of the next whole number that a value stands for', async () => {
  const { store, model } = await learned()
  const found = await look(store, model)
  const strata = { ...(await strataAsked(modelSubject(engine(), model), store)), learned: found }
  const start = (metric: 'error' | 'accuracy') => startWealthOf(question(metric), strata)!
  const owned = (side: 'upper' | 'lower', errors: number) => keptBack + (1 - keptBack) * Math.exp(found.logWealth(side, errors))
  const n = found.points
  for (const errors of [0, 7, 33]) {
    expect(start('error')(errors / n, 1)).toBe(owned('lower', errors))
    expect(start('error')(errors / n, -1)).toBe(owned('upper', errors))
    expect(start('error')((errors + 0.5) / n, 1)).toBe(owned('lower', errors)) // at most as many errors
    expect(start('error')((errors + 0.5) / n, -1)).toBe(owned('upper', errors + 1)) // at least
    expect(start('accuracy')(1 - errors / n, -1)).toBe(owned('lower', errors))
    expect(start('accuracy')(1 - errors / n, 1)).toBe(owned('upper', errors))
  }
  expect(startWealthOf(question('recall', { positive: 'yes' }), strata)).toBeUndefined()
  expect(startWealthOf(question('error', { slice: { column: 'a', value: 'b' } }), strata)).toBeUndefined()
  const { evidence: __, ...rules } = found.rules
  const without: Learned = { ...found, rules }
  expect(startWealthOf(question('error'), { ...strata, learned: without })).toBeUndefined()
})
