import { describe, expect, test } from 'vitest'
import { auditWishesSchema } from '../../protocol/audits.ts'
import { beginSchema, type Inspection } from '../../protocol/start.ts'
import {
  type AuditDraft,
  answersIn,
  auditDraftOf,
  auditOf,
  auditProblems,
  chooseRole,
  refusalOf,
  wishesOf,
} from './audit-draft.ts'

const column = (name: string, ...values: string[]): Inspection['columns'][number] => ({
  ...{ name, role: 'category', isShown: false, looksLikeAnswers: false, isPersonal: false, examples: [] },
  values: values.map((value) => ({ value, count: 10 })),
})
const topics = ['Billing', 'Cancel', 'Delivery']

const mails: Inspection = {
  ...{
    path: 'mails.csv',
    bytes: 1,
    ways: { sheets: [], encodings: [] },
    rows: 800,
    view: { kind: 'row' },
    samples: [],
    classes: [],
    preview: [],
    prices: [],
  },
  ...{ question: 'What is this about?', project: 'mails.alis' },
  columns: [
    column('id'),
    column('body'),
    column('gpt', ...topics),
    column('p'),
    column('rules', 'Billing'),
    column('channel', 'App'),
  ],
  recognised: {
    ...{ kind: 'predictions', isSure: true, why: '' },
    roles: { id: 'id', body: 'read', gpt: 'check', p: 'confidence', rules: 'compare', channel: 'apart' },
  },
}
const draft = auditDraftOf(mails)
const asking = (...asks: AuditDraft['asks'] extends ReadonlySet<infer A> ? A[] : never) => ({ ...draft, asks: new Set(asks) })

describe('an audit being described', () => {
  test('begins as recognised, without problems, and as the server takes it', () => {
    expect([auditProblems(draft), draft.classes.map(({ name }) => name)]).toEqual([{}, topics])
    expect(beginSchema.parse(auditOf(draft, mails))).toMatchObject({
      project: 'mails-check.alis',
      audit: {
        ...{ id: 'id', prediction: 'gpt', confidence: 'p', show: ['body'], by: ['channel'] },
        ...{ metric: ['error', 'precision', 'recall', 'confusion'], eachClass: true, tolerance: 0.05, first: true },
      },
    })
  })

  test('asks about nothing but what was chosen', () => {
    expect(wishesOf(asking('overall'), 800)).toEqual({
      ...{ id: 'id', prediction: 'gpt', confidence: 'p', show: ['body'], metric: ['error'], tolerance: 0.05, first: true },
    })
  })

  test('compares with another column beside the rest, or looks for the best instead of it', () => {
    expect(wishesOf(asking('overall', 'other'), 800)).toMatchObject({ alone: ['error'], against: 'rules' })
    expect(wishesOf(asking('overall', 'best'), 800)).toEqual({ id: 'id', show: ['body'], models: ['gpt', 'rules'], budget: 800 })
  })

  test('says why something cannot be found out', () => {
    const one = chooseRole(chooseRole(draft, 'rules', 'out'), 'channel', 'out')
    expect(refusalOf('best', one)).toBe('one column here')
    expect(refusalOf('other', one)).toBe('one column here')
    expect(refusalOf('where', one)).toBe('no column to tell results apart by')
    expect(refusalOf('judge', one)).toBe('no column of verdicts here')
    expect(refusalOf('classes', asking('best'))).toMatch('only rows on which columns differ')
  })

  test('checks one column at a time', () => {
    expect(chooseRole(draft, 'rules', 'check').roles).toMatchObject({ gpt: 'out', rules: 'check' })
    expect(answersIn(chooseRole(draft, 'gpt', 'out'), mails.columns)).toEqual(['Billing'])
  })

  test('of verdicts asks for the pass rate and whether the judge can be trusted', () => {
    const judged = auditDraftOf({ ...mails, recognised: { ...mails.recognised, kind: 'verdicts', good: 'Billing' } })
    expect(wishesOf(judged, 800)).toMatchObject({
      metric: ['prevalence', 'tpr', 'tnr', 'kappa'],
      positive: 'Billing',
      first: true,
    })
  })

  test('of grades asks for their mean, to a share of their range', () => {
    const why = 'One column holds grades from 1 to 5, and next to it stand a and b.'
    const graded = auditDraftOf({ ...mails, recognised: { ...mails.recognised, kind: 'grades', why } })
    expect(graded.classes.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5'])
    expect(wishesOf(graded, 800)).toMatchObject({ score: 'gpt', range: [1, 5], tolerance: 0.2 })
  })

  test('has every option of the command', () => {
    const numbers = { ...draft.numbers, below: '0.1', budget: '300', level: '0.9', batch: '20', seed: '7' }
    const full = {
      ...draft,
      goal: 'own' as const,
      numbers,
      isTogether: true,
      isUniform: true,
      isForAll: true,
      more: new Set(['f1'] as const),
    }
    const audit = auditWishesSchema.parse(wishesOf(full, 800))
    expect(audit).toMatchObject({ below: 0.1, budget: 300, level: 0.9, batch: 20, together: true, strategy: 'uniform' })
    expect([audit.metric, audit.first]).toEqual([['error', 'precision', 'recall', 'confusion', 'f1'], undefined])
    expect(auditOf(full, mails)).toMatchObject({ seed: 7 })
  })

  test.each<[Partial<AuditDraft>, string]>([
    [{ roles: {} }, 'columns'],
    [{ classes: [] }, 'classes'],
    [{ question: ' ' }, 'question'],
    [{ project: '' }, 'project'],
    [{ goal: 'own' }, 'tolerance'],
    [{ numbers: { ...draft.numbers, level: '2' } }, 'level'],
  ])('is not sent with %j', (part, field) => {
    expect(Object.keys(auditProblems({ ...draft, ...part }))).toEqual([field])
  })
})
