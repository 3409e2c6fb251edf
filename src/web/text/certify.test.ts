import { describe, expect, it } from 'vitest'
import type { Audit } from '../../protocol/project.ts'
import {
  aboutWords,
  answersFrom,
  beginWords,
  headWords,
  ofWhat,
  paceWords,
  priceOf,
  promise,
  questionRows,
  shareFrom,
  standingRows,
} from './certify.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const audit = {
  metric: 'error' as const,
  model: 'sha256:00',
  about: 'the model after round 10',
  answers: 147,
  unknown: 0,
  isReached: false,
  questions: [],
}
const step = { answers: 140, value: 0.05, low: 0.025, high: 0.089 }

describe('what an audit measures', () => {
  it.each([
    [{ metric: 'error' }, 'learn', 'the error of this model'],
    [{ metric: 'precision', positive: 'spam' }, 'audit', 'the precision of the predictions for spam'],
    [{ metric: 'f1', positive: 'spam' }, 'audit', 'the F1 of the predictions for spam'],
    [{ metric: 'prevalence', positive: 'spam' }, 'audit', 'the share of rows that are spam'],
    [{ metric: 'difference' }, 'audit', 'the error of the predictions minus that of the others'],
    [{ metric: 'error', against: 'old' }, 'audit', 'the error minus that of old'],
  ] as const)('%j of a project to %s', (given, purpose, words) => {
    expect(ofWhat(given, purpose)).toBe(words)
  })
})

const recall: Audit['questions'][number] = {
  label: 'recall of spam',
  metric: 'recall',
  positive: 'spam',
  level: 0.95,
  state: 'defined',
  value: 0.5,
  low: 0.31,
  high: 0.72,
  answers: 60,
  points: 200,
  isReached: false,
}
const goal = { tolerance: 0.1, level: 0.95 }
const asked = (change: Partial<typeof recall>, steps = [{ ...step, answers: 60 }]): Audit => ({
  ...audit,
  goal,
  steps,
  questions: [{ ...recall, ...change }],
})

describe('where an audit stands', () => {
  it.each<[Partial<typeof recall>, string, string]>([
    [{}, '2 % to 9 %, about 5 %.', 'the recall of the predictions for spam, after 60 answers'],
    [
      { state: 'if any', atMost: 7 },
      '2 % to 9 %, about 5 %.',
      'the recall of the predictions for spam, if there is anything to divide by (it is at most 7 of 200 rows), after 60 answers',
    ],
    [{ state: 'known' }, '2 % to 9 %, about 5 %.', 'the recall of the predictions for spam, known exactly after 60 answers'],
    [
      { state: 'contradiction' },
      '2 % to 9 %, about 5 %.',
      'what is certain of the recall of the predictions for spam, after 60 answers: they contradict each other',
    ],
    [
      { state: 'undefined', value: null, low: null, high: null },
      'Not defined.',
      'the recall of the predictions for spam, after 60 answers: there is nothing to divide by',
    ],
  ])('%j', (change, head, about) => {
    expect(plain(headWords(asked(change)))).toBe(head)
    expect(plain(aboutWords(asked(change), 'audit')!)).toBe(about)
  })

  it('is not known before the first answers are in', () => {
    expect(headWords({ ...audit, goal, steps: [] })).toBe('No range yet.')
    expect(aboutWords({ ...audit, goal, steps: [] }, 'learn')).toBeUndefined()
  })

  it('is said of each of several questions', () => {
    const questions = [
      recall,
      { ...recall, metric: 'error', label: 'error', isReached: true } as const,
      { ...recall, state: 'undefined', low: null } as const,
    ]
    expect(questionRows({ ...asked({}), questions }).map(([name, said]) => [name, plain(said)])).toEqual([
      ['Of those that are spam, it finds', '31 % to 72 %'],
      ['Wrong', '31 % to 72 %, reached'],
      ['Of those that are spam, it finds', 'not defined'],
    ])
    expect(aboutWords({ ...asked({}), questions }, 'audit')).toMatch(/; 2 other questions are asked too$/)
  })

  it('forecasts the last of several goals, if it knows of each', () => {
    const forecast = (answers: number) => ({ forecast: { answers, low: answers, high: answers } })
    const rows = (questions: Audit['questions']) => Object.fromEntries(standingRows({ ...asked({}), questions }))
    const reached = { ...recall, isReached: true }
    expect(rows([{ ...recall, ...forecast(40) }, { ...recall, ...forecast(90) }, reached])).toMatchObject({
      'Still to come': 'about 90 answers',
    })
    expect(rows([{ ...recall, ...forecast(40) }, recall])).not.toHaveProperty('Still to come')
  })
})

describe('how near an audit is', () => {
  it('says how wide it is, what was asked, and what is still to come', () => {
    const goal = { tolerance: 0.02, level: 0.95 }
    const forecast = { answers: 100, low: 60, high: 140 }
    expect(standingRows({ ...audit, goal, steps: [step], forecast }).map(([name, said]) => [name, plain(said)])).toEqual([
      ['Now', '±3.2 %'],
      ['Asked', '±2 %'],
      ['Still to come', 'about 100 answers'],
    ])
  })

  it('speaks of the upper limit where a ceiling was asked for', () => {
    const goal = { below: 0.07, budget: 400, level: 0.95 }
    expect(standingRows({ ...audit, goal, steps: [step], unknown: 3, isReached: true }).map(([, said]) => plain(said))).toEqual([
      '9 %',
      'below 7 %',
      '147 of 400 answers',
      'reached',
      '3',
    ])
  })

  it('promises what the goal allows to say, and no more', () => {
    expect(plain(promise({ tolerance: 0.02, level: 0.95 }, 0.05))).toBe(
      'You will be able to say something like: “This model is wrong on about 5 %, surely between 3 % and 7 %.”',
    )
    expect(plain(promise({ tolerance: 0.05, level: 0.99 }, 0.01))).toBe(
      'You will be able to say something like: “This model is wrong on about 1 %, surely between 0 % and 10 %.” Mistaken at most 1 time in 100.',
    )
    expect(plain(promise({ below: 0.07, level: 0.95 }, 0.05))).toBe(
      'You will be able to say: “This model is surely wrong on less than 7 %.”',
    )
  })

  it('has a price in answers and minutes, and says where nothing would be left', () => {
    const rate = { pace: 4, left: 400 }
    expect(priceOf(53, rate)).toEqual({ answers: 'about 50 more', time: 'about 3\u00a0min' })
    expect(priceOf(1, rate)).toEqual({ answers: 'about 10 more', time: 'about 1\u00a0min' })
    expect(priceOf(370, rate)).toEqual({ answers: 'nearly all 400: then there is no range left to doubt' })
    expect(priceOf(undefined, rate)).toEqual({ answers: 'hard to say' })
    expect(beginWords(53, false)).toBe('Keep the model, ask about 50 more')
    expect(beginWords(undefined, true)).toBe('Go on, ask')
  })
})

describe('what people type', () => {
  it.each([
    ['7 %', 0.07],
    ['7', 0.07],
    ['0,5%', 0.005],
    ['0', undefined],
    ['100', undefined],
    ['seven', undefined],
  ])('%j is the share %s', (text, share) => expect(shareFrom(text)).toBe(share))

  it.each([
    ['400 answers', 400],
    ['1,000', 1000],
    ['0', undefined],
    ['', undefined],
  ])('%j is %s answers', (text, answers) => expect(answersFrom(text)).toBe(answers))
})

describe('how often the interval moves', () => {
  const steps = [10, 20].map((answers) => ({ ...step, answers }))
  it('is told by the last batch', () => {
    expect(paceWords({ steps }, 'learn')).toBe(
      'One model, one range that only narrows. It moves after every ten answers and holds whenever you look, so you may stop at any time.',
    )
    expect(paceWords({ steps: [{ ...step, answers: 50 }] }, 'audit')).toMatch(
      /^One set of predictions, .* after every 50 answers/,
    )
  })
})
