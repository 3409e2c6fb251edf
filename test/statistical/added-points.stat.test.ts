import { describe, expect, it } from 'vitest'
import { posed, trueValue } from '../../bench/questions/posed-questions.ts'
import { exactly, Watch, watchRecord } from '../../bench/questions/watch.ts'
import { audit } from '../../src/audit.ts'
import { uniform } from '../../src/core/randomness.ts'
import { grownSubject } from '../../src/engines/grown-subject.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { auditRecord } from '../../src/questions/audit-rounds.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { testPool } from '../questions/test-pool.ts'
import { faultyOf } from './misses.ts'
import { blindMisses } from './question-twins.ts'
import { firstSeed } from './seeds.ts'

const questions = ['error', 'recall', 'kappa', 'slice'].map((name) => posed.find((each) => each.name === name)!)

/** A pool of few errors, and points that join it: all of them are predicted wrongly, and the model is sure of them. */
function pointsOf(seed: number, first: number, added: number) {
  return Array.from({ length: first + added }, (_, i) => {
    const u = (name: string) => uniform(seed, `added/${name}`, `${i}`)
    const predicted = u('predicted') < 0.3 ? 1 : 0
    const isWrong = i >= first || u('wrong') < 0.08
    const truth = isWrong ? 1 - predicted : predicted
    return { predicted, other: predicted, chance: i >= first ? 0.01 : 0.02 + 0.2 * u('chance'), truth, slice: i % 2, grade: 0 }
  })
}

/** An audit to which points are added between its rounds: its record, and what is true of the first pool and of the whole. */
async function grownAudit(k: number) {
  const seed = firstSeed + k
  const [first, added] = [[20, 60, 120][k % 3]!, [5, 40][k % 2]!]
  const points = pointsOf(seed, first, added)
  const { ids, truth } = testPool(points)
  const whole = () => grownSubject(testPool(points).subject(), [ids.slice(0, first), ids.slice(first)])
  const store = memoryStore()
  const plan = { store, oracle: columnOracle(truth), questions: questions.map(({ spec }) => spec), seed, batch: 10 }
  await Array.fromAsync(audit({ ...plan, subject: testPool(points.slice(0, first)).subject(), budget: Math.ceil(first / 2) }))
  await store.grow(points.length)
  await Array.fromAsync(audit({ ...plan, subject: whole(), budget: Math.ceil(points.length / 3) }))
  const record = await auditRecord(whole(), store)
  const about = (poolSize: number) =>
    questions.map((each) => ({
      name: `${each.name}, ${poolSize === first ? 'first pool' : 'whole'}`,
      spec: { ...each.spec, poolSize },
      truth: exactly(trueValue(each, points.slice(0, poolSize))),
    }))
  return { record, asked: [...about(first), ...about(points.length)] }
}

const audits: ReturnType<typeof grownAudit>[] = []
/** The k-th audit, made once for claim and twin. */
const auditOf = (k: number) => (audits[k] ??= grownAudit(k))

const names = ['first pool', 'whole'].flatMap((pool) => questions.map(({ name }) => `${name}, ${pool}`))

describe('where points are added in mid-audit, all of them errors', () => {
  it('intervals about the first pool and about the whole hold the truth at all times, as often as they say', async () => {
    const faulty = await faultyOf(names, async (k) => {
      const { record, asked } = await auditOf(k)
      const watch = new Watch(asked.map(({ truth }) => truth))
      watchRecord(
        record,
        asked.map(({ spec }) => spec),
        watch,
      )
      expect(watch.faults).toEqual([])
      return watch.missed
    })
    expect(faulty).toEqual([])
  })

  it('would be missed by a question about the whole that kept what it had won before: broken twin', async () => {
    const faulty = await faultyOf(names, async (k) => {
      const { record, asked } = await auditOf(k)
      return blindMisses(
        record,
        asked.map(({ spec }) => spec),
        asked.map(({ truth }) => truth),
      )
    })
    expect(faulty).toEqual(expect.arrayContaining(['error, whole', 'kappa, whole']))
    expect(faulty.every((name) => name.endsWith('whole'))).toBe(true)
  })
})
