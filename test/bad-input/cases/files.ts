import type { BadInput } from '../case.ts'

const run = 'run pool.csv --label y --project new.alis'
const runOn = (file: string) => run.replace('pool.csv', file)

const spelling = 'Check the spelling of the path.'
const encoding = 'It looks like windows-1252: say so, --encoding windows-1252 or pool.csv#encoding=windows-1252.'
const parquet = 'must be a whole Parquet file, got something else or only a part'
const toItsEnd = 'Check that it was written or copied to its end.'

/** Files that are not there, or not what they seem. */
export const files: readonly BadInput[] = [
  {
    name: 'a file that is not there',
    command: runOn('nowhere.csv'),
    message: 'nowhere.csv: must be a file, got nothing there',
    hint: spelling,
  },
  {
    name: 'a directory for a file',
    files: { 'folder/a.csv': 'id,x,y\n' },
    command: runOn('folder'),
    message: 'folder: must be a file, got a directory',
    hint: 'For all files in it, give a pattern: "folder/*.csv". A folder of pictures is a table of them.',
  },
  {
    name: 'a pattern that matches nothing',
    command: runOn("'part-*.csv'"),
    message: 'part-*.csv: must match a file or more, got none',
    hint: 'Check the pattern; it is relative to the current directory.',
  },
  {
    name: 'a pattern without quotes',
    command: runOn('a.csv b.csv'),
    message: 'run: 1 argument is required, got 2: a.csv, b.csv',
    hint: 'Put quotes around a name with spaces and around a pattern such as "part-*.csv".',
  },
  {
    name: 'files with different columns',
    files: { 'part-1.csv': 'id,x,y\na,1,no\n', 'part-2.csv': 'id,z,y\nb,2,yes\n' },
    command: runOn("'part-*.csv'"),
    message: /^(\.\/)?part-2\.csv: must have the columns of (\.\/)?part-1\.csv, got no "x"$/,
    hint: 'Files of one table have the same columns, in any order.',
  },
  {
    name: 'an unknown ending',
    files: { 'pool.xls': 'PK' },
    command: runOn('pool.xls'),
    message: 'pool.xls: must have a known ending, got ".xls"',
    hint: /^Known are \.csv, \.tsv, .*\.parquet.*\.$/,
  },
  {
    name: 'an empty file',
    files: { 'pool.csv': '' },
    command: run,
    message: 'pool.csv: must hold rows, got an empty file',
    hint: 'Check that it was written completely.',
  },
  { name: 'a header only', files: { 'pool.csv': 'id,x,y\n' }, command: run, message: 'pool.csv: must have rows, got none' },
  {
    name: 'two columns of one name',
    files: { 'pool.csv': 'id,x,x,y\na,1,2,no\n' },
    command: run,
    message: 'pool.csv: column names must differ, got "x" twice',
    hint: 'Rename one of them.',
  },
  {
    name: 'a row with a cell too few',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,2\n' },
    command: run,
    message: 'pool.csv: line 3 must have 3 cells, got 2',
    hint: 'Look at the line that begins with: b,2',
  },
  {
    name: 'a row with a cell too many',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,2,yes,5\n' },
    command: run,
    message: 'pool.csv: line 3 must have 3 cells, got 4',
    hint: 'Look at the line that begins with: b,2,yes,5',
  },
  {
    name: 'a quote that is never closed',
    files: { 'pool.csv': 'id,x,y\na,"1,no\nb,2,yes\n' },
    command: run,
    message: 'pool.csv: line 2 must close every quote it opens, got an open one',
    hint: 'Look at the line that begins with: a,"1,no',
  },
  {
    name: 'lines that end in two ways',
    files: { 'pool.csv': 'id,x,y\r\na,1,no\nb,2,yes\r\n' },
    command: run,
    message: 'pool.csv: lines must all end in the same way (\\n, \\r\\n or \\r), got more than one',
    hint: 'Save the file again with one kind of line end; put quotes around cells that hold another.',
  },
  {
    name: 'bytes that are not UTF-8',
    files: { 'pool.csv': Buffer.from('id,x,y\na,1,caf\xe9\n', 'latin1') },
    command: run,
    message: 'pool.csv: line 2 must be UTF-8 text, got other bytes',
    hint: encoding,
  },
  {
    name: 'a .gz that is not compressed',
    files: { 'pool.csv.gz': 'id,x,y\na,1,no\n' },
    command: runOn('pool.csv.gz'),
    message: 'pool.csv.gz: must be what its ending says, got damaged or other data',
    hint: 'Is it compressed at all? If not, take .gz or .zst off its name.',
  },
  {
    name: 'half a Parquet file',
    files: { 'labels.parquet': (good) => good.subarray(0, good.length / 2) },
    command: runOn('labels.parquet'),
    message: `labels.parquet: ${parquet}`,
    hint: toItsEnd,
  },
  {
    name: 'text with the ending of a Parquet file',
    files: { 'pool.parquet': 'id,x,y\na,1,no\n' },
    command: runOn('pool.parquet'),
    message: `pool.parquet: ${parquet}`,
    hint: toItsEnd,
  },
  {
    name: 'a Parquet file with the ending of text',
    files: { 'pool.csv': Buffer.from('PAR1\x15\x04\x15\xe0\x15\xe6,\x4c\x15\x0a\nPAR1', 'latin1') },
    command: run,
    message: 'pool.csv: line 1 must be UTF-8 text, got other bytes',
    hint: encoding,
  },
  {
    name: 'JSON that is no array',
    files: { 'pool.json': '{"id":"a","x":1}' },
    command: runOn('pool.json'),
    message: 'pool.json: must be an array of objects, got something that begins with {',
    hint: 'One object per line? Name it .jsonl.',
  },
  {
    name: 'JSON that is an array of numbers',
    files: { 'pool.json': '[1,2,3]' },
    command: runOn('pool.json'),
    message: 'pool.json: row 1 must be an object, got a number',
    hint: 'Every row is {"column": value, …}.',
  },
  {
    name: 'a broken line of JSON',
    files: { 'pool.jsonl': '{"id":"a","x":1,"y":"no"}\n{"id":"b",\n{"id":"c","x":3,"y":"yes"}\n' },
    command: runOn('pool.jsonl'),
    message: /^pool\.jsonl: row 2 must be well-formed JSON, got /,
    hint: 'Rows are counted from 1, without empty lines.',
  },
]
