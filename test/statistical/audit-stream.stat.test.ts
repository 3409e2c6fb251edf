import { describe, expect, it } from 'vitest'
import { AuditStream } from '../../src/certificates/audit-stream.ts'
import { dense } from '../../src/core/features.ts'
import { scorerOf } from '../../src/core/model.ts'
import { sigmoid } from '../../src/core/numbers.ts'
import { hashIds, uniform, uniformsOf } from '../../src/core/randomness.ts'
import { inclusionProbabilities } from '../../src/designs/inclusion.ts'
import { successive } from '../../src/designs/successive.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { withFloor } from '../../src/masses/with-floor.ts'
import { firstSeed, summary, Z } from './seeds.ts'

const columns = 6 // one of use
const learner = logisticLearner({ l2: 0.1 }) // hardly held back, so its predicted losses are far too small
const rounds = 3

interface Setting {
  readonly size: number
  /** Answers expected of the audit, by round: fewer each time, and those who came earlier stay. */
  readonly expected: readonly [number, number, number]
  readonly runs: number
}
const small: Setting = { size: 160, expected: [40, 30, 20], runs: 2000 }
const large: Setting = { size: 1000, expected: [250, 200, 150], runs: 150 }

/** What a model of one round is told, rightly or wrongly. */
interface Told {
  /** Estimate minus truth, with Π and with the last π in its place. */
  readonly error: number
  readonly forgetful: number
  readonly isMissed: boolean
}

describe('the audit of a model that learns on', () => {
  it('is unbiased in every round; with the chances of the last round alone it is not', async () => {
    const all = await replay(small, 'apart')
    for (let t = 0; t < rounds; t++) {
      const { mean, standardError } = summary(all.map((run) => run[t]!.error))
      expect(Math.abs(mean)).toBeLessThan(Z * standardError)
    }
    for (let t = 1; t < rounds; t++) {
      const { mean, standardError } = summary(all.map((run) => run[t]!.forgetful))
      expect(Math.abs(mean)).toBeGreaterThan(Z * standardError)
    }
  })

  it('looks too good where the model has learned from the audit', async () => {
    const all = await replay({ ...small, runs: 200 }, 'leaked')
    for (let t = 1; t < rounds; t++) {
      const { mean, standardError } = summary(all.map((run) => run[t]!.error))
      expect(mean).toBeLessThan(-Z * standardError)
    }
  })

  it('is right in all rounds together as often as it says, and not where the model has learned from it', async () => {
    const most = 0.05 + Z * Math.sqrt((0.05 * 0.95) / large.runs) // no test from below: bets may waste, and at one look they do
    expect(missed(await replay(large, 'apart'))).toBeLessThan(most)
    expect(missed(await replay(large, 'leaked'))).toBeGreaterThan(most)
  })
})

/** Share of runs with a wrong interval in any round. */
function missed(all: readonly Told[][]): number {
  return all.filter((run) => run.some(({ isMissed }) => isMissed)).length / all.length
}

async function replay(setting: Setting, answers: 'apart' | 'leaked'): Promise<Told[][]> {
  const pool = poolOf(setting.size)
  const all: Told[][] = []
  for (let k = 0; k < setting.runs; k++) all.push(await learnAndAudit(pool, setting, firstSeed + k, answers))
  return all
}

/** A learning run of three models, and its audit. */
async function learnAndAudit(
  pool: Pool,
  { size, expected }: Setting,
  seed: number,
  answers: 'apart' | 'leaked',
): Promise<Told[]> {
  const stream = new AuditStream({ seed, ids: pool.ids })
  const trained = new Set<number>()
  const train = (masses: Float64Array, name: string) => {
    const open = masses.map((mass, i) => (trained.has(i) ? 0 : mass))
    for (const { index } of successive.draw(open, 10, uniformsOf({ seed, name }, pool.hashes))) trained.add(index)
  }

  train(new Float64Array(size).fill(1), 'learn/0')
  const told: Told[] = []
  for (let t = 1; t <= rounds; t++) {
    const leaked = answers === 'leaked' ? stream.audited().map(({ id }) => pool.rowOf.get(id)!) : []
    const { predictedLosses, losses } = await modelOf(pool, new Set([...trained, ...leaked]))
    const masses = withFloor(predictedLosses.map(Math.sqrt), 0.3)
    const inclusion = inclusionProbabilities(masses, expected[t - 1]!)
    stream.offer({ trained: [...trained].map((i) => pool.ids[i]!), inclusion, predictedLosses })

    const { unbiased, low, high } = stream.estimate(new Map(pool.ids.map((id, i) => [id, losses[i]!])))
    const left = [...pool.ids.keys()].filter((i) => !trained.has(i))
    const mean = (column: Float64Array) => left.reduce((sum, i) => sum + column[i]!, 0) / left.length
    const truth = mean(losses)
    const residuals = stream.audited().reduce((sum, { id, predictedLoss }) => {
      const i = pool.rowOf.get(id)!
      return sum + (losses[i]! - predictedLoss) / inclusion[i]!
    }, 0)
    told.push({
      error: unbiased - truth,
      forgetful: mean(predictedLosses) + residuals / left.length - truth,
      isMissed: truth < low || truth > high,
    })
    train(masses, `learn/${t}`)
  }
  return told
}

type Pool = ReturnType<typeof poolOf>

function poolOf(size: number) {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(5, 'feature', `${k}`) - 1)
  return {
    ids,
    rowOf: new Map(ids.map((id, i) => [id, i])),
    hashes: hashIds(ids),
    features: dense(values, columns),
    labels: ids.map((id, i) => (values[i * columns]! + 1.5 * (uniform(5, 'noise', id) - 0.5) > 0.2 ? 1 : 0)),
  }
}

/** What a model makes of the pool. It is right about every answer it has been taught, as trees and neighbours are. */
async function modelOf({ ids, features, labels }: Pool, taught: ReadonlySet<number>) {
  const rows = [...taught].sort((a, b) => a - b)
  const training = { features: features.select(rows), labels: rows.map((i) => labels[i]!), weights: rows.map(() => 1) }
  const score = scorerOf(await learner.fit(training, ['no', 'yes']))
  const scores = new Float64Array(ids.length)
  for (const i of ids.keys()) score(features, i, scores, i)
  return {
    predictedLosses: scores.map((z) => sigmoid(-Math.abs(z))),
    losses: scores.map((z, i) => (taught.has(i) || (z >= 0 ? 1 : 0) === labels[i] ? 0 : 1)),
  }
}
