import { describe, expect, it } from 'vitest'
import type { TableColumn } from '../../core/rows.ts'
import { rolesOf, type Wishes } from '../../features/roles.ts'
import type { Table } from '../../sources/table.ts'
import { contentOf, displayOf } from './point-view.ts'

/** A table held in memory, as far as a view looks at it. */
function tableOf(columns: Readonly<Record<string, readonly (number | string)[]>>): Table {
  const names = Object.keys(columns)
  const rows = columns[names[0]!]!.length
  const known = names.map((name): TableColumn => {
    const texts = columns[name]!.map(String)
    const kind = typeof columns[name]![0] === 'number' ? 'number' : 'text'
    return { name, kind, missing: 0, distinct: new Set(texts).size, meanLength: 30, examples: texts.slice(0, 5) }
  })
  const unused = () => {
    throw new Error('not looked at')
  }
  return {
    columns: known,
    rows,
    hash: '',
    async *batches(wanted) {
      const cells = wanted.map(({ name }) => ({ kind: 'number' as const, values: Float32Array.from(columns[name] as number[]) }))
      yield { start: 0, rows, columns: cells }
    },
    strings: unused,
    pick: unused,
    close: async () => {},
  }
}

const cellsNamed = (nameOf: (k: number) => string, count: number, inkAt = (k: number, row: number) => (k * row) % 17) =>
  Object.fromEntries(Array.from({ length: count }, (_, k) => [nameOf(k), [0, 1, 2, 3, 4, 5].map((row) => inkAt(k, row))]))

const look = (columns: Parameters<typeof tableOf>[0], wishes: Wishes = {}) => {
  const table = tableOf(columns)
  return displayOf({ table, roles: rolesOf(table, wishes) }, wishes.ignore)
}

describe('a bitmap', () => {
  it.each([
    ['p00 and on', (k: number) => `p${`${k}`.padStart(2, '0')}`, 64, 8],
    ['pixel1 and on', (k: number) => `pixel${k + 1}`, 784, 28],
    ['numbers alone', (k: number) => `${k}`, 256, 16],
  ])('is found in %s', async (_, nameOf, count, width) => {
    const shown = await look({ ...cellsNamed(nameOf, count), other: [1, 2, 3, 4, 5, 6.5] })
    expect(shown.view).toEqual({ kind: 'bitmap', width, height: width })
    expect(shown.cells).toEqual(Array.from({ length: count }, (_, k) => nameOf(k)))
    expect(shown.full).toBe(16)
  })

  it.each([
    ['too few', cellsNamed((k) => `p${k}`, 49)],
    ['no square', cellsNamed((k) => `p${k}`, 65)],
    ['a gap', cellsNamed((k) => `p${k < 30 ? k : k + 1}`, 64)],
    [
      'something below nothing',
      cellsNamed(
        (k) => `p${k}`,
        64,
        (k, row) => k * row - 1,
      ),
    ],
    [
      'nothing but nothing',
      {
        ...cellsNamed(
          (k) => `p${k}`,
          64,
          () => 0,
        ),
        x: [1, 2, 3, 4, 5, 6],
      },
    ],
  ])('is not seen in columns with %s', async (_, columns) => {
    expect((await look(columns)).view).toEqual({ kind: 'row' })
  })

  it('shows ink as a share of the darkest there is, and no other column', async () => {
    const shown = await look(cellsNamed((k) => `p${k}`, 64))
    const { fields, cells } = contentOf({ id: 'a', fields: { p0: '8', p1: '16', p2: '99', p3: '-1', answer: '7' } }, shown)
    expect(fields).toEqual([])
    expect(cells!.slice(0, 5)).toEqual([0.5, 1, 1, 0, 0])
  })
})

describe('other points', () => {
  const words = ['some words of a text', 'other words in it', 'and so on it goes', 'for a few rows', 'and then', 'an end of it']
  const x = [1, 2, 3, 4, 5, 6]

  it('are shown as prose, where one column of words is what is shown', async () => {
    expect((await look({ body: words, x })).view).toEqual({ kind: 'text', column: 'body' })
    expect((await look({ body: words, x }, { show: ['body'] })).view).toEqual({ kind: 'text', column: 'body' })
    expect((await look({ body: words, x, y: x }, { show: ['body', 'x'] })).view).toEqual({ kind: 'row' })
  })

  it('are pictures, from this server or as they are, and never from elsewhere', async () => {
    const shown = await look({ file: ['a.png', 'b/c.jpg', 'd.gif', 'e.webp', 'f.png', 'g.png'], x })
    expect(shown.view).toEqual({ kind: 'image', column: 'file' })
    const imageOf = (file: string) => contentOf({ id: 'a/b', fields: { file } }, shown).image
    expect(imageOf('b/c.jpg')).toBe('/api/v1/images/a%2Fb')
    expect(imageOf('data:image/png;base64,AA==')).toBe('data:image/png;base64,AA==')
    for (const file of ['https://evil.example/a.png', 'HTTP://x/a.png', 'file:///etc/a.png', ''])
      expect(imageOf(file)).toBeUndefined()
  })

  it('are given as they are written, which pages show as text', async () => {
    const body = '<img src=x onerror=alert(1)>'
    const shown = await look({ body: words, x })
    expect(contentOf({ id: 'a', fields: { body } }, shown).fields).toEqual([{ name: 'body', value: body }])
  })

  it('show nothing of what was left out by name', async () => {
    const shown = await look({ x, answer: [1, 0, 1, 0, 1, 1] }, { ignore: ['answer'] })
    expect(contentOf({ id: 'a', fields: { x: '1', answer: '0' } }, shown).fields).toEqual([{ name: 'x', value: '1' }])
  })
})
