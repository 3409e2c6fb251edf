import { describe, expect, it } from 'vitest'
import { question } from '../../questions/spec.ts'
import { dearestFirst, questionJson, questionTable, standingOf, type ToldQuestion, tableSays } from './questions.ts'

const told = (spec: ToldQuestion['question'], more: Partial<ToldQuestion> = {}): ToldQuestion => ({
  question: spec,
  state: 'defined',
  value: 0.042,
  low: 0.0312,
  high: 0.0531,
  answers: 210,
  level: 0.95,
  plan: { kind: 'none' },
  ...more,
})
const nothing = { state: 'undefined', value: null, low: null, high: null } as const

describe('for programs', () => {
  it('a question says what it is about and what is said of it', () => {
    const slice = { column: 'language', value: 'de' }
    const spec = question('recall', { positive: 'spam', slice, against: 'old' })
    expect(questionJson(told(spec, { together: { low: 0.02, high: 0.06 } }))).toEqual({
      metric: 'recall',
      positive: 'spam',
      against: 'old',
      slice,
      value: 0.042,
      low: 0.0312,
      high: 0.0531,
      level: 0.95,
      state: 'defined',
      answers: 210,
      plan: { kind: 'none' },
      together: { low: 0.02, high: 0.06 },
    })
  })

  it('what there is not is null', () => {
    expect(questionJson(told(question('error'), nothing))).toMatchObject({ positive: null, slice: null, value: null, low: null })
  })
})

describe('while answers come in', () => {
  it.each<[ToldQuestion, string]>([
    [told(question('error')), 'error 4.2 % (3.1 % – 5.4 %)'],
    [
      told(question('error'), { forecast: { answers: 120, low: 90, high: 160 } }),
      'error 4.2 % (3.1 % – 5.4 %) · about 120 more answers',
    ],
    [
      told(question('error'), { isReached: true, forecast: { answers: 1, low: 1, high: 2 } }),
      'error 4.2 % (3.1 % – 5.4 %) · reached',
    ],
    [told(question('kappa'), { value: 0.7, low: 0.61, high: 0.78 }), 'kappa 0.70 (0.61 – 0.78)'],
    [
      told(question('error', { against: 'old' }), { value: -0.01, low: -0.03, high: 0.012 }),
      'error minus that of old −1.0 percentage points (−3.0 – +1.2 percentage points)',
    ],
    [told(question('recall', { positive: 'spam' }), nothing), 'recall of spam nothing to divide by yet'],
  ])('%# reads well', (one, text) => expect(standingOf(one)).toBe(text))

  it('the widest comes first, and what is done comes last', () => {
    const of = (positive: string, high: number, more: Partial<ToldQuestion> = {}) =>
      told(question('recall', { positive }), { low: 0.5, high, ...more })
    const sorted = dearestFirst([
      of('a', 0.6),
      of('b', 0.9, { isReached: true }),
      of('c', 0.8),
      of('d', 0, nothing),
      of('e', 0.7),
    ])
    expect(sorted.map((one) => one.question.positive)).toEqual(['c', 'e', 'a', 'b', 'd'])
  })
})

describe('in the end', () => {
  const several = [told(question('error')), told(question('recall', { positive: 'spam' }), { ...nothing, answers: 1200 })]

  it('there is one row a question', () => {
    expect(questionTable(several)).toBe(
      [
        'question        estimate       interval  state      answers',
        '──────────────  ────────  ─────────────  ─────────  ───────',
        'error              4.2 %  3.1 % – 5.4 %                 210',
        'recall of spam         –              –  undefined    1,200',
      ].join('\n'),
    )
  })

  it('a column says what holds all at once, and when a question was asked', () => {
    const table = questionTable([{ ...several[0]!, together: { low: 0.02, high: 0.08 } }], ['afterwards'])
    expect(table).toContain('all at once')
    expect(table).toMatch(/2\.0 % – 8\.0 % +210 +afterwards$/)
  })

  it('it is said how sure all of it is, and of what', () => {
    expect(tableSays(several, { source: 'the column y', advice: '--together gives limits that are' })).toEqual([
      'Each at 95 %. Answers from the column y. Holds whenever you look.',
      'The most striking of several is not covered: --together gives limits that are.',
    ])
    expect(tableSays(several.map((one) => ({ ...one, together: { low: 0, high: 1 } })))).toEqual([
      'Each at 95 %; the limits under "all at once" hold all at once at 95 %. Holds whenever you look.',
    ])
  })
})
