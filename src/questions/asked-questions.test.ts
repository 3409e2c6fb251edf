import { describe, expect, it } from 'vitest'
import { metricLabel } from '../metrics/metric-labels.ts'
import { type QuestionWishes, questionsFor, requireQuestions } from './asked-questions.ts'
import type { Frame } from './frame.ts'

const frame: Frame = {
  classes: ['ham', 'spam'],
  models: ['new', 'old'],
  slices: [
    { column: 'language', values: ['de', 'en'] },
    { column: 'region', values: ['north'] },
  ],
}
const asked = (options: Partial<QuestionWishes>, usual = 'error' as const) =>
  questionsFor({ level: 0.95, ...options }, frame, [{ metric: usual }]).map(metricLabel)

describe('what is asked', () => {
  it.each<[string, Partial<QuestionWishes>, string[]]>([
    ['nothing', {}, ['error']],
    ['metrics with their classes', { metric: ['error', 'recall:spam', 'kappa'] }, ['error', 'recall of spam', 'kappa']],
    [
      'a class for all that need one',
      { metric: ['precision', 'recall:ham'], positive: 'spam' },
      ['precision of spam', 'recall of ham'],
    ],
    ['each class', { metric: ['error', 'recall'], eachClass: true }, ['error', 'recall of ham', 'recall of spam']],
    [
      'each cell',
      { metric: ['confusion'], eachClass: true },
      ['predicted ham, was ham', 'predicted ham, was spam', 'predicted spam, was ham', 'predicted spam, was spam'],
    ],
    ['the same twice', { metric: ['recall', 'recall:spam', 'recall'], positive: 'spam' }, ['recall of spam']],
    [
      'slices, after the whole',
      { metric: ['error', 'accuracy'], by: ['language'] },
      [
        'error',
        'accuracy',
        'error where language = de',
        'accuracy where language = de',
        'error where language = en',
        'accuracy where language = en',
      ],
    ],
    [
      'another model',
      { metric: ['accuracy', 'recall:spam'], against: 'old' },
      ['accuracy minus that of old', 'recall of spam minus that of old'],
    ],
  ])('%s', (_, options, labels) => expect(asked(options)).toEqual(labels))

  it.each<[string, Partial<QuestionWishes>, string]>([
    ['a class that is missing', { metric: ['recall'] }, 'positive: one of ham, spam is required for recall, got none'],
    [
      'a class that there is not',
      { metric: ['recall'], positive: 'eggs' },
      'positive: one of ham, spam is required for recall, got eggs',
    ],
    [
      'a class that there is not, after a colon',
      { metric: ['recall:eggs'] },
      'metric: one of ham, spam is required after recall:, got eggs',
    ],
    [
      'a cell without its classes',
      { metric: ['confusion'], positive: 'spam' },
      'metric: two of ham, spam are required for confusion, got none',
    ],
    ['a class for what has none', { metric: ['kappa:spam'] }, 'metric: kappa without a class is required, got kappa:spam'],
  ])('refuses %s', (_, options, message) => expect(() => asked(options)).toThrow(message))

  it('refuses more questions than anybody can read', () => {
    const many = { ...frame, classes: Array.from({ length: 40 }, (_, k) => `c${k}`) }
    expect(() => questionsFor({ level: 0.95, metric: ['confusion'], eachClass: true }, many, [])).toThrow(
      'questions: at most 1,000 at once are required, got 1,600',
    )
  })
})

describe('before anything is read', () => {
  it.each<[string, Partial<QuestionWishes>, boolean, string]>([
    [
      'grades without --score',
      { metric: ['mean'] },
      false,
      '--metric: a metric of classes is required without --score, got mean',
    ],
    ['classes with --score', { metric: ['error'] }, true, '--metric: mean is required with --score, got error'],
    [
      'every class of what is about none',
      { metric: ['error'], eachClass: true },
      false,
      '--each-class: a metric about a class is required, got error',
    ],
    ['every class of nothing', { eachClass: true }, false, '--each-class: a metric about a class is required, got none'],
    ['a difference from nothing', { metric: ['difference'] }, false, '--metric: difference needs another model, got none'],
    [
      'a difference that is no ratio of sums',
      { metric: ['error', 'kappa'], against: 'old' },
      false,
      '--against: a metric whose difference is a ratio of sums is required, got kappa',
    ],
  ])('refuses %s', (_, options, hasGrades, message) => {
    expect(() => requireQuestions({ level: 0.95, ...options }, hasGrades)).toThrow(message)
  })

  it('lets everything else through', () => {
    requireQuestions({ level: 0.95 })
    requireQuestions({ level: 0.95, metric: ['error', 'difference'], against: 'old' })
    requireQuestions({ level: 0.95, metric: ['mean'] }, true)
  })
})
