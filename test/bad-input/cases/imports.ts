import type { BadInput } from '../case.ts'

const add = 'import more.csv --project known.alis --add'
const labels = 'import more.csv --project asked.alis --labels y'

/** Points and labels that cannot join a project. */
export const imports: readonly BadInput[] = [
  {
    name: 'import: no project',
    command: 'import pool.csv --add',
    message: '--project: <NAME.alis> is required, got nothing',
    hint: 'alis import --help shows what there is.',
  },
  {
    name: 'import: neither points nor labels',
    command: 'import pool.csv --project known.alis',
    message: 'import: --add or --labels is required, got neither',
    hint: '--add brings points, --labels <column> brings labels of points that are there.',
  },
  {
    name: 'import: points that are there already',
    command: 'import pool.csv --project known.alis --add',
    message: 'pool.csv: points must be new, got "p0" in row 1, which is in the pool',
    hint: 'Leave out the rows that are there already; for labels of points that are there, use --labels.',
  },
  {
    name: 'import: a point twice',
    files: { 'more.csv': 'id,size,weight,y\nq1,1,2,no\nq1,3,4,yes\n' },
    command: add,
    message: 'id: ids must be unique, got "q1" in rows 1 and 2',
    hint: 'Choose another column with --id.',
  },
  {
    name: 'import: points without a column of the pool',
    files: { 'more.csv': 'id,size,y\nq1,1,no\n' },
    command: add,
    message: 'more.csv: a column "weight" is required, got id, size, y',
  },
  {
    name: 'import: points with words for numbers',
    files: { 'more.csv': 'id,size,weight,y\nq1,1,2,no\nq2,big,3,yes\n' },
    command: add,
    message: 'more.csv: column "size" must hold finite 32-bit numbers, got "big" in row 2',
    hint: 'Leave a cell empty if its value is missing.',
  },
  {
    name: 'import: points of an unknown class',
    files: { 'more.csv': 'id,size,weight,y\nq1,1,2,no\nq2,3,4,maybe\n' },
    command: add,
    message: 'y: one of no, yes is required, got another label in row 2',
  },
  {
    name: 'import: labels of an unknown class',
    files: { 'more.csv': 'id,y\np1,maybe\n' },
    command: labels,
    message: 'labels: one of no, yes is required, got "maybe" for "p1"',
  },
  {
    name: 'import: labels of points that are not there',
    files: { 'more.csv': 'id,y\nq1,no\n' },
    command: labels,
    message: 'more.csv: every id must be that of a point in the pool, got "q1"',
    hint: 'Choose the column of ids with --id; points that are new come with --add first.',
  },
  {
    name: 'import: two labels for one point',
    files: { 'more.csv': 'id,y\np1,no\np1,yes\n' },
    command: labels,
    message: 'more.csv: one label a point is required, got no and yes for "p1"',
  },
]
