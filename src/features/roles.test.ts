import { expect, it } from 'vitest'
import type { TableColumn } from '../core/rows.ts'
import { rolesOf, type Wishes } from './roles.ts'

function column(name: string, facts: Partial<TableColumn> = {}): TableColumn {
  return { name, kind: 'number', missing: 0, distinct: 500, meanLength: 4, examples: ['1.5', '2.25', '-3'], ...facts }
}

const texts = (examples: string[], facts: Partial<TableColumn> = {}): Partial<TableColumn> => ({
  kind: 'text',
  examples,
  ...facts,
})
const plain = column('x')

function roleOf(given: TableColumn, wishes: Wishes = {}, rows = 1000): [string, string] {
  const { role, reason } = rolesOf({ columns: [given, plain], rows }, wishes)[0]!
  return [role, reason]
}

it.each<[string, TableColumn, string, string]>([
  ['numbers', column('age'), 'number', 'numbers'],
  ['few numbers', column('stars', { distinct: 5 }), 'number', 'numbers'],
  ['a column called ID', column('ID', { distinct: 1000, examples: ['1', '2'] }), 'id', 'names the points'],
  ['texts called id', column('id', texts(['a-1', 'a-2'], { distinct: 1000 })), 'id', 'names the points'],
  ['an id with twins, which reading the ids will refuse', column('id', { distinct: 12 }), 'id', 'names the points'],
  [
    'a row number',
    column('row', { distinct: 1000, examples: ['1', '2', '3'] }),
    'ignored',
    'whole numbers, all different: looks like a row number',
  ],
  [
    'a foreign key',
    column('userId', { distinct: 1000, examples: ['77', '12'] }),
    'ignored',
    'whole numbers, all different: looks like a row number',
  ],
  [
    'the index of pandas',
    column('Unnamed: 0', { distinct: 1000, examples: ['0', '1'] }),
    'ignored',
    'whole numbers, all different: looks like a row number',
  ],
  ['whole numbers under another name', column('paid', { distinct: 1000, examples: ['70', '12'] }), 'number', 'numbers'],
  ['a constant', column('k', { distinct: 1 }), 'ignored', 'constant: says nothing'],
  ['a constant text', column('k', texts(['a'], { distinct: 1 })), 'ignored', 'constant: says nothing'],
  ['a constant with holes', column('k', { distinct: 1, missing: 10 }), 'number', 'numbers'],
  ['nothing', column('k', texts([], { distinct: 0, missing: 1000 })), 'ignored', 'empty'],
  ['a few values', column('colour', texts(['red', 'blue'], { distinct: 7 })), 'category', '7 different values'],
  [
    'long names of a few values',
    column('segment', texts(['Large enterprise customers'], { distinct: 4, meanLength: 26 })),
    'category',
    '4 different values',
  ],
  ['sentences', column('body', texts(['Call me later', 'ok lar'], { distinct: 950, meanLength: 80 })), 'text', 'words'],
  ['Chinese', column('body', texts(['这是垃圾短信', '明天见吧朋友'], { distinct: 950, meanLength: 6 })), 'text', 'words'],
  [
    'names',
    column('user', texts(['smith', 'jones'], { distinct: 990 })),
    'ignored',
    '990 different values in 1,000 rows: looks like a name',
  ],
  [
    'keys',
    column('key', texts(['8f14-e45f-ceea', 'c9f0-f895-fb98'], { distinct: 990, meanLength: 36 })),
    'ignored',
    '990 different values in 1,000 rows: looks like a name',
  ],
  [
    'days',
    column('when', texts(['2024-01-05 10:00', '2024-02-11 09:30'], { distinct: 300 })),
    'ignored',
    'dates: say little by themselves',
  ],
  [
    'many towns',
    column('town', texts(['Ulm', 'Bonn'], { distinct: 300 })),
    'ignored',
    '300 different values in 1,000 rows: too many for a category, and no words',
  ],
  [
    'paths of images',
    column('file', texts(['img/1.PNG', 'img/2.jpeg'], { distinct: 1000 })),
    'show',
    'images: shown, not learned from',
  ],
  [
    'images themselves',
    column('image', texts(['data:image/png;base64,iVBO'], { distinct: 900 })),
    'show',
    'images: shown, not learned from',
  ],
  ['vectors', column('v', { kind: 'vector', width: 1536, examples: ['[1,2]'] }), 'vector', 'lists of 1,536 numbers'],
])('takes %s for what it is', (_, given, role, reason) => {
  expect(roleOf(given)).toEqual([role, reason])
})

it('takes few texts for texts, however few rows there are, and many towns for a category where rows abound', () => {
  const body = column('body', texts(['Call me later', 'see you there'], { distinct: 12, meanLength: 14 }))
  expect(roleOf(body, {}, 12)[0]).toBe('text')
  expect(roleOf(column('town', texts(['Ulm', 'Bonn'], { distinct: 300 })), {}, 6000)[0]).toBe('category')
  expect(roleOf(column('town', texts(['Ulm', 'Bonn'], { distinct: 1001 })), {}, 60_000)[0]).toBe('ignored')
})

it.each<[string, TableColumn, Wishes, string, string]>([
  ['--text wins over numbers', column('code'), { text: ['code'] }, 'text', 'chosen with --text'],
  [
    '--category wins over names',
    column('user', texts(['smith'], { distinct: 990 })),
    { category: ['user'] },
    'category',
    'chosen with --category',
  ],
  [
    '--number wins over a row number',
    column('row', { distinct: 1000, examples: ['1'] }),
    { number: ['row'] },
    'number',
    'chosen with --number',
  ],
  ['--id wins', column('code'), { id: 'code' }, 'id', 'chosen with --id'],
  ['--label wins over id', column('id', { distinct: 1000 }), { label: 'id' }, 'label', 'chosen with --label'],
  ['--ignore wins', column('age'), { ignore: ['age'] }, 'ignored', 'chosen with --ignore'],
  ['--show alone is not learned from', column('age'), { show: ['age'] }, 'show', 'chosen with --show'],
  ['--features leaves out the rest', column('age'), { features: ['x'] }, 'ignored', 'not among --features'],
  ['--features keeps the id', column('id', { distinct: 1000 }), { features: ['x'] }, 'id', 'names the points'],
  ['--features takes a constant', column('k', { distinct: 1 }), { features: ['k'] }, 'number', 'chosen with --features'],
  [
    '--features takes names as texts',
    column('user', texts(['smith'], { distinct: 990 })),
    { features: ['user'] },
    'text',
    'chosen with --features',
  ],
  [
    '--features takes few values as a category',
    column('c', texts(['a'], { distinct: 3 })),
    { features: ['c'] },
    'category',
    'chosen with --features',
  ],
  [
    '--features with --text',
    column('c', texts(['a'], { distinct: 3 })),
    { features: ['x'], text: ['c'] },
    'text',
    'chosen with --text',
  ],
])('%s', (_, given, wishes, role, reason) => {
  expect(roleOf(given, wishes)).toEqual([role, reason])
})

it('shows texts and images, or what is wished for, learned from or not', () => {
  const columns = [
    column('a'),
    column('body', texts(['Call me later'], { distinct: 900, meanLength: 30 })),
    column('pic', texts(['1.png'], { distinct: 900 })),
  ]
  const shown = (wishes: Wishes) =>
    rolesOf({ columns, rows: 1000 }, wishes)
      .filter(({ isShown }) => isShown)
      .map(({ column, role }) => [column.name, role])
  expect(shown({})).toEqual([
    ['body', 'text'],
    ['pic', 'show'],
  ])
  expect(shown({ show: ['a', 'body'], text: ['body'] })).toEqual([
    ['a', 'show'],
    ['body', 'text'],
  ])
})

it.each<[string, Wishes, string]>([
  ['an unknown name', { text: ['bdy'] }, '--text: must be a column of the table, got "bdy"'],
  ['an unknown feature', { features: ['x', 'z'] }, '--features: must be a column of the table, got "z"'],
  ['two roles', { text: ['body'], category: ['body'] }, '--category: a column can have one role, got "body", chosen with --text'],
  [
    'a label to learn from',
    { label: 'body', features: ['x', 'body'] },
    '--features: a column can have one role, got "body", chosen with --label',
  ],
  [
    'showing the ignored',
    { ignore: ['body'], show: ['body'] },
    '--show: a column can have one role, got "body", chosen with --ignore',
  ],
  ['texts for numbers', { number: ['body'] }, '--number: body must hold numbers, got texts such as "Call me"'],
  ['numbers for vectors', { vector: ['x'] }, '--vector: x must hold lists of as many numbers each, got numbers such as "1.5"'],
  ['vectors for texts', { text: ['v'] }, '--text: v must hold texts or numbers, got lists of numbers such as "[1,2]"'],
])('refuses %s', (_, wishes, message) => {
  const columns = [plain, column('body', texts(['Call me'])), column('v', { kind: 'vector', width: 2, examples: ['[1,2]'] })]
  expect(() => rolesOf({ columns, rows: 1000 }, wishes)).toThrow(message)
})

it('refuses a table with nothing to learn from, and says why', () => {
  const columns = [column('y'), column('k', { distinct: 1 })]
  expect(() => rolesOf({ columns, rows: 1000 }, { label: 'y' })).toThrow(
    'features: at least one column to learn from is required, got y (chosen with --label), k (constant: says nothing)',
  )
  expect(() => rolesOf({ columns: [], rows: 0 })).toThrow('got no columns')
})
