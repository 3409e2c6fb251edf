import { describe, expect, it } from 'vitest'
import type { OpenRound } from '../../protocol/rounds.ts'
import { type Action, currentOf, memoryOf, openedRound, type PageRound, roundAfter, unanswered, upcoming } from './round.ts'

const ids = ['a', 'b', 'c', 'd']
const open = (change: Partial<OpenRound> = {}): OpenRound => ({
  round: 5,
  number: 6,
  purpose: 'learn',
  before: 50,
  points: ids.map((id, i) => ({ id, order: i + 1, content: { id, fields: [] }, isElsewhere: false })),
  ...change,
})
const after = (round: PageRound, ...actions: Action[]) => actions.reduce(roundAfter, round)
const answer = (label: string | null = '7'): Action => ({ type: 'answer', label })
const later: Action = { type: 'later' }
const undo: Action = { type: 'undo' }

describe('a round', () => {
  it('asks its points in draw order, each once', () => {
    let round = openedRound(open())
    const asked = []
    for (let id = currentOf(round); id; id = currentOf(round)) {
      asked.push(id)
      round = roundAfter(round, answer())
    }
    expect(asked).toEqual(ids)
    expect(unanswered(round)).toEqual([])
  })

  it('asks what was put off at the end, in the order it was put off', () => {
    const round = after(openedRound(open()), later, later)
    expect(upcoming(round, 4)).toEqual(['c', 'd', 'a', 'b'])
    expect([...round.later]).toEqual(['a', 'b'])
  })

  it('keeps showing the last point when that is put off', () => {
    expect(currentOf(after(openedRound(open()), answer(), answer(), answer(), later))).toBe('d')
  })

  it('keeps "cannot tell" as an answer', () => {
    const round = after(openedRound(open()), answer(null))
    expect(round.answers.get('a')).toBeNull()
    expect(currentOf(round)).toBe('b')
  })

  it('undoes step by step, and shows each point again', () => {
    const round = after(openedRound(open()), answer(), later, answer(), undo)
    expect(currentOf(round)).toBe('c')
    expect(currentOf(after(round, undo))).toBe('a')
    expect(after(round, undo).answers.size).toBe(0)
    expect(after(round, undo, undo)).toEqual(after(round, undo))
  })

  it('goes on where it was after a point was undone and answered again', () => {
    expect(currentOf(after(openedRound(open()), answer(), answer(), undo, answer('1')))).toBe('c')
  })

  it('opens an answered point again, and undoing that answer brings the old one back', () => {
    const revising = after(openedRound(open()), answer('1'), answer('2'), { type: 'revise', id: 'a' })
    expect(currentOf(revising)).toBe('a')
    const revised = after(revising, answer('9'))
    expect(revised.answers.get('a')).toBe('9')
    expect(currentOf(revised)).toBe('c')
    expect(after(revised, undo).answers.get('a')).toBe('1')
  })

  it('gives a revision up by Undo or Later without touching the answer', () => {
    const revising = after(openedRound(open()), answer('1'), { type: 'revise', id: 'a' })
    for (const action of [undo, later]) {
      const round = after(revising, action)
      expect(round.answers.get('a')).toBe('1')
      expect(currentOf(round)).toBe('b')
      expect(round.later.size).toBe(0)
    }
  })

  it('does not open a point again that has no answer', () => {
    expect(currentOf(after(openedRound(open()), { type: 'revise', id: 'c' }))).toBe('a')
  })
})

describe('a round on several pages', () => {
  const claim = (...held: string[]): Action => ({ type: 'claimed', page: 'other', ids: held })

  it('leaves out what another page shows, until that page moves on', () => {
    const round = after(openedRound(open()), claim('a', 'b'))
    expect(upcoming(round, 4)).toEqual(['c', 'd'])
    expect(upcoming(after(round, claim('b', 'c')), 4)).toEqual(['a', 'd'])
    expect(upcoming(after(round, claim()), 4)).toEqual(['c', 'a', 'b', 'd'])
  })

  it('has nothing to show while all that is left is elsewhere, and knows that it is not finished', () => {
    const round = after(openedRound(open()), answer(), answer(), claim('c', 'd'))
    expect(currentOf(round)).toBeUndefined()
    expect(unanswered(round)).toEqual(['c', 'd'])
  })

  it('skips a point it was not granted, and takes it when a later claim is', () => {
    const refused = after(openedRound(open()), { type: 'granted', asked: ['a', 'b', 'c'], granted: ['b', 'c'] })
    expect(currentOf(refused)).toBe('b')
    expect(upcoming(after(refused, { type: 'granted', asked: ['a'], granted: ['a'] }), 2)).toEqual(['b', 'a'])
  })

  it('marks what others answered, and asks it again when they take it back', () => {
    const round = after(openedRound(open()), { type: 'told', id: 'a', label: '3' })
    expect(currentOf(round)).toBe('b')
    expect(upcoming(after(round, { type: 'told', id: 'a' }), 4)).toEqual(['b', 'a', 'c', 'd'])
  })

  it('never takes the shown point away because an earlier one became free', () => {
    const round = after(openedRound(open()), claim('a', 'b'))
    expect(currentOf(after(round, claim()))).toBe('c')
    expect(currentOf(after(round, claim(), answer()))).toBe('a')
  })

  it('never undoes what somebody else has changed since', () => {
    const round = after(openedRound(open()), answer('1'), { type: 'told', id: 'a', label: '2' }, undo)
    expect(round.answers.get('a')).toBe('2')
  })
})

describe('a round after a reload', () => {
  const points = open().points.map((point) => (point.id === 'a' ? { ...point, answer: { label: '1' } } : point))

  it('shows what was unsent as answered, and what was unsent of another round not at all', () => {
    const round = openedRound(open({ points }), [
      { round: 5, id: 'b', label: null },
      { round: 5, id: 'a' },
      { round: 4, id: 'c', label: '1' },
    ])
    expect([...round.answers]).toEqual([['b', null]])
  })

  it('keeps its order, and what can be undone', () => {
    const before = after(openedRound(open()), answer('1'), later)
    const round = openedRound(open({ points }), [], memoryOf(before))
    expect(currentOf(round)).toBe('c')
    expect(upcoming(round, 4)).toEqual(['c', 'd', 'b'])
    expect(currentOf(after(round, undo))).toBe('a')
  })

  it('skips what is shown elsewhere, until some page is gone', () => {
    const held = open().points.map((point, i) => ({ ...point, isElsewhere: i < 2 }))
    const round = openedRound(open({ points: held }))
    expect(currentOf(round)).toBe('c')
    expect(upcoming(after(round, { type: 'claimed', page: 'gone', ids: [] }), 4)).toEqual(['c', 'a', 'b', 'd'])
  })
})
