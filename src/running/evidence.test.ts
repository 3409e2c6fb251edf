import { describe, expect, it } from 'vitest'
import { expectedLossOf } from '../core/belief.ts'
import type { ColumnModel } from '../core/model.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { errorOf } from '../losses/error.ts'
import { logistic } from '../losses/logistic.ts'
import { DrawnPoints } from './drawn-points.ts'
import { evidenceOf, isEvidence, readRound } from './evidence.ts'

const classes = ['no', 'yes']
const model = { kind: 'columns', id: 'm', classes } as unknown as ColumnModel
const controls = { predictedLoss: 3, predictedVariance: 2, largestUp: 1.5, largestDown: 0.4 }

function learning(changes: object = {}): RoundFacts {
  const scores = { a: 2, b: -1, c: 0.5 }
  return {
    ...{ round: 0, stream: 'learn/1', design: 'successive', size: 3, model: 'm', isClosed: true, revisions: [] },
    survey: { points: 20, mass: 30, smallestMass: 0.5, controls: [controls] },
    draws: Object.entries(scores).map(([id, score], k) => ({ id, mass: k + 1, probability: 0.1 * (k + 1), scores: [score] })),
    answers: new Map<string, Label>([
      ['a', 'no'],
      ['b', null],
      ['c', 'yes'],
    ]),
    ...changes,
  } as unknown as RoundFacts
}

function read(facts: RoundFacts, isLearned = true) {
  const points = new DrawnPoints(() => expect.unreachable('columns are read off the record'))
  points.read([facts], classes)
  return { points, evidence: evidenceOf(facts, logistic, points, isLearned ? model : undefined) }
}

it('a round is evidence if it was drawn to learn from, at random, and every point could be drawn', () => {
  const survey = learning().survey
  expect(isEvidence(learning())).toBe(true)
  for (const design of ['multinomial', 'bernoulli']) expect(isEvidence(learning({ design }))).toBe(true)
  for (const other of [
    { stream: 'audit/1' },
    { stream: 'given/1' },
    { design: 'top' },
    { survey: { ...survey, smallestMass: 0 } },
    { survey: { ...survey, controls: [] } },
  ])
    expect(isEvidence(learning(other))).toBe(false)
})

describe('evidence', () => {
  it('has the totals of its survey, and what the model expected of each draw', () => {
    const { evidence } = read(learning())
    expect(evidence.totals).toEqual({
      ...{ design: 'successive', isLearned: true, points: 20, mass: 30, expected: 3 },
      ...controls,
    })
    expect(evidence.poolSize).toBe(20)
    expect(evidence.row).toEqual({ from: 0, classes: [] })
    expect(evidence.expected).toEqual([2, -1, 0.5].map((score) => expectedLossOf(errorOf(logistic), [score])))
  })

  it('has a pool of the points before it as well', () => {
    const points = new DrawnPoints(() => expect.unreachable('columns are read off the record'))
    const [before, after] = [learning(), learning({ round: 1, draws: [{ id: 'd', scores: [1] }], answers: new Map() })]
    points.read([before, after], classes)
    expect(evidenceOf(after, logistic, points, model)).toMatchObject({ poolSize: 23, row: { from: 3 } })
  })

  it('has the classes on record where there was no model yet', () => {
    const { evidence } = read(learning(), false)
    expect([evidence.row.classes, evidence.totals.isLearned]).toEqual([[1, 0, 1], false])
  })

  it('reaches as far as independent draws do: a mass of 1 is drawn with a tenth of the chance', () => {
    const { totals } = read(learning({ design: 'bernoulli' })).evidence
    expect(totals.largestUp).toBeCloseTo(1.5 / (3 / 30), 12)
    expect(totals.largestDown).toBeCloseTo(4, 12)
    const large = learning({ design: 'bernoulli', size: 50 }) // more than there are points
    expect(read(large).evidence.totals).toMatchObject({
      expected: 20,
      largestUp: expect.closeTo(1.5 / (20 / 30), 12),
      largestDown: 1,
    })
  })
})

describe('a round is read', () => {
  const lossesOf = async (facts: RoundFacts) => {
    const { evidence, points } = read(facts)
    await points.extend(evidence.row, model)
    return readRound(evidence, facts, points, classes)?.draws.map(({ loss, told }) => [loss, told])
  }
  const revisions = [
    { id: 'a', from: 'yes', to: null, opened: 3 },
    { id: 'a', from: null, to: 'no', opened: 4 },
  ]

  it('with an error where the answer is another class, and nothing where nobody can tell', async () => {
    const { evidence, points } = read(learning())
    await points.extend(evidence.row, model)
    const { draws, ...totals } = readRound(evidence, learning(), points, classes)!
    expect(totals).toEqual(evidence.totals)
    expect(draws[0]).toEqual({ loss: 1, told: 1, mass: 1, probability: 0.1, predictedLoss: evidence.expected[0] })
    expect(draws.map(({ loss }) => loss)).toEqual([1, null, 0])
  })

  it('up to the first draw without an answer, unless it is closed', async () => {
    const answers = new Map<string, Label>([
      ['a', 'yes'],
      ['c', 'yes'],
    ])
    expect(await lossesOf(learning({ answers, isClosed: false }))).toEqual([[0, 0]])
    expect(await lossesOf(learning({ answers }))).toEqual([
      [0, 0],
      [null, null],
      [0, 0],
    ])
    expect(await lossesOf(learning({ answers: new Map(), isClosed: false }))).toEqual([])
  })

  it('as a whole where its draws are independent', async () => {
    const open = (answers: ReadonlyMap<string, Label>) => learning({ design: 'bernoulli', isClosed: false, answers })
    expect(await lossesOf(open(new Map()))).toBeUndefined()
    expect(await lossesOf(open(new Map([['a', 'no']])))).toBeUndefined()
    expect(await lossesOf(open(learning().answers))).toHaveLength(3)
    expect(await lossesOf(learning({ design: 'bernoulli', answers: new Map() }))).toHaveLength(3)
  })

  it('with what was said first, beside what stands', async () => {
    expect(await lossesOf(learning({ revisions }))).toEqual([
      [1, 0],
      [null, null],
      [0, 0],
    ])
  })
})
