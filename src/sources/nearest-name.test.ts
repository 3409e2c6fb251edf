import { expect, it } from 'vitest'
import { editDistance, nearestName } from './nearest-name.ts'

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
