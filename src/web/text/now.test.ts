import { describe, expect, it } from 'vitest'
import type { Look } from '../../protocol/now.ts'
import type { Project } from '../../protocol/project.ts'
import { certifiedOf, costOf, halfText, lookTexts, lookWords, nextGoal, nowStateOf, whoOf } from './now.ts'

const look: Look = {
  model: 'sha256:b',
  after: 6,
  answers: 300,
  value: 0.0627,
  low: 0.0291,
  high: 0.1402,
  level: 0.95,
  counted: 300,
  points: 1497,
  isRevised: false,
}
const none = { looks: [], isBehind: false, goals: [], pace: 5 }
const strategy = { name: 'alis', title: 'Learn fast', summary: '', isRandom: true }
const certificate = {
  model: 'sha256:a',
  after: 5,
  metric: 'error',
  value: 0.05,
  low: 0.02,
  high: 0.08,
  isRevised: false,
  isEarlier: false,
}
const project = (change: Record<string, unknown>) =>
  ({
    view: { kind: 'bitmap' },
    answers: 300,
    points: 1797,
    strategy,
    certificates: [],
    now: none,
    ...change,
  }) as unknown as Project

describe('the sentence', () => {
  it('has limits rounded outward, whole while the range is four points or wider', () => {
    expect(lookTexts(look)).toEqual({ value: '6\u00a0%', low: '2\u00a0%', high: '15\u00a0%' })
    expect(lookTexts({ value: 0.0627, low: 0.0512, high: 0.0798 })).toEqual({
      value: '6.3\u00a0%',
      low: '5.1\u00a0%',
      high: '8.0\u00a0%',
    })
    expect(lookTexts({ value: 0.004, low: 0, high: 0.21 }).low).toBe('0\u00a0%')
    expect(halfText(look)).toBe('±6\u00a0%')
  })

  it('says no range before 100 answers', () => {
    const early = { ...look, counted: 90 }
    expect(nowStateOf(project({ now: { ...none, looks: [early] } })).kind).toBe('early')
    expect(lookWords(early)).toBe('about 6\u00a0%, too early for a guarantee')
    expect(nowStateOf(project({ now: { ...none, looks: [{ ...look, counted: 100 }] } })).kind).toBe('range')
  })

  it('says why there is none', () => {
    expect(nowStateOf(project({}))).toMatchObject({ kind: 'none', words: expect.stringContaining('too early') })
    expect(nowStateOf(project({ strategy: { ...strategy, isRandom: false } }))).toMatchObject({
      words: expect.stringContaining('not drawn by lot'),
    })
    expect(nowStateOf(project({ answers: 1797, now: { ...none, looks: [look] } }))).toMatchObject({
      words: expect.stringContaining('has an answer'),
    })
  })
})

describe('goals', () => {
  const goal = { tolerance: 0.05, isReached: false, more: { low: 143, high: 268 } }

  it('cost answers to ten, and minutes to five', () => {
    expect(costOf(goal, { pace: 10, left: 1497 })).toEqual({ answers: 'about 140 to 270 more', time: 'about 25 to 45\u00a0min' })
    expect(costOf(goal, { pace: 20, left: 1497 })?.time).toBe('about 45\u00a0min to 1\u00a0h 30\u00a0min')
    expect(costOf({ ...goal, more: { low: 2, high: 6 } }, { pace: 4, left: 1497 })).toEqual({
      answers: 'about 10 more',
      time: 'about 1\u00a0min',
    })
  })

  it('that take nearly everything say so', () => {
    expect(costOf({ ...goal, more: { low: 1400, high: 1490 } }, { pace: 4, left: 1497 })).toEqual({
      answers: 'nearly all of them',
      time: undefined,
    })
    expect(costOf({ tolerance: 0.05, isReached: false }, { pace: 4, left: 1497 })).toBeUndefined()
  })

  it('come one after another', () => {
    expect(nextGoal({ goals: [{ ...goal, isReached: true }, goal] })).toBe(goal)
    expect(nextGoal({ goals: [] })).toBeUndefined()
  })
})

describe('once a model is certified', () => {
  it('it is said which model a sentence is about', () => {
    expect(whoOf(project({}))).toBe('the model')
    expect(whoOf(project({ certificates: [certificate], model: { id: 'sha256:a', after: 5 } }))).toBe('the certified model')
    expect(whoOf(project({ certificates: [certificate], model: { id: 'sha256:b', after: 6 } }))).toBe('the model of the moment')
  })

  it('only certificates of the error that stand count', () => {
    const others = [{ isRevised: true }, { isEarlier: true }, { metric: 'recall' }, { low: null }, { after: undefined }]
    for (const change of others) expect(certifiedOf(project({ certificates: [{ ...certificate, ...change }] }))).toBeUndefined()
    expect(certifiedOf(project({ certificates: [certificate, { ...certificate, isRevised: true }] }))).toBe(certificate)
  })
})
