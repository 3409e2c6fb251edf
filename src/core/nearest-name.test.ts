import { expect, it } from 'vitest'
import { didYouMean, editDistance, nearestName } from './nearest-name.ts'

it('counts insertions, deletions and substitutions', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('flaw', 'lawn')).toBe(2)
  expect(editDistance('same', 'same')).toBe(0)
})

it('finds the name that was meant, and none where nothing is near', () => {
  const names = ['digit', 'id', 'label']
  expect(nearestName('lable', names)).toBe('label')
  expect(nearestName('labels', names)).toBe('label')
  expect(nearestName('DIGIT', names)).toBe('digit')
  expect(nearestName('colour', names)).toBe(undefined)
})

it('asks whether it was meant, and asks nothing where nothing is near', () => {
  expect(didYouMean('lable', ['id', 'label'])).toBe('Did you mean "label"?')
  expect(didYouMean('colour', ['id', 'label'])).toBe(undefined)
})

it('wastes no time on what is far too long', () => {
  const names = Array.from({ length: 1000 }, (_, k) => `class ${k}`)
  expect(nearestName('x'.repeat(1e6), names)).toBe(undefined) // ten thousand million steps, letter by letter
})
