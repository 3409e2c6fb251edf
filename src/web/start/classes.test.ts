import { describe, expect, test } from 'vitest'
import { offeredKeys } from '../../text/class-keys.ts'
import { addClass, enterNames, freeKey, isSeveral, problemOfClasses } from './classes.ts'

const keyed = (text: string) => text.split(' ').map((pair) => ({ name: pair.split('=')[0]!, key: pair.split('=')[1]! }))

describe('keys of new classes', () => {
  test('a class called by one key gets it, unless it is taken', () => {
    expect(freeKey('7', [])).toBe('7')
    expect(freeKey('B', [])).toBe('b')
    expect(freeKey('7', ['7'])).toBe('1')
  })

  test('any other gets the first digit that is free, then letters that mean nothing else', () => {
    expect(freeKey('spam', ['1', '2'])).toBe('3')
    expect(freeKey('spam', [...'1234567890'])).toBe('a')
    expect(freeKey('u', [])).toBe('1')
  })

  test('those that come after the keys have none', () => {
    const many = Array.from({ length: 60 }, (_, i) => `class ${i}`).reduce(addClass, [])
    const keys = many.map(({ key }) => key)
    expect(keys.filter((key) => key !== '').length).toBe(offeredKeys.length)
    expect([keys.at(-1), problemOfClasses(many)]).toEqual(['', undefined])
  })
})

describe('several names at once', () => {
  test('are a class each, with keys of their own, after those that are there', () => {
    expect(enterNames([], 'billing, delivery; a').classes).toEqual(keyed('billing=1 delivery=2 a=a'))
    expect(enterNames(keyed('yes=1 no=3'), 'perhaps\r\nnever\n').classes).toEqual(keyed('yes=1 no=3 perhaps=2 never=4'))
  })

  test('that are there already are not added, and named', () => {
    const { classes, known } = enterNames(keyed('Ham=1'), ' ham ,, spam, spam,')
    expect(classes).toEqual(keyed('Ham=1 spam=2'))
    expect(known).toEqual(['Ham'])
  })

  test.each([
    ['a, b', true],
    ['a\tb', true],
    ['a\n', true],
    ['New York', false],
  ])('%j: %s', (text, isMany) => {
    expect(isSeveral(text)).toBe(isMany)
  })
})

describe('what is wrong with classes', () => {
  test.each([
    ['yes=1 no=2', undefined],
    ['yes=1 no=', undefined],
    ['yes=1', 'Name at least two.'],
    ['yes=1 yes=2', 'yes is there twice.'],
  ])('%s', (classes, problem) => {
    expect(problemOfClasses(keyed(classes))).toBe(problem)
  })

  test('none at all', () => {
    expect(problemOfClasses([])).toBe('Name at least two.')
  })
})
