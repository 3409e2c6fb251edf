import { describe, expect, it } from 'vitest'
import { answersFrom, ofWhat, paceWords, promise, shareFrom, standingRows } from './words.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const audit = {
  metric: 'error' as const,
  model: 'sha256:00',
  about: 'the model after round 10',
  answers: 147,
  unknown: 0,
  isReached: false,
}
const step = { answers: 140, value: 0.05, low: 0.025, high: 0.089 }

describe('what an audit measures', () => {
  it.each([
    [{ metric: 'error' }, 'learn', 'the error of the frozen model'],
    [{ metric: 'precision', positive: 'spam' }, 'audit', 'the precision of the predictions for spam'],
    [{ metric: 'f1', positive: 'spam' }, 'audit', 'the F1 of the predictions for spam'],
    [{ metric: 'prevalence', positive: 'spam' }, 'audit', 'the share of points that are spam'],
    [{ metric: 'difference' }, 'audit', 'the error of the predictions minus that of the others'],
  ] as const)('%j of a project to %s', (given, purpose, words) => {
    expect(ofWhat(given, purpose)).toBe(words)
  })
})

describe('how near an audit is', () => {
  it('says tolerance, forecast and what nobody could tell', () => {
    const goal = { tolerance: 0.02, level: 0.95 }
    const forecast = { answers: 100, low: 60, high: 140 }
    expect(standingRows({ ...audit, goal, steps: [step], forecast }).map(([name, said]) => [name, plain(said)])).toEqual([
      ['Tolerance', '±3.2 % now, ±2 % asked'],
      ['Forecast', 'about 100 more answers'],
      ['Cannot tell', 'none'],
    ])
  })

  it('speaks of the upper limit where a ceiling was asked for', () => {
    const goal = { below: 0.07, budget: 400, level: 0.95 }
    expect(standingRows({ ...audit, goal, steps: [step], unknown: 3, isReached: true }).map(([, said]) => plain(said))).toEqual([
      '8.9 % now, below 7 % asked',
      '147 of 400 answers',
      'reached',
      '3',
    ])
  })

  it('promises what the goal allows to say, and no more', () => {
    expect(plain(promise({ tolerance: 0.02, level: 0.95 }, 0.05))).toBe(
      'You will be able to say: “This model is wrong on about 5 % of the points not yet labelled, give or take 2 %, at level 95 %.”',
    )
    expect(plain(promise({ below: 0.07, level: 0.99 }, 0.05))).toBe(
      'You will be able to say: “This model is wrong on less than 7 % of the points not yet labelled, at level 99 %.”',
    )
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
      'One model, one interval that narrows. It moves after every ten answers and holds whenever you look, so you may stop at any time.',
    )
    expect(paceWords({ steps: [{ ...step, answers: 50 }] }, 'audit')).toMatch(
      /^One set of predictions, .* after every 50 answers/,
    )
  })
})
