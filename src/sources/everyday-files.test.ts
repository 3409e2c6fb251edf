import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { workbookOf, zipOf } from '../../test/sources/zip-of.ts'
import { closing } from '../core/closing.ts'
import { openTable } from './duckdb-file.ts'
import { sheetsIn } from './excel.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-everyday-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** Names, kinds and cells of a table. */
const read = (path: string) =>
  closing(openTable(path), async ({ columns, rows, pick }) => {
    const all = Array.from({ length: rows }, (_, k) => k)
    const names = columns.map(({ name }) => name)
    return { names, kinds: columns.map(({ kind }) => kind), cells: await pick(all, names) }
  })

describe('a workbook', () => {
  const texts = [
    '<t>id</t>',
    '<t xml:space="preserve">what &amp; why</t>',
    '<r><t>two </t></r><r><t>runs</t></r><rPh><t>x</t></rPh>',
  ]
  const rows = [
    '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="inlineStr"><is><t>when</t></is></c><c r="F2" t="str"><v>sum</v></c></row>',
    '<row r="3"/>',
    '<row r="4"><c r="B4"><v>1</v></c><c r="C4" t="s"><v>2</v></c><c r="D4" s="1"><v>46086</v></c><c r="F4"><f>1+2</f><v>0.30000000000000004</v></c></row>',
    '<row r="5"><c r="B5"><v>2</v></c><c r="C5" t="b"><v>1</v></c><c r="D5" s="2"><v>46086.604166666664</v></c><c r="F5" t="e"><v>#N/A</v></c></row>',
    '<row r="6"><c r="A6" s="3"/><c r="B6"><v>3</v></c><c r="C6" t="inlineStr"><is><t>line_x000A_two; "x", y</t></is></c><c r="F6" s="3"><v>1e2</v></c></row>',
  ]
  const formats = ['General', 'yyyy\\-mm\\-dd', 'd/m/yy h:mm', '0.00 "days"']
  const book = file(
    'mails.xlsx',
    workbookOf({ Notes: '', 'In & out': rows.join(''), More: rows.slice(0, 3).join('') }, { texts, formats }),
  )

  it('is the first sheet that has cells: dates, values of formulas, no empty rows or columns', async () => {
    expect(await read(book)).toEqual({
      names: ['id', 'what & why', 'when', 'sum'],
      kinds: ['number', 'text', 'text', 'number'],
      cells: [
        ['1', 'two runs', '2026-03-05', '0.3'],
        ['2', 'true', '2026-03-05T14:30:00', null],
        ['3', 'line\ntwo; "x", y', null, '100'],
      ],
    })
  })

  it('is the sheet that is named, with its first row one like the others where that is said', async () => {
    expect(await sheetsIn(book)).toEqual(['Notes', 'In & out', 'More'])
    expect((await read(`${book}#sheet=More`)).cells).toEqual([['1', 'two runs', '2026-03-05', '0.3']])
    const plain = await read(`${book}#sheet=In+%26+out&header=no`)
    expect([plain.names, plain.cells[0]]).toEqual([
      ['column1', 'column2', 'column3', 'column4'],
      ['id', 'what & why', 'when', 'sum'],
    ])
    await expect(read(`${book}#sheet=None`)).rejects.toThrow('a sheet called Notes, In & out or More is required, got None')
  })

  it('may count its days from 1904', async () => {
    const days = '<row><c t="inlineStr"><is><t>day</t></is></c></row><row><c s="1"><v>44624</v></c></row>'
    const old = workbookOf({ A: days }, { formats, workbook: '<workbookPr date1904="1"/>' })
    expect((await read(file('mac.xlsx', old))).cells).toEqual([['2026-03-05']])
  })

  it.each([
    ['no archive', 'id,x\n1,2\n', 'must be a ZIP archive, got something else'],
    ['another archive', zipOf({ 'a.txt': 'a' }), 'must be an Excel workbook, got another archive'],
    ['a part of one', workbookOf({ A: '' }).subarray(400), 'must be'],
  ])('that is %s is refused', async (_, content, message) => {
    await expect(read(file('bad.xlsx', content))).rejects.toThrow(message)
  })

  it('that was damaged is refused', async () => {
    const damaged = workbookOf({ A: rows.join('') }, { texts })
    damaged[damaged.indexOf('sharedStrings.xml') + 30]! ^= 0xff
    await expect(read(file('damaged.xlsx', damaged))).rejects.toThrow('undamaged')
  })
})

describe('text', () => {
  const odd = Buffer.from('id;topic\n1;Caf\xe9\n2;Gr\xfc\xdfe\n', 'latin1')

  it('in another encoding is refused with the way to say so, and read once it is said', async () => {
    const path = file('odd.csv', odd)
    await expect(read(path)).rejects.toMatchObject({ hint: expect.stringContaining('#encoding=windows-1252') })
    expect((await read(`${path}#encoding=windows-1252`)).cells).toEqual([
      ['1', 'Café'],
      ['2', 'Grüße'],
    ])
    await expect(read(`${path}#encoding=none`)).rejects.toThrow('an encoding such as windows-1252 is required, got none')
    await expect(read(`${path}#colour=red`)).rejects.toThrow(
      'sheet, table, split, encoding, decimal, header or missing is required after #, got colour',
    )
  })

  it.each([
    ['with a mark', '\ufeff'],
    ['without one', ''],
  ])('in UTF-16 %s is read as it is', async (_, mark) => {
    const text = `${mark}id\ttopic\n1\tCafé\n`
    const little = Buffer.from(text, 'utf16le')
    expect((await read(file('little.tsv', little))).cells).toEqual([['1', 'Café']])
    expect((await read(file('big.tsv', little.swap16()))).cells).toEqual([['1', 'Café']])
  })

  it('with decimal commas has numbers once that is said, and dates stay what they are', async () => {
    const path = file('comma.csv', 'id;p;n;day\n1;0,71;1.234,5;12.03.2026\n2;1;-3;13.03.2026\n')
    expect((await read(path)).kinds).toEqual(['number', 'text', 'text', 'text'])
    const said = await read(`${path}#decimal=comma`)
    expect(said.kinds).toEqual(['number', 'number', 'number', 'text'])
    await closing(openTable(`${path}#decimal=comma`), async ({ batches }) => {
      for await (const { columns } of batches([{ name: 'n', as: 'number' }]))
        expect([...(columns[0]!.values as Float32Array)]).toEqual([1234.5, -3])
    })
  })

  it('whose name has a # is read by its name', async () => {
    expect((await read(file('a#b.csv', 'id,x\n1,2\n'))).cells).toEqual([['1', '2']])
  })
})

describe('pictures', () => {
  const files = {
    'cats/1.png': 'aaaa',
    'dogs/2.JPG': 'bb',
    'dogs/notes.txt': 'no',
    '__MACOSX/cats/1.png': 'x',
    '.hidden.png': 'x',
  }
  const expected = (root: string) => ({
    names: ['id', 'picture', 'folder', 'bytes'],
    kinds: ['text', 'text', 'text', 'number'],
    cells: [
      ['cats/1.png', `${root}/cats/1.png`, 'cats', '4'],
      ['dogs/2.JPG', `${root}/dogs/2.JPG`, 'dogs', '2'],
    ],
  })

  it('in an archive are a table of where they are', async () => {
    expect(await read(file('pets.zip', zipOf(files)))).toEqual(expected('pets.zip'))
  })

  it('in a folder are one too, whose hash changes with any of them', async () => {
    const root = join(folder, 'pets')
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true })
      writeFileSync(join(root, name), content)
    }
    expect(await read(root)).toEqual(expected('pets'))
    const hashOf = () => closing(openTable(root), async ({ hash }) => hash)
    const before = await hashOf()
    writeFileSync(join(root, 'cats/1.png'), 'aaab')
    expect(await hashOf()).not.toBe(before)
  })

  it('that are none are refused', async () => {
    mkdirSync(join(folder, 'empty'))
    await expect(read(join(folder, 'empty'))).rejects.toThrow('must be a file, got a directory')
  })
})
