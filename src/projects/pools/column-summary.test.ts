import { expect, it } from 'vitest'
import { rolesOf } from '../../features/roles.ts'
import { answersAmong, columnsSay } from './column-summary.ts'

const column = (name: string, distinct: number, examples: readonly string[]) => {
  const kind = examples.every((text) => !Number.isNaN(Number(text))) ? ('number' as const) : ('text' as const)
  return { name, kind, missing: 0, distinct, meanLength: 3, examples }
}
const columns = [column('x', 90, ['0.1', '7', '8.5']), column('verdict', 2, ['ham', 'spam']), column('p12', 2, ['ham', 'spam'])]

it('says what every column is for, and why one is left out', () => {
  const roles = rolesOf({ columns, rows: 100 }, { ignore: ['p12'] })
  expect(columnsSay(roles)).toEqual(['  number    x', '  category  verdict', '  ignored   p12 (chosen with --ignore)'])
})

it('warns of a column that would give the answers away, but of none in a numbered row', () => {
  const warnings = (classes: readonly string[], ignore: readonly string[] = []) =>
    answersAmong(rolesOf({ columns, rows: 100 }, { ignore }), classes)
  expect(warnings(['ham', 'spam'])).toEqual([
    '  verdict has the classes for its values, and is learned from. --ignore verdict leaves it out.',
  ])
  expect(warnings(['ham', 'spam'], ['verdict'])).toEqual([])
  expect(warnings(['ham', 'eggs'])).toEqual([])
})
