import { describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { type ColumnModel, linearModel } from '../core/model.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { DrawnPoints, mayDiffer } from './drawn-points.ts'

const classes = ['no', 'yes', 'c', 'd', 'e']
const columns = (id: string) => ({ kind: 'columns', id, classes }) as unknown as ColumnModel
const linear = (weight: number) =>
  linearModel({ classes: classes.slice(0, 2), loss: 'logistic', weights: [[weight]], intercepts: [0] })

/** Points drawn by a model, with the score of each, and the answers so far. */
function round(
  scores: Readonly<Record<string, number>>,
  told: Readonly<Record<string, Label>>,
  changes: Partial<RoundFacts> = {},
) {
  const draws = Object.entries(scores).map(([id, score]) => ({ id, scores: [score] }))
  const { model = 'm', isClosed = true } = changes
  return { draws, model, isClosed, answers: new Map(Object.entries(told)) } as unknown as RoundFacts
}

function pointsOf(...rounds: readonly RoundFacts[]): DrawnPoints {
  const points = new DrawnPoints(async (ids) => {
    expect(ids).not.toEqual([]) // the store is not asked about no points
    const values = ids.map((id) => Number(id.slice(1)) - 3)
    return dense(Float32Array.from(values), 1)
  })
  read(points, ...rounds)
  return points
}

/** Has a record read, whose rounds are numbered. */
function read(points: DrawnPoints, ...rounds: readonly RoundFacts[]): void {
  const numbered = rounds.map((facts, number) => ({ ...facts, round: number, revisions: facts.revisions ?? [] }))
  points.read(numbered, classes)
}

describe('points on record', () => {
  const first = round({ p0: 1, p1: -1 }, { p0: 'yes', p1: null })
  const again = round({ p1: 2, p2: 1, p2b: -1 }, { p1: 'no', p2: 'no' }, { isClosed: false, model: 'n' })

  it('are there once each, in the order in which they were drawn', () => {
    const points = pointsOf(first, again)
    expect([points.size, points.startOf(0), points.startOf(1)]).toEqual([4, 0, 2])
    expect([0, 1, 2, 3].map((at) => points.idAt(at))).toEqual(['p0', 'p1', 'p2', 'p2b'])
    expect(['p2b', 'p1'].map((id) => points.positionOf(id))).toEqual([3, 1])
    expect([points.has('p2'), points.has('p9')]).toEqual([true, false])
  })

  it('are read on where more rounds have come, with answers as they stand', () => {
    const points = pointsOf(first)
    expect(points.waiting()).toEqual([])
    read(points, first, again)
    expect([points.size, points.startOf(1), points.waiting()]).toEqual([4, 2, [3]])
    read(points, first, { ...again, isClosed: true })
    expect(points.waiting()).toEqual([])
    read(points, first, again, round({}, {})) // nothing more is asked of a round before the last
    expect(points.waiting()).toEqual([])
  })

  it('have the answers that stand, whichever round is revised', () => {
    const points = pointsOf(first, { ...again, isClosed: true })
    const errors = () => points.errorsOf({ from: 0, classes: [1, 0, 0, 0] }, 3).mostErrors
    expect(errors()).toBe(0)
    const revised = { ...first, answers: new Map([['p0', 'no']]), revisions: [{ id: 'p0', from: 'yes', to: 'no', opened: 2 }] }
    read(points, revised, { ...again, isClosed: true })
    expect(errors()).toBe(1)
    read(points, revised, { ...again, isClosed: true, answers: new Map([['p2', 'yes']]), revisions: revised.revisions })
    expect(errors()).toBe(2)
  })

  it('have the scores of the model that drew them, where scores are columns', async () => {
    const points = pointsOf(first, again)
    expect([0, 1, 2].map((at) => points.scoresAt(columns('m'), at))).toEqual([[1], [-1], undefined])
    expect([1, 2].map((at) => points.scoresAt(columns('n'), at))).toEqual([undefined, [1]])
    const row = { from: 1, classes: [] }
    await points.extend(row, columns('n'))
    expect(row.classes).toEqual([-4, 1, 0]) // of the first nothing is known
  })

  it('have classes by their features, of points that are new as soon as they are asked for', async () => {
    const points = pointsOf(round({ p0: 0, p9: 0 }, {}))
    const row = { from: 0, classes: [] }
    await points.extend(row, linear(1))
    expect(row.classes).toEqual([0, 1]) // p0 has the feature −3, p9 has 6
    read(points, round({ p0: 0, p9: 0 }, {}), round({ p1: 0, p8: 0 }, {}))
    await points.extend(row, linear(1))
    expect(row.classes).toEqual([0, 1, 0, 1])
    expect(Array.from(points.scoresAt(linear(2), 3)!)).toEqual([10])
    const late = { from: 4, classes: [] }
    await points.extend(late, linear(1))
    expect(late.classes).toEqual([])
  })
})

describe('errors that answers have found', () => {
  it('are counted with "cannot tell" as one and as none; what nothing is known of is gone', () => {
    const closed = round({ a: 0, b: 0, c: 0, d: 0 }, { a: 'yes', b: 'no', c: null })
    const open = round({ e: 0, f: 0, g: 0 }, { e: 'yes', f: 'no' }, { isClosed: false })
    const points = pointsOf(closed, open)
    const found = (own: readonly number[], to: number, from = 0) => points.errorsOf({ from, classes: [...own] }, to)
    expect(found([0, 0, 0, 0, 1, 1, 1], 7)).toEqual({ mostErrors: 3, leastErrors: 2, gone: 1 }) // a and f are wrong, c open, d gone
    expect(found([0, 0, 0, 0, 1, 1, 1], 2)).toEqual({ mostErrors: 1, leastErrors: 1, gone: 0 })
    expect(found([1, 1, 1], 7, 4)).toEqual({ mostErrors: 1, leastErrors: 1, gone: 0 }) // g may still be told
    const others = pointsOf(round({ a: 0, b: 0, c: 0 }, { a: 'c', b: 'd', c: 'e' }, { isClosed: false }))
    expect(others.errorsOf({ from: 0, classes: [2, 3, 3] }, 3)).toEqual({ mostErrors: 1, leastErrors: 1, gone: 0 })
    expect(others.waiting()).toEqual([])
    expect(found([-4, -4, -4, -4], 4)).toEqual({ mostErrors: 1, leastErrors: 0, gone: 3 })
  })
})

it('two models may differ at a point where one gives another class, or it is not known', () => {
  const [a, b] = [
    { from: 1, classes: [0, 1, -4] },
    { from: 0, classes: [9, 0, 0, -4] },
  ]
  expect([1, 2, 3].map((at) => mayDiffer(a, b, at))).toEqual([false, true, true])
})
