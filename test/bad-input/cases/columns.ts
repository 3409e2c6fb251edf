import type { BadInput } from '../case.ts'

const run = 'run pool.csv --label y --project new.alis'
const rows = (n: number, row: (i: number) => string) => Array.from({ length: n }, (_, i) => `${row(i)}\n`).join('')

const otherId = 'Choose another column with --id.'
const otherLabel = 'Choose another column with --label.'
const emptyCell = 'Leave a cell empty if its value is missing.'
const choose = 'Choose with --features, --text, --category or --vector.'

/** Columns that are not there, or do not hold what they must. */
export const columns: readonly BadInput[] = [
  {
    name: 'an id column that is not there',
    command: `${run} --id idd`,
    message: '--id: must be a column of the table, got "idd"',
    hint: 'Did you mean "id"?',
  },
  {
    name: 'a label column that is not there',
    command: run.replace('--label y', '--label Y'),
    message: '--label: must be a column of the table, got "Y"',
    hint: 'Did you mean "y"?',
  },
  {
    name: 'a column that is like no other',
    command: `${run} --ignore temperature`,
    message: '--ignore: must be a column of the table, got "temperature"',
    hint: 'The columns are id, size, weight, y.',
  },
  {
    name: 'one column for two things',
    command: `${run} --category y`,
    message: '--category: a column can have one role, got "y", chosen with --label',
    hint: 'Name it under one option only.',
  },
  {
    name: 'one id twice',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,2,yes\na,3,no\n' },
    command: run,
    message: 'id: ids must be unique, got "a" in rows 1 and 3',
    hint: otherId,
  },
  {
    name: 'a row without an id',
    files: { 'pool.csv': 'id,x,y\na,1,no\n,2,yes\nc,3,no\n' },
    command: run,
    message: 'id: every row needs an id, got none in row 2',
    hint: otherId,
  },
  {
    name: 'one row',
    files: { 'pool.csv': 'id,x,y\na,1,no\n' },
    command: run,
    message:
      'features: at least one column to learn from is required, got id (names the points), x (constant: says nothing), y (chosen with --label)',
    hint: choose,
  },
  {
    name: 'one column',
    files: { 'pool.csv': 'y\nno\nyes\n' },
    command: run,
    message: 'features: at least one column to learn from is required, got y (chosen with --label)',
    hint: choose,
  },
  {
    name: 'columns that are constant or empty, and no others',
    files: { 'pool.csv': 'id,x,z,y\na,7,,no\nb,7,,yes\nc,7,,no\n' },
    command: run,
    message:
      'features: at least one column to learn from is required, got id (names the points), x (constant: says nothing), z (empty), y (chosen with --label)',
    hint: choose,
  },
  {
    name: 'labels that are all the same',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,2,no\n' },
    command: run,
    message: 'y: at least two different labels are required, got only "no"',
    hint: otherLabel,
  },
  {
    name: 'labels that are all missing',
    files: { 'pool.csv': 'id,x,y\na,1,\nb,2,\n' },
    command: run,
    message: 'y: at least two different labels are required, got none',
    hint: otherLabel,
  },
  {
    name: 'labels missing but for one',
    files: { 'pool.csv': 'id,x,y\na,1,\nb,2,yes\nc,3,\n' },
    command: run,
    message: 'y: at least two different labels are required, got only "yes"',
    hint: otherLabel,
  },
  {
    name: '10,000 different labels',
    files: { 'pool.csv': `id,x,y\n${rows(10_000, (i) => `p${i},${i},class ${i}`)}` },
    command: run,
    message: 'y: at most 1,000 classes are possible, got 10,000 different values',
    hint: 'Is this the label column? Choose one with --label.',
  },
  {
    name: 'NaN among numbers',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,NaN,yes\nc,3,no\n' },
    command: run,
    message: 'pool.csv: column "x" must hold finite 32-bit numbers, got "NaN" in row 2',
    hint: emptyCell,
  },
  {
    name: 'inf among numbers',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,2,yes\nc,-inf,no\n' },
    command: run,
    message: 'pool.csv: column "x" must hold finite 32-bit numbers, got "-inf" in row 3',
    hint: emptyCell,
  },
  {
    name: 'words in a column that is to be numbers',
    files: { 'pool.csv': 'id,x,y\na,1,no\nb,two,yes\nc,3,no\n' },
    command: `${run} --number x`,
    message: '--number: x must hold numbers, got texts such as "two"',
    hint: 'Leave it out of --number.',
  },
  {
    name: 'lists of different lengths',
    files: { 'pool.csv': 'id,x,y\na,"[1,2]",no\nb,"[3]",yes\nc,"[4,5]",no\n' },
    command: `${run} --vector x`,
    message: '--vector: x must hold lists of as many numbers each, got texts such as "[1,2]"',
    hint: 'Leave it out of --vector.',
  },
  {
    name: 'a list of columns with a gap',
    command: `${run} --features size,,weight`,
    message: '--features: a name between any two commas is required, got "size,,weight"',
    hint: 'alis run --help shows what there is.',
  },
  {
    name: 'a test file without a column of the pool',
    files: { 'test.csv': 'id,size,y\na,1,no\nb,2,yes\n' },
    command: `${run} --test test.csv`,
    message: 'test.csv: must have the columns of the pool, got no "weight"',
    hint: 'The columns are id, size, y.',
  },
  {
    name: 'a test file without labels',
    files: { 'test.csv': 'id,size,weight,Y\na,1,2,no\nb,2,3,yes\n' },
    command: `${run} --test test.csv`,
    message: 'test.csv: must have the columns of the pool, got no "y"',
    hint: 'Did you mean "Y"?',
  },
  {
    name: 'a test file with words for numbers',
    files: { 'test.csv': 'id,size,weight,y\na,1,2,no\nb,big,3,yes\n' },
    command: `${run} --test test.csv`,
    message: 'test.csv: column "size" must hold finite 32-bit numbers, got "big" in row 2',
    hint: emptyCell,
  },
]
