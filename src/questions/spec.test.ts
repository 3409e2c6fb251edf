import { describe, expect, it } from 'vitest'
import { inPool, keyOf, type QuestionOptions, type QuestionSpec, question } from './spec.ts'

const slice = { column: 'region', value: 'north' }

describe('a question', () => {
  it.each<[QuestionSpec['metric'], QuestionOptions, object]>([
    ['error', {}, { metric: 'error', level: 0.95 }],
    ['error', { positive: 'spam', actual: 'ham' }, { metric: 'error', level: 0.95 }],
    ['recall', { positive: 'spam', actual: 'ham' }, { metric: 'recall', positive: 'spam', level: 0.95 }],
    ['confusion', { positive: 'spam', actual: 'ham' }, { metric: 'confusion', positive: 'spam', actual: 'ham', level: 0.95 }],
    ['error', { slice: { ...slice, note: 1 } as typeof slice }, { metric: 'error', slice, level: 0.95 }],
    ['error', { poolSize: 5, against: 'old', level: 0.9 }, { metric: 'error', poolSize: 5, against: 'old', level: 0.9 }],
    ['difference', { against: 'old' }, { metric: 'difference', against: 'old', level: 0.95 }],
    ['error', { isCeiling: true, isLinearised: true }, { metric: 'error', level: 0.95, isCeiling: true }],
    ['macro-f1', { isCeiling: false, isLinearised: true }, { metric: 'macro-f1', level: 0.95, isLinearised: true }],
    ['macro-f1', { isLinearised: false }, { metric: 'macro-f1', level: 0.95 }],
  ])('has what its metric needs and no more: %s with %o', (metric, options, spec) => {
    expect(question(metric, options)).toStrictEqual(spec)
  })

  it.each<[string, QuestionOptions, string]>([
    ['recal', {}, 'metric: one of error, accuracy,'],
    ['recall', {}, 'positive: a class is required for recall, got none'],
    ['confusion', { actual: 'ham' }, 'positive: a class is required for confusion, got none'],
    ['confusion', { positive: 'spam' }, 'actual: a class is required for confusion, got none'],
    ['difference', {}, 'against: another model is required for difference, got none'],
    ['f1', { positive: 'spam', against: 'old' }, 'against: a metric whose difference is a ratio of sums is required, got f1'],
    ['error', { level: 0 }, 'level: must be in (0, 1), got 0'],
    ['error', { level: 1 }, 'level: must be in (0, 1), got 1'],
  ])('is refused where something is missing or means nothing: %s with %o', (metric, options, message) => {
    expect(() => question(metric as QuestionSpec['metric'], options)).toThrow(message)
  })

  it('says which metrics can be compared, where one cannot', () => {
    const hint = 'Ask for error, accuracy, recall, tpr, tnr, or for each model by itself.'
    expect(() => question('kappa', { against: 'old' })).toThrow(expect.objectContaining({ hint }))
  })
})

it('two questions have one key if they are equal in all that they are about', () => {
  const full: QuestionSpec = {
    ...{ metric: 'recall', positive: 'a', actual: 'b', slice, poolSize: 5, against: 'old', level: 0.9 },
    ...{ isCeiling: true, isLinearised: true },
  }
  const { metric, ...rest } = full
  expect(keyOf({ ...rest, metric })).toBe(keyOf(full))
  const others = [
    ...Object.keys(rest).map((name) => ({ ...full, [name]: undefined })),
    { ...full, slice: { ...slice, column: 'age' } },
    { ...full, slice: { ...slice, value: 'south' } },
    { ...full, metric: 'tpr' },
  ] as QuestionSpec[]
  expect(new Set([full, ...others].map(keyOf)).size).toBe(others.length + 1)
})

it('a question is about the pool that there is, unless it names one', () => {
  const spec = question('error')
  expect(inPool(spec, undefined)).toBe(spec)
  expect(inPool(spec, 9).poolSize).toBe(9)
  expect(inPool({ ...spec, poolSize: 5 }, 9).poolSize).toBe(5)
})
