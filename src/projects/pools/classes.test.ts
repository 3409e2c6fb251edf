import { expect, it } from 'vitest'
import { classesOf } from './classes.ts'

const labels = (...values: (string | null)[]) => new Set(values)

it('takes the values themselves, numbers in order of size and texts in order of characters', () => {
  expect(classesOf('y', labels('10', '9', null, '1.5'), undefined).names).toEqual(['1.5', '9', '10'])
  expect(classesOf('y', labels('b', 'Z', '10', '9'), undefined).names).toEqual(['10', '9', 'Z', 'b'])
  expect(classesOf('y', labels('a', 'b', null), undefined).of(null)).toBe(null)
})

it('makes two classes of many, by one value or several', () => {
  const { names, of } = classesOf('y', labels('1', '2', '3', null), '2,3')
  expect(names).toEqual(['not 2,3', '2,3'])
  expect(['1', '2', '3', null].map(of)).toEqual(['not 2,3', '2,3', '2,3', null])
})

it('takes a value with a comma for one value where there is such a one', () => {
  expect(['a,b', 'a', 'b'].map(classesOf('y', labels('a,b', 'a', 'b'), 'a,b').of)).toEqual(['a,b', 'not a,b', 'not a,b'])
})

it.each([
  ['no labels', labels(null), undefined, 'y: at least two different labels are required, got none'],
  ['one label', labels('a', null), undefined, 'y: at least two different labels are required, got only "a"'],
  ['a thousand and one', labels(...Array.from({ length: 1001 }, (_, k) => `${k}`)), undefined, 'at most 1,000 classes'],
  ['a value that is none', labels('spam', 'ham'), 'Spam', 'positive: one of the values of y is required, got "Spam"'],
  ['all values', labels('a', 'b'), 'a,b', 'positive: some value of y must be left over as negative, got all of them'],
])('refuses %s', (_, found, positive, message) => {
  expect(() => classesOf('y', found, positive)).toThrow(message)
})
