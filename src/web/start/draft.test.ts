import { describe, expect, test } from 'vitest'
import type { Inspection } from '../../protocol/start.ts'
import { beginSchema } from '../../protocol/start.ts'
import { type Draft, draftOf, problemsOf, projectOf } from './draft.ts'

const inspection: Inspection = {
  path: 'mails.csv',
  bytes: 1_000,
  rows: 1_797,
  ways: { sheets: [], encodings: [] },
  columns: [{ name: 'body', role: 'text', isShown: true, looksLikeAnswers: false, isPersonal: false, examples: [], values: [] }],
  preview: [['Hello']],
  recognised: { kind: 'predictions', isSure: false, why: '', roles: {} },
  prices: [
    { tolerance: 0.1, learn: 60, measure: 33 },
    { tolerance: 0.05, learn: 120, measure: 120 },
    { tolerance: 0.03, learn: 240, measure: 310 },
  ],
  view: { kind: 'text', column: 'body' },
  samples: [],
  classes: [
    { name: 'ham', key: '1' },
    { name: 'spam', key: '2' },
  ],
  question: 'Which is it?',
  project: 'mails.alis',
}
const draft = draftOf(inspection, { roles: {} }, 'alis')
const problem = (change: Partial<Draft>) => problemsOf({ ...draft, ...change })

describe('a draft', () => {
  test('begins without problems, and as the server takes it', () => {
    expect(problemsOf(draft)).toEqual({})
    expect(beginSchema.parse(projectOf(draft, inspection))).toMatchObject({
      path: 'mails.csv',
      project: 'mails.alis',
      plan: { strategy: 'alis', batch: 10, budget: 120 },
      start: 10,
    })
  })

  test('begins with the goal that fits the file, and never with more answers than there are rows', () => {
    const goalOf = (rows: number) => draftOf({ ...inspection, rows }, { roles: {} }, 'alis')
    expect(goalOf(480)).toMatchObject({ goal: 0.05, budget: '120' })
    expect(goalOf(400)).toMatchObject({ goal: 0.1, budget: '60' })
    expect(goalOf(100)).toMatchObject({ goal: 'all', budget: '100' })
    expect(goalOf(8)).toMatchObject({ goal: 'all', batch: '8', budget: '8', start: '8' })
  })

  test('what is left to alis is not sent', () => {
    expect(Object.keys(projectOf(draft, inspection))).not.toContain('seed')
    const full = projectOf({ ...draft, loss: 'squared', l2: '0.5', weighting: '0', know: '0.3', seed: '7' }, inspection)
    expect(beginSchema.parse(full)).toMatchObject({ loss: 'squared', l2: 0.5, weighting: 0, know: 0.3, seed: 7 })
  })

  test('numbers may be written as they are shown', () => {
    expect(problem({ budget: '1,200' })).toEqual({})
    expect(projectOf({ ...draft, budget: ' 1,200 ' }, inspection).plan.budget).toBe(1_200)
  })

  test.each([
    ['batch', '0', 'A whole number from 1 to 10,000 is required, got “0”.'],
    ['batch', '', 'A whole number from 1 to 10,000 is required, got nothing.'],
    ['batch', '2.5', 'A whole number from 1 to 10,000 is required, got “2.5”.'],
    ['budget', 'many', 'A whole number from 1 to 1,000,000,000 is required, got “many”.'],
    ['budget', '1,20', 'A whole number from 1 to 1,000,000,000 is required, got “1,20”.'],
    ['l2', '0', 'A positive number is required, got “0”.'],
    ['weighting', '1.5', 'A number from 0 to 1 is required, got “1.5”.'],
    ['know', '0.05', 'A number from 0.1 to 1 is required, got “0.05”.'],
    ['seed', '-1', 'A whole number from 0 on is required, got “-1”.'],
  ] as const)('%s %j is a problem of its field', (field, text, said) => {
    expect(problem({ [field]: text })).toEqual({ [field]: said })
  })

  test('only one strategy has a uniform share to set', () => {
    expect(problem({ know: '0.3' })).toEqual({})
    expect(problem({ know: '0.3', strategy: 'entropy' })).toEqual({
      know: 'Strategy entropy has no such share. Leave it empty.',
    })
  })

  test('only two classes leave a choice of loss', () => {
    const three = [...inspection.classes, { name: 'unsure', key: '3' }]
    expect(problem({ loss: 'squared' })).toEqual({})
    expect(problem({ loss: 'squared', classes: three })).toEqual({
      loss: 'For 3 classes the loss must be logistic, got squared. Choose logistic, or two classes.',
    })
  })

  test('a question, a name and classes are required', () => {
    expect(Object.keys(problem({ question: ' ', project: '', classes: [] })).sort()).toEqual(['classes', 'project', 'question'])
  })
})
