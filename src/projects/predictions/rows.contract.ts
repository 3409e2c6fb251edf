import { uniform } from '../../core/randomness.ts'

/** Rows that every reader of predictions must read alike. An empty text is an empty cell; numbers are 32-bit numbers. */
export interface ContractRow {
  readonly id: string
  readonly text: string
  readonly label: string
  readonly old: string
  readonly third: string
  readonly p: number
  readonly cat: number
  readonly dog: number
  readonly cow: number
  readonly big: number
  readonly y: string
  readonly note: string
  readonly lang: string
  readonly shop: string
  readonly grade: number
  readonly mark: string
  readonly rank: number | ''
  readonly same: string
}

const same = 'x'

const first: ContractRow[] = [
  { id: 'one', text: 'a cat', label: 'cat', old: 'dog', third: 'cow', p: 0.875, cat: 0.875, dog: 0.125, cow: 0.0625, big: 0.5, y: 'cat', note: 'x', lang: 'en', shop: "O'Neil", grade: 1, mark: '1', rank: 1, same }, // biome-ignore format: rows of a table
  { id: 'two "2"', text: "a dog's", label: 'dog', old: 'dog', third: 'cow', p: 0.625, cat: 0.375, dog: 0.625, cow: 0.375, big: 90, y: 'cow', note: '', lang: 'de', shop: '', grade: 2.5, mark: '4.50', rank: '', same }, // biome-ignore format: rows of a table
  { id: 'trois é', text: 'a hen', label: 'cat', old: 'cat', third: 'cat', p: 1, cat: 1, dog: 0, cow: 0, big: 0.25, y: '', note: 'z', lang: '', shop: 'others', grade: 5, mark: '', rank: 3, same }, // biome-ignore format: rows of a table
]

const unit = (row: number, what: string) => uniform(3, what, `${row}`)
const one = (row: number, what: string, of: readonly string[]) => of[Math.floor(unit(row, what) * of.length)]!
const share = (row: number, what: string) => Math.floor(65537 * (1 - unit(row, what)) ** 3) / 65536 // a 32-bit number, as written
const classes = ['cat', 'dog', 'cow']
const shops = [
  '',
  '(empty)',
  'others',
  'a "b"',
  'é',
  '\u{fb00}',
  '\u{1d4b3}',
  ...Array.from({ length: 60 }, (_, k) => `shop ${k}`),
]

function rowAt(row: number): ContractRow {
  return {
    id: `row ${row}`,
    text: 'an animal',
    label: one(row, 'label', classes),
    old: one(row, 'old', classes),
    third: one(row, 'third', classes),
    p: 1 - share(row, 'p'),
    cat: share(row, 'cat'),
    dog: share(row, 'dog'),
    cow: row % 7 === 0 ? share(row, 'dog') : share(row, 'cow'), // some tie
    big: 0.5,
    y: one(row, 'y', classes),
    note: 'n',
    lang: one(row, 'lang', ['en', 'en', 'de', 'fr', '']),
    shop: row < 20 ? shops[row % 10]! : one(row, 'shop', shops),
    grade: 1 + Math.floor(17 * unit(row, 'grade')) / 4,
    mark: `${1 + (row % 5)}`,
    rank: row,
    same,
  }
}

export const contractRows: readonly ContractRow[] = [...first, ...Array.from({ length: 150 }, (_, row) => rowAt(row))]
