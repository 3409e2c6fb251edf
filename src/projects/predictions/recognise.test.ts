import { describe, expect, it } from 'vitest'
import { isPersonal, recognise, type SeenColumn } from './recognise.ts'

const rows = 200
const words = (name: string, ...values: string[]): SeenColumn => ({
  ...{ name, kind: 'text', distinct: values.length, meanLength: 6, missing: 0 },
  values: values.map((value) => ({ value, count: rows / values.length })),
})
const text = (name: string): SeenColumn => ({ name, kind: 'text', distinct: rows, meanLength: 80, missing: 0 })
const numbers = (name: string, range: [number, number], distinct = rows): SeenColumn => ({
  ...{ name, kind: 'number', distinct, meanLength: 4, missing: 0, range },
})
const id: SeenColumn = { name: 'id', kind: 'text', distinct: rows, meanLength: 5, missing: 0 }
const topics = ['Billing', 'Cancel', 'Delivery', 'Technical']

describe('a file', () => {
  it('of columns with the same words holds predictions: one is checked, the others are compared', () => {
    const columns = [
      id,
      text('body'),
      words('rules_topic', ...topics),
      words('gpt_topic', ...topics),
      numbers('gpt_score', [0.4, 1]),
    ]
    const { why, ...found } = recognise([...columns, words('channel', 'App', 'Web'), text('reason')], rows)
    expect(why).toBe('Two columns hold the same four words, and one holds numbers from 0 to 1 that look like confidence.')
    expect(found).toEqual({
      kind: 'predictions',
      isSure: true,
      roles: {
        ...{ id: 'id', body: 'read', rules_topic: 'compare', gpt_topic: 'check' },
        ...{ gpt_score: 'confidence', channel: 'apart', reason: 'out' },
      },
    })
  })

  it('with answers of people beside predictions keeps them aside', () => {
    const { roles, isSure } = recognise([id, text('body'), words('label', ...topics), words('model', ...topics)], rows)
    expect([isSure, roles]).toEqual([true, { id: 'id', body: 'read', label: 'out', model: 'check' }])
  })

  it('of few words beside a confidence holds predictions', () => {
    const { kind, isSure, roles } = recognise([text('body'), words('topic', ...topics), numbers('p', [0.1, 1])], rows)
    expect([kind, isSure, roles]).toEqual(['predictions', true, { body: 'read', topic: 'check', p: 'confidence' }])
  })

  it('of probabilities by class holds predictions', () => {
    const { roles, why } = recognise([text('body'), numbers('p_cat', [0, 1]), numbers('p_dog', [0, 1])], rows)
    expect(roles).toEqual({ body: 'read', p_cat: 'probability', p_dog: 'probability' })
    expect(why).toBe('Two columns hold numbers from 0 to 1 that look like the probabilities of classes.')
  })

  it.each([
    ['Pass', 'Fail', 'Pass'],
    ['no', 'yes', 'yes'],
    ['incorrect', 'correct', 'correct'],
  ])('of %s and %s beside a question and an answer holds verdicts', (one, other, good) => {
    const found = recognise([text('question'), text('answer'), words('verdict', one, other), text('reason')], rows)
    expect(found).toMatchObject({ kind: 'verdicts', isSure: true, good })
    expect(found.why).toBe(`One column holds ${one} and ${other}, and next to it stand question and answer.`)
    expect(found.roles).toEqual({ question: 'read', answer: 'read', verdict: 'check', reason: 'out' })
  })

  it('of whole grades beside a question and an answer holds grades', () => {
    const found = recognise([text('prompt'), text('reply'), numbers('rating', [1, 5], 5)], rows)
    expect(found).toMatchObject({ kind: 'grades', isSure: true, roles: { prompt: 'read', reply: 'read', rating: 'check' } })
  })

  it.each([
    ['texts', [id, text('body')]],
    [
      'texts that are few',
      [words('body', ...Array.from({ length: 40 }, (_, k) => `text ${k}`)), numbers('p', [0, 1])].map((c) => ({
        ...c,
        ...(c.values && { values: c.values.map(({ value }) => ({ value, count: 1 })) }),
      })),
    ],
    ['texts with a class', [text('body'), words('label', 'ham', 'spam')]],
    ['figures', [numbers('a', [0, 1]), numbers('b', [0, 1]), numbers('c', [0, 30]), words('y', 'no mail', 'mail')]],
  ])('of %s is not taken for predictions', (_, columns) => {
    expect(recognise(columns, rows).isSure).toBe(false)
  })
})

it.each([
  ['from', ['anything'], true],
  ['contact', ['a@example.org', 'b@example.org'], true],
  ['call', ['+44 20 7946 0000'], true],
  ['subject', ['Your order'], false],
  ['count', ['12345678'], false],
  ['received', ['2026-03-05', '2026-03-06'], false],
  ['sent', ['05/03/2026 10:41'], false],
])('%s with %j names people: %s', (name, examples, is) => expect(isPersonal(name, examples)).toBe(is))
