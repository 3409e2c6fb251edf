import { describe, expect, it } from 'vitest'
import { classMeant, gradeMeant } from './lenient.ts'

describe('a class is meant', () => {
  const classes = ['spam', 'ham', 'cannot_say']
  it.each([
    'spam',
    'SPAM',
    ' spam\n',
    '"Spam".',
    '**spam**',
    'Answer: spam',
    'It wants money.\n\nspam',
    'It wants money.\nVerdict: SPAM!',
    '{"label": "Spam"}',
    '{"verdict": "spam", "why": "it wants money"}',
    '```json\n{"label":"spam"}\n```',
    '<think>ham? no:\nham\n</think>spam',
    '"spam"',
  ])('by %j', (reply) => expect(classMeant(reply, classes)).toBe('spam'))

  it.each([
    '',
    'not spam',
    'spam or ham',
    'This is spam, I think',
    'eggs',
    '{"label": "eggs", "other": "spam"}',
    '{"a": "spam", "b": "ham"}',
    'Answer: not spam',
  ])('not by %j', (reply) => expect(classMeant(reply, classes)).toBeUndefined())

  it('whatever stands between its words', () => expect(classMeant('Cannot say.', classes)).toBe('cannot_say'))
  it('only to the letter where two classes differ in no more than case', () => {
    expect(classMeant('A', ['a', 'A'])).toBe('A')
    expect(classMeant('"A"', ['a', 'A'])).toBe('A')
    expect(classMeant('A.', ['a', 'A'])).toBeUndefined()
  })
  it.each(['null', '{"label": null}'])('by none where it says %j: cannot tell', (reply) =>
    expect(classMeant(reply, classes)).toBeNull(),
  )
  it.each(['1', '{"label": 1}', '{"label": "1"}'])('also where it is a number: %j', (reply) =>
    expect(classMeant(reply, ['0', '1'])).toBe('1'),
  )
})

describe('a grade is meant', () => {
  it.each([
    ['4', '4'],
    ['4.5/5', '4.5'],
    ['Score: 3', '3'],
    ['3 out of 5', '3'],
    ['{"grade": 2, "why": "short"}', '2'],
    ['It is short.\nGrade: 2', '2'],
  ])('by %j', (reply, grade) => expect(gradeMeant(reply, [1, 5])).toBe(grade))
  it.each(['7', 'between 3 and 4', 'good', '', '-4'])('not by %j', (reply) => expect(gradeMeant(reply, [1, 5])).toBeUndefined())
})
