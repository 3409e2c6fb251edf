import { expect, test } from 'vitest'
import { initials } from './annotator.ts'

test.each([
  ['Anna Kowalska', 'AK'],
  ['bob', 'B'],
  ['  Li  Wei Chen ', 'LC'],
  ['Émile', 'É'],
  ['😀 smith', '😀S'],
])('initials of %j are %s', (name, said) => expect(initials(name)).toBe(said))
