import { describe, expect, test } from 'vitest'
import type { TableColumn } from '../../core/rows.ts'
import { rolesOf } from '../../features/roles.ts'
import type { Role } from '../../protocol/start.ts'
import {
  type Choices,
  choicesAtFirst,
  chooseRole,
  chooseShown,
  groupColumns,
  type InspectedColumn,
  reasonOf,
  roleOf,
  seenIn,
  type Understanding,
  wishesOf,
} from './columns.ts'

function column(name: string, role: Role, more: Partial<InspectedColumn> = {}): InspectedColumn {
  return { name, role, isShown: false, looksLikeAnswers: false, isPersonal: false, examples: [], values: [], ...more }
}

const cells = Array.from({ length: 64 }, (_, i) => {
  const isConstant = i === 0 || i === 32 || i === 39
  return column(`p${String(i).padStart(2, '0')}`, isConstant ? 'ignored' : 'number')
})
const digits = [column('id', 'id'), ...cells, column('digit', 'ignored', { looksLikeAnswers: true })]
const picture = { kind: 'bitmap', width: 8, height: 8 } as const

describe('groups of columns', () => {
  test('the cells of a picture are one row, with those that are left out', () => {
    const groups = groupColumns(digits, picture)
    expect(groups.map(({ title, isPicture }) => [title, isPicture])).toEqual([
      ['id', false],
      ['p00 to p63', true],
      ['digit', false],
    ])
    expect(roleOf(groups[1]!)).toBe('number')
    expect(reasonOf(groups[1]!)).toBe('3 cells are the same in every picture, and left out')
  })

  test('many numbered columns of one kind are one row, and a break in numbers or kind divides them', () => {
    const numbers = (from: number, to: number, role: Role = 'number') =>
      Array.from({ length: to - from }, (_, i) => column(`e${from + i}`, role))
    const groups = groupColumns([...numbers(1, 11), ...numbers(11, 12, 'ignored'), ...numbers(13, 22)], { kind: 'row' })
    expect(groups.map(({ title }) => title)).toEqual(['e1 to e10', 'e11', 'e13 to e21'])
  })

  test('a few numbered columns stay apart, as do columns without numbers', () => {
    const names = ['x1', 'x2', 'x3', 'height', 'width']
    const groups = groupColumns(
      names.map((name) => column(name, 'number')),
      { kind: 'row' },
    )
    expect(groups.map(({ title }) => title)).toEqual(names)
  })

  test('every column is in one group, in order', () => {
    const names = groupColumns(digits, { kind: 'row' }).flatMap(({ columns }) => columns.map(({ name }) => name))
    expect(names).toEqual(digits.map(({ name }) => name))
  })

  test('what a person chose needs no reason, what was found out does', () => {
    const reason = (text: string) => reasonOf(groupColumns([column('a', 'ignored', { reason: text })], { kind: 'row' })[0]!)
    expect(reason('chosen with --ignore')).toBeUndefined()
    expect(reason('empty')).toBe('empty')
  })
})

/** A table of mails, as a source describes it. */
const source: TableColumn[] = [
  { name: 'id', kind: 'text', missing: 0, distinct: 100, meanLength: 5, examples: ['m0001', 'm0002'] },
  { name: 'body', kind: 'text', missing: 0, distinct: 100, meanLength: 60, examples: ['Where is my order', 'Please call me'] },
  { name: 'length', kind: 'number', missing: 0, distinct: 70, meanLength: 2, examples: ['61', '40'] },
  { name: 'channel', kind: 'text', missing: 0, distinct: 3, meanLength: 4, examples: ['mail', 'phone'] },
  { name: 'empty', kind: 'text', missing: 100, distinct: 0, meanLength: 0, examples: [] },
]

/** What the server would say of these choices: the real rules, applied to the wishes. */
function understood(choices: Choices, before: Understanding = { columns: [], view }): Understanding {
  const roles = rolesOf({ columns: source, rows: 100 }, wishesOf(choices, before))
  return {
    columns: roles.map(({ column: { name }, role, reason, isShown }) =>
      column(name, role === 'score' ? 'ignored' : role, { reason, isShown }),
    ),
    view,
  }
}

const view = { kind: 'row' } as const

const byName = ({ columns }: Understanding) =>
  Object.fromEntries(columns.map(({ name, role, isShown }) => [name, isShown ? `${role}, shown` : role]))

describe('what a person changes', () => {
  const none: Choices = { roles: {} }
  const first = understood(none)

  test('nothing chosen is no wish at all', () => {
    expect(wishesOf(none, first)).toEqual({})
    expect(byName(first)).toEqual({ id: 'id', body: 'text, shown', length: 'number', channel: 'category', empty: 'ignored' })
  })

  test('a role is taken, and the last one chosen for a column counts', () => {
    const once = chooseRole(none, first, ['length'], 'category')
    const twice = chooseRole(once, understood(once), ['length'], 'ignored')
    expect(byName(understood(once)).length).toBe('category')
    expect(byName(understood(twice)).length).toBe('ignored')
  })

  test('there is one id: a second takes the place of the first', () => {
    const once = chooseRole(none, first, ['channel'], 'id')
    const twice = chooseRole(once, understood(once), ['length'], 'id')
    expect(wishesOf(twice, understood(once))).toEqual({ id: 'length' })
  })

  test('showing one more column changes nothing about what is learned', () => {
    const choices = chooseShown(none, first, ['channel'], true)
    expect(byName(understood(choices, first))).toEqual({ ...byName(first), channel: 'category, shown' })
  })

  test('showing the id leaves it the id, unless another column became it', () => {
    const shown = chooseShown(none, first, ['id'], true)
    expect(byName(understood(shown, first)).id).toBe('id, shown')
    const moved = chooseRole(shown, understood(shown, first), ['length'], 'id')
    expect(wishesOf(moved, understood(shown, first)).id).toBe('length')
  })

  test('hiding what was shown keeps its role', () => {
    const shown = chooseShown(none, first, ['channel'], true)
    const hidden = chooseShown(shown, understood(shown, first), ['body'], false)
    expect(byName(understood(hidden, understood(shown, first))).body).toBe('text')
  })

  test('a column only shown is no longer learned from, and the others are as before', () => {
    const choices = chooseRole(none, first, ['length'], 'show')
    expect(byName(understood(choices, first))).toEqual({ ...byName(first), length: 'show, shown' })
  })

  test('leaving out what was shown takes it off the screen', () => {
    const shown = chooseShown(none, first, ['channel'], true)
    const left = chooseRole(shown, understood(shown, first), ['channel'], 'ignored')
    expect(byName(understood(left, understood(shown, first))).channel).toBe('ignored')
  })

  test('showing what was left out by choice takes the choice back', () => {
    const left = chooseRole(none, first, ['channel'], 'ignored')
    const shown = chooseShown(left, understood(left), ['channel'], true)
    expect(byName(understood(shown, understood(left))).channel).toBe('show, shown')
  })

  test('a column that looks like answers or names people is left out, and predictions where they are some for sure', () => {
    const columns = [
      column('label', 'category', { looksLikeAnswers: true }),
      column('y', 'label', { looksLikeAnswers: true }),
      column('from', 'text', { isPersonal: true }),
      column('gpt', 'category'),
    ]
    const recognised = { kind: 'predictions', isSure: true, why: '', roles: { gpt: 'check', from: 'out' } } as const
    expect(choicesAtFirst({ columns, recognised })).toEqual({ roles: { label: 'ignored', from: 'ignored', gpt: 'ignored' } })
    const unsure = { ...recognised, isSure: false }
    expect(choicesAtFirst({ columns, recognised: unsure })).toEqual({ roles: { label: 'ignored', from: 'ignored' } })
  })

  test('in a plain row everything is seen that was not left out by hand', () => {
    const columns = [
      column('a', 'number'),
      column('b', 'ignored', { reason: 'empty' }),
      column('c', 'ignored', { reason: 'chosen with --ignore' }),
    ]
    expect(seenIn({ columns, view })).toEqual(['a', 'b'])
    expect(seenIn({ columns, view: picture })).toEqual([])
    expect(seenIn(first)).toEqual(['body'])
  })

  test('the last column that was chosen to be shown can be taken back: then good sense decides again', () => {
    const shown: Choices = { roles: {}, shown: ['channel'] }
    const none = chooseShown(shown, understood(shown, first), ['channel'], false)
    expect(seenIn(understood(none, first))).toEqual(['body'])
  })
})
