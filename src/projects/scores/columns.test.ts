import { expect, it } from 'vitest'
import { chanceColumns, scoresRecipe } from './columns.ts'

it('takes one column for two classes, and one for each of more, in the order of the classes', () => {
  expect(chanceColumns(['p'], ['ham', 'spam'])).toEqual(['p'])
  expect(chanceColumns(['dog', 'bird', 'cat'], ['bird', 'cat', 'dog'])).toEqual(['bird', 'cat', 'dog'])
})

it.each([
  ['one class', ['p'], ['spam'], 'classes: at least two are required, got 1'],
  ['two columns for two classes', ['p', 'q'], ['ham', 'spam'], 'the probability of "spam", got 2'],
  ['a class without a column', ['bird', 'cat'], ['bird', 'cat', 'dog'], 'a column for each of the classes bird, cat, dog'],
  ['a column too many', ['bird', 'cat', 'dog', 'p'], ['bird', 'cat', 'dog'], 'is required, got bird, cat, dog, p'],
])('refuses %s', (_, named, classes, message) => {
  expect(() => chanceColumns(named, classes)).toThrow(message)
})

it('makes nothing of the columns but what they say', () => {
  expect(scoresRecipe(9, ['p', 'q'])).toEqual({ version: 1, rows: 9, width: 2, layout: 'dense', parts: [] })
})
