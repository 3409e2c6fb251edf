import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../test/command.ts'
import type { RoundFacts } from '../../core/record.ts'
import { learnerFor } from '../../learners/catalogue.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { GivenAnswer } from '../../stores/project.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { lureWeights } from '../../weights/lure.ts'
import { roundWeights } from '../../weights/rounds.ts'
import { loadData } from '../pools/memory.ts'
import type { PoolData } from '../pools/pool-data.ts'
import { runLoop } from '../run-loop.ts'
import { labelCells, labelRows } from './labels.ts'

const classes = ['not 3', '3']
const points = 1797
let data: PoolData
beforeAll(async () => {
  data = await loadData(join(root, 'data/digits.csv'), { label: 'digit', positive: '3' }, 11)
  return () => data.close()
})

/** Three rounds of ten after one of twenty, as they are on record. */
async function roundsUnder(strategy: keyof typeof strategies): Promise<readonly RoundFacts[]> {
  const store = memoryStore()
  const learner = learnerFor('logistic', 2, 1)
  const plan = { strategy: strategies[strategy], learner, start: 20, batch: 10, rounds: 3, delta: 0.05, seed: 11 }
  for await (const _ of runLoop(data, { ...plan, seedChosen: true }, { store }));
  return store.rounds()
}

const time = '2026-01-01T00:00:00Z'
const answersTo = (rounds: readonly RoundFacts[]): GivenAnswer[] =>
  rounds.flatMap(({ round, answers }) =>
    [...answers].map(([id, label]) => ({ round, id, label, kind: 'answer', annotator: 'column', time }) as const),
  )

const toMeanOne = (weights: Iterable<number>) => {
  const all = [...weights]
  const total = all.reduce((a, b) => a + b, 0)
  return all.map((weight) => (weight * all.length) / total)
}
const expectWeights = (rows: readonly { weight: number | null }[], weights: readonly number[]) => {
  expect(rows.length).toBe(weights.length)
  for (const [k, { weight }] of rows.entries()) expect(weight).toBeCloseTo(weights[k]!, 12)
}

describe('weights of exported labels', () => {
  it('are those of LURE where every draw leaves the pool', async () => {
    const rounds = await roundsUnder('alis')
    const rows = labelRows(rounds, answersTo(rounds), classes)
    const probabilities = rounds.flatMap(({ draws }) => draws.map(({ probability }) => probability))
    expect(rows.map(({ probability }) => probability)).toEqual(probabilities)
    expectWeights(rows, toMeanOne(lureWeights(probabilities, points)))
  })

  it('are those of the last round alone where draws are with replacement', async () => {
    const rounds = await roundsUnder('paper-replacement')
    const rows = labelRows(rounds, answersTo(rounds), classes)
    const last = rows.filter(({ round }) => round === 3)
    expect(last.length).toBe(10)
    expectWeights(last, toMeanOne(last.map(({ probability }) => 1 / probability)))
    for (const { weight } of rows.filter(({ round }) => round !== 3)) expect(weight).toBe(null)
  })

  it('are those of pooled rounds where draws are independent', async () => {
    const rounds = await roundsUnder('paper')
    const rows = labelRows(rounds, answersTo(rounds), classes)
    let index = 0
    const records = rounds.map(({ survey, size, design, draws }) => ({
      points: survey.points,
      expected: size,
      draws: draws.map(({ probability }) => ({
        index: index++,
        probability: design === 'successive' ? size / survey.points : probability,
      })),
    }))
    expectWeights(rows, toMeanOne(roundWeights(records, points).values()))
  })

  it('are 1 for points that were chosen, not drawn', async () => {
    const rounds = await roundsUnder('uncertainty')
    expectWeights(labelRows(rounds, answersTo(rounds), classes), new Array(50).fill(1))
  })

  it('are those of a round that ended with its last answer, where it is still open', async () => {
    const whole = await roundsUnder('alis')
    const last = whole.at(-1)!
    const open = [...whole.slice(0, -1), { ...last, isClosed: false }]
    const given = answersTo(whole).slice(0, -4)
    const rows = labelRows(open, given, classes)
    const probabilities = whole.flatMap(({ draws }) => draws.map(({ probability }) => probability)).slice(0, -4)
    expectWeights(rows, toMeanOne(lureWeights(probabilities, points)))
  })
})

describe('answers of exported labels', () => {
  it('are the last that were given, none where they were taken back, and without weight for "cannot tell"', async () => {
    const rounds = await roundsUnder('alis')
    const [first, second, third] = rounds[1]!.draws.map(({ id }) => id) as [string, string, string]
    const again = (id: string, change: Partial<GivenAnswer>): GivenAnswer =>
      ({ round: 1, id, label: '3', kind: 'revision', annotator: 'Ada', time, ...change }) as GivenAnswer
    const changes = [again(first, {}), again(second, { label: null, kind: 'retraction' }), again(third, { label: null })]
    const rows = labelRows(rounds, [...answersTo(rounds), ...changes], classes)
    const byId = new Map(rows.map((row) => [row.id, row]))
    expect(byId.get(first)).toMatchObject({ label: '3', annotator: 'Ada', round: 1, order: 1 })
    expect(byId.has(second)).toBe(false)
    expect(byId.get(third)).toMatchObject({ label: null, weight: null })
    expect(labelCells(byId.get(first)!)).toEqual([first, '3', 1, 1, expect.any(Number), expect.any(Number), 'Ada', time])
  })
})
