import { expect, it } from 'vitest'
import { drawTable } from './table.ts'

it('draws plain columns, numbers to the right', () => {
  const text = drawTable({
    columns: [{ title: 'strategy' }, { title: 'error' }, { title: 'labels' }, { title: 'note' }],
    rows: [
      ['alis', '3.1 %', '300', ''],
      ['uniform', '12.4 %', '1,300', 'the baseline'],
      ['漢字', '−0.5 %', '', 'wide'],
    ],
  })
  expect(text).toBe(
    [
      'strategy   error  labels  note',
      '────────  ──────  ──────  ────────────',
      'alis       3.1 %     300',
      'uniform   12.4 %   1,300  the baseline',
      '漢字      −0.5 %          wide',
    ].join('\n'),
  )
})

it('aligns as told, fills short rows, and keeps a row on one line', () => {
  const text = drawTable({
    columns: [
      { title: 'a', align: 'right' },
      { title: 'number', align: 'left' },
    ],
    rows: [['x\ny', '1'], ['z']],
  })
  expect(text).toBe(['  a  number', '───  ──────', 'x y  1', '  z'].join('\n'))
})

it('draws a header without rows', () => {
  expect(drawTable({ columns: [{ title: 'one' }, { title: 'two' }], rows: [] })).toBe('one  two\n───  ───')
})

it('uses colour only if asked, and shows that of others', () => {
  const text = drawTable({ columns: [{ title: 'count', align: 'right' }], rows: [['7']], color: true })
  expect(text).toBe('\x1b[1mcount\x1b[22m\n\x1b[2m─────\x1b[22m\n    7')
  expect(drawTable({ columns: [{ title: 'a\x1b[2J' }], rows: [['\x1b[31m7\x1b[39m']] })).toBe(
    `a\\x1b[2J\n${'─'.repeat(17)}\n\\x1b[31m7\\x1b[39m`,
  )
})

it('fits a narrow terminal: the widest columns are broken between words', () => {
  const columns = [{ title: 'round' }, { title: 'error now' }, { title: 'what is said of it' }]
  const lines = drawTable({ columns, rows: [['1', '12.5 %', 'not enough answers yet']], width: 30 }).split('\n')
  expect(lines).toEqual([
    'round  error now  what is said',
    '                  of it',
    '─────  ─────────  ────────────',
    '    1     12.5 %  not enough',
    '                  answers yet',
  ])
})
