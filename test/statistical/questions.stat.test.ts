import { describe, expect, it } from 'vitest'
import { gradedPool, recordIn } from '../../bench/questions/coverage-run.ts'
import { type HardPoint, hardPool } from '../../bench/questions/hard-pools.ts'
import { type PosedQuestion, posed, posedOfGrades, rangeOf, trueValue } from '../../bench/questions/posed-questions.ts'
import { simulateAudit } from '../../bench/questions/simulated-audit.ts'
import { exactly, type Truth, Watch, watchRecord } from '../../bench/questions/watch.ts'
import { audit } from '../../src/audit.ts'
import { dense } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { importLabels } from '../../src/import-labels.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import type { AuditRecord, Goal } from '../../src/questions/record.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { testFrame, testPool } from '../../test/questions/test-pool.ts'
import { faultyOf } from './misses.ts'
import { blindMisses, refittedMisses, vanishingMasses } from './question-twins.ts'
import { firstSeed } from './seeds.ts'

const named = (...names: string[]) => names.map((name) => posed.find((each) => each.name === name)!)
const namesOf = (questions: readonly PosedQuestion[]) => questions.map(({ name }) => name)
const specsOf = (questions: readonly PosedQuestion[]) => questions.map(({ spec }) => spec)

const truthsOf = (questions: readonly PosedQuestion[], points: readonly HardPoint[]) =>
  questions.map((each) => exactly(trueValue(each, points)))

/** Which questions a record misses at any time. Whatever is wrong for certain ends the test. */
function missesOf(record: AuditRecord, questions: readonly PosedQuestion[], truths: readonly Truth[]): boolean[] {
  const watch = new Watch(truths)
  watchRecord(record, specsOf(questions), watch)
  expect(watch.faults).toEqual([])
  return watch.missed
}

type Pool = ReturnType<typeof poolOf>

function poolOf(place: number, seed: number) {
  const points = hardPool(place, seed)
  return { ...testPool(points), points }
}

interface AuditParts {
  /** One of these pools, in turn. */
  readonly pools: readonly number[]
  readonly parts: readonly { readonly goal: Goal; readonly questions: readonly PosedQuestion[] }[]
  /** What happens between two parts. */
  readonly between?: (store: Store, pool: Pool) => Promise<void>
  readonly answersOf?: (pool: Pool) => Pick<ReadonlyMap<string, Label>, 'get'>
  /** Of the last part's questions; what is true of all points, if left out. */
  readonly truthsIn?: (pool: Pool) => readonly Truth[]
}

/** The k-th audit, and which of the last part's questions it misses at the end of some round: limits never get wider, but for contradictions. */
async function audited(k: number, { pools, parts, between, answersOf = ({ truth }) => truth, truthsIn }: AuditParts) {
  const seed = firstSeed + k
  const pool = poolOf(pools[k % pools.length]!, seed)
  const store = memoryStore()
  const last = parts.at(-1)!.questions
  const watch = new Watch(truthsIn?.(pool) ?? truthsOf(last, pool.points))
  for (const [at, { goal, questions }] of parts.entries()) {
    if (at > 0) await between?.(store, pool)
    const plan = { subject: pool.subject(), store, oracle: columnOracle(answersOf(pool)), questions: specsOf(questions), seed }
    for await (const round of audit({ ...plan, batch: 10 + 15 * (k % 2), ...goal }))
      if (questions === last) watch.look(round.questions)
  }
  expect(watch.faults).toEqual([])
  return { ...pool, store, missed: watch.missed }
}

/** Revises all answers to what is true. */
async function putRight(store: Store, truth: ReadonlyMap<string, Label>): Promise<void> {
  for (const { round, answers } of await store.rounds())
    for (const [id, label] of answers) if (label !== truth.get(id)) await store.revise(round, id, truth.get(id)!)
}

describe('intervals of an audit hold the truth at all times, as often as they say', () => {
  it('where positives are few and mostly missed', async () => {
    const questions = named('recall', 'F1', 'kappa')
    const goals: Goal[] = [{ budget: 70 }, { tolerance: 0.15, budget: 80 }]
    const faulty = await faultyOf(namesOf(questions), async (k) => {
      const { missed } = await audited(k, { pools: [0, 2, 4], parts: [{ goal: goals[k % 2]!, questions }] })
      return missed
    })
    expect(faulty).toEqual([])
  })

  it('where a third of the answers were first given wrong, and put right later', async () => {
    const questions = named('error', 'recall', 'kappa')
    const flipped = (label: Label) => (label === 'yes' ? 'no' : 'yes')
    const faulty = await faultyOf(namesOf(questions), async (k) => {
      const isSlip = (id: string) => uniform(firstSeed + k, 'slip', id) < 0.3
      const answersOf = ({ truth }: Pool) => ({ get: (id: string) => (isSlip(id) ? flipped(truth.get(id)!) : truth.get(id)) })
      const parts = [{ goal: { budget: 70 }, questions }]
      const { store, subject, truth, points } = await audited(k, { pools: [0, 6, 7], parts, answersOf })
      await putRight(store, truth)
      return missesOf(await recordIn(subject(), store), questions, truthsOf(questions, points))
    })
    expect(faulty).toEqual([])
  })

  it('where a question comes late, after rounds that could not draw some of its points', async () => {
    const late = named('recall', 'F1', 'TNR')
    const parts = [
      { goal: { budget: 30 }, questions: named('precision') },
      { goal: { budget: 80 }, questions: late },
    ]
    const faulty = await faultyOf(namesOf(late), async (k) => (await audited(k, { pools: [0, 6], parts })).missed)
    expect(faulty).toEqual([])
  })

  it('where labels are given between rounds, all of points that are predicted wrongly', async () => {
    const questions = named('error', 'recall', 'precision')
    const parts = [20, 40, 70]
      .map((budget) => ({ goal: { budget }, questions: [...questions] }))
      .with(2, { goal: { budget: 70 }, questions })
    const faulty = await faultyOf(namesOf(questions), async (k) => {
      const between = async (store: Store, { ids, points, truth }: Pool) => {
        const isGiven = (id: string) => uniform(firstSeed + k, 'given', id) < 0.2
        const wrong = ids.filter((id, i) => points[i]!.predicted !== points[i]!.truth && isGiven(id))
        const engine = memoryEngine({ ids, features: dense(new Float32Array(ids.length), 1) })
        const labels = new Map(wrong.map((id) => [id, truth.get(id)!]))
        await importLabels({ engine, store, classes: testFrame.classes, seed: firstSeed + k, labels })
      }
      return (await audited(k, { pools: [6, 7], parts, between })).missed
    })
    expect(faulty).toEqual([])
  })

  it('where some cannot be told: whatever their answers would have been', async () => {
    const questions = named('error', 'recall', 'prevalence')
    const parts = [{ goal: { budget: 70 }, questions }]
    const faulty = await faultyOf(namesOf(questions), async (k) => {
      const isUnknown = (id: string) => uniform(firstSeed + k, 'unknown', id) < 0.05
      const answersOf = ({ truth }: Pool) => ({ get: (id: string) => (isUnknown(id) ? null : truth.get(id)) })
      const truthsIn = ({ points, ids }: Pool) => questions.map((each) => rangeOf(each, points, (i) => isUnknown(ids[i]!)))
      return (await audited(k, { pools: [6, 7], parts, answersOf, truthsIn })).missed
    })
    expect(faulty).toEqual([])
  })

  it('where answers are grades, and fractions of them', async () => {
    const faulty = await faultyOf(namesOf(posedOfGrades), async (k) => {
      const points = hardPool(5, firstSeed + k)
      const { subject, truth } = gradedPool(points)
      const plan = { subject: subject(), truth, questions: specsOf(posedOfGrades), seed: firstSeed + k, batch: 5, answers: 30 }
      return missesOf(await simulateAudit({ ...plan, goal: () => ({}) }), posedOfGrades, truthsOf(posedOfGrades, points))
    })
    expect(faulty).toEqual([])
  })

  it('where the goal changes every ten answers', async () => {
    const questions = named('error', 'recall', 'F1')
    const goals: Goal[] = [{}, { tolerance: 0.02 }, { tolerance: 0.1 }, { tolerance: 0.3 }, { budget: 60 }, { budget: 400 }]
    const faulty = await faultyOf(namesOf(questions), async (k) => {
      const seed = firstSeed + k
      const { points, subject, truth } = poolOf([6, 7][k % 2]!, seed)
      const goal = (answers: number) => goals[Math.floor(goals.length * uniform(seed, 'goal', `${answers}`)) % goals.length]!
      const plan = { subject: subject(), truth, questions: specsOf(questions), goal, seed, batch: 10, answers: 70 }
      return missesOf(await simulateAudit(plan), questions, truthsOf(questions, points))
    })
    expect(faulty).toEqual([])
  })
})

describe('and broken ones are found out', () => {
  it('masses that vanish where an estimate says so, in rounds that are not checked for it', async () => {
    const questions = named('recall', 'error', 'TNR')
    const faulty = await faultyOf(namesOf(questions), async (k) => {
      const seed = firstSeed + k
      const { points, subject, truth } = poolOf([0, 2][k % 2]!, seed)
      const plan = {
        subject: subject(),
        truth,
        questions: specsOf(named('recall')),
        goal: () => ({ budget: 150 }),
        seed,
        batch: 10,
      }
      const made = await simulateAudit({ ...plan, answers: 200, rules: vanishingMasses })
      return blindMisses(made, specsOf(questions), truthsOf(questions, points))
    })
    expect(faulty).toEqual(namesOf(questions))
  })

  it('masses and beliefs that are made anew from answers put right since', async () => {
    const [recall, f1] = named('recall', 'F1')
    const points = Array.from({ length: 1000 }, (_, i): HardPoint => {
      const predicted = i < 500 ? 1 : 0
      return { predicted, truth: i < 400 || (i >= 500 && i < 750) ? 1 : 0, chance: 0.2, other: 0, slice: 0, grade: 0 }
    })
    const { ids, subject, truth } = testPool(points)
    const agreeing = new Map(ids.map((id, i) => [id, testFrame.classes[points[i]!.predicted]!])) // as the model has it
    const truths = truthsOf([f1!], points)
    const records: AuditRecord[] = []
    const recordOf = async (k: number) => {
      const store = memoryStore()
      const plan = {
        subject: subject(),
        store,
        oracle: columnOracle(agreeing),
        questions: specsOf([recall!]),
        batch: 25,
        budget: 300,
      }
      for await (const _ of audit({ ...plan, seed: firstSeed + k }));
      await putRight(store, truth)
      records.push(await recordIn(subject(), store))
      return records[k]!
    }
    const kept = await faultyOf(['F1'], async (k) => missesOf(await recordOf(k), [f1!], truths))
    const refitted = await faultyOf(['F1'], async (k) => refittedMisses(records[k] ?? (await recordOf(k)), [f1!.spec], truths))
    expect([kept, refitted]).toEqual([[], ['F1']])
  })
})
