import { describe, expect, test } from 'vitest'
import { mostClasses } from '../../text/class-keys.ts'
import { addClass, enterNames, freeKey, isSeveral, problemOfClasses, renameClass, sentenceAboutKeys } from './classes.ts'

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

  test('a key nobody chose follows the name, a chosen one stays', () => {
    const [first] = renameClass(addClass([], ''), 0, 'b')
    expect(first).toEqual({ name: 'b', key: 'b' })
    expect(renameClass(keyed('yes=1 no=2'), 1, 'n')[1]).toEqual({ name: 'n', key: 'n' })
    expect(renameClass(keyed('yes=1 no=7'), 1, 'n')[1]).toEqual({ name: 'n', key: '7' })
  })

  test('there are keys for as many classes as there can be', () => {
    const many = Array.from({ length: mostClasses }, (_, i) => `class ${i}`).reduce(addClass, [])
    expect(many.at(-1)!.key).toBe('D')
    expect(problemOfClasses(many)).toBeUndefined()
  })
})

describe('several names at once', () => {
  test('are a class each, with keys of their own, in the place of the one that was open', () => {
    expect(enterNames(addClass([], ''), 0, 'billing, delivery; a')).toEqual(keyed('billing=1 delivery=2 a=a'))
    expect(enterNames(keyed('yes=1 x=2 no=3'), 1, 'perhaps\r\nnever\n')).toEqual(keyed('yes=1 perhaps=2 no=3 never=4'))
  })

  test('that are there already, or are nothing, are not added', () => {
    expect(enterNames(addClass(keyed('ham=1'), ''), 1, ' ham ,, spam, spam,')).toEqual(keyed('ham=1 spam=2'))
    expect(enterNames(addClass(keyed('ham=1'), ''), 1, 'ham,')).toEqual(keyed('ham=1'))
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
    ['yes=1', 'This file has one class only. Name at least two.'],
    ['yes=1 no=1', 'Two classes share the key 1. Give one of them another.'],
    ['yes=1 yes=2', 'Two classes are called yes. Give one of them another name.'],
    ['yes=1 =2', 'A class has no name. Name it, or remove it.'],
    ['yes=1 no=', 'no has no key. Give it one.'],
    ['yes=1 no=u', 'The key u means something else while labelling. Give no a digit or another letter.'],
  ])('%s', (classes, problem) => {
    expect(problemOfClasses(keyed(classes))).toBe(problem)
  })

  test('none at all', () => {
    expect(problemOfClasses([])).toBe('No class has a name yet. Name at least two.')
  })
})

test('the sentence about keys says how they are remembered', () => {
  expect(sentenceAboutKeys(keyed('0=0 1=1'))).toBe('Each has one key; here the key is the digit.')
  expect(sentenceAboutKeys(keyed('a=a b=b'))).toBe('Each has one key; here the key is its name.')
  expect(sentenceAboutKeys(keyed('yes=1 no=2'))).toBe('Each has one key.')
})
