import { gzipSync } from 'node:zlib'
import type { FineInput } from './case.ts'
import { pool } from './stock.ts'

const learn = (file: string, more = '') => `run ${file} --label y --start 8 --batch 4 --rounds 2 --seed 7 ${more}`

/** Texts with everything in them that a CSV file can trip over. */
const texts = Array.from({ length: 30 }, (_, i) => ({
  id: `a "${i}", quoted`,
  body: i % 3 === 0 ? `You won, "friend" ${i}!\nCall, call\r\nnow; ${'\t'} soon` : `See you at ${i}, it's fine`,
  y: i % 3 === 0 ? 'spam' : 'ham',
}))
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const textLines = texts.map((row) => `${JSON.stringify(row)}\n`).join('')
const textTable = ['id,body,y', ...texts.map((row) => Object.values(row).map(quoted).join(',')), ''].join('\n')

const rows = pool
  .trimEnd()
  .split('\n')
  .map((line) => line.split(','))

/** Looks odd, and is read right: it gives the same run as a plain file, down to the draws and the model. */
export const fine: readonly FineInput[] = [
  { name: 'a byte order mark', files: { 'odd.csv': `\ufeff${pool}` }, command: learn('odd.csv'), plain: learn('pool.csv') },
  {
    name: 'lines that end in CRLF',
    files: { 'odd.csv': pool.replaceAll('\n', '\r\n') },
    command: learn('odd.csv'),
    plain: learn('pool.csv'),
  },
  {
    name: 'a byte order mark, CRLF and quotes, as spreadsheets save it',
    files: { 'odd.csv': `\ufeff${rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')}` },
    command: learn('odd.csv'),
    plain: learn('pool.csv'),
  },
  {
    name: 'no line end at the end',
    files: { 'odd.csv': pool.trimEnd() },
    command: learn('odd.csv'),
    plain: learn('pool.csv'),
  },
  {
    name: 'semicolons for commas',
    files: { 'odd.csv': pool.replaceAll(',', ';') },
    command: learn('odd.csv'),
    plain: learn('pool.csv'),
  },
  {
    name: 'tabs, compressed',
    files: { 'odd.tsv.gz': gzipSync(pool.replaceAll(',', '\t')) },
    command: learn('odd.tsv.gz'),
    plain: learn('pool.csv'),
  },
  {
    name: 'several files, their columns in another order',
    files: {
      'part-1.csv': rows
        .slice(0, 11)
        .map((cells) => `${cells.join(',')}\n`)
        .join(''),
      'part-2.csv': [rows[0]!, ...rows.slice(11)].map((cells) => `${cells.toReversed().join(',')}\n`).join(''),
    },
    command: learn("'part-*.csv'"),
    plain: learn('pool.csv'),
  },
  {
    name: 'quotes, commas and line ends inside cells',
    files: { 'odd.csv': textTable, 'plain.jsonl': textLines },
    command: learn('odd.csv', '--text body'),
    plain: learn('plain.jsonl', '--text body'),
  },
  {
    name: 'a column that says nothing',
    files: { 'odd.csv': rows.map((cells, i) => `${[...cells, i === 0 ? 'version' : '7'].join(',')}\n`).join('') },
    command: learn('odd.csv'),
    plain: learn('pool.csv'),
  },
]
