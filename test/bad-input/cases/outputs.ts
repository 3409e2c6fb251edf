import type { BadInput } from '../case.ts'

const audit = 'audit predictions.csv --prediction guess --truth y --budget 20'
const other = (option: string) => `Choose another with ${option}.`

/** Output that would take the place of input, or of other output. */
export const outputs: readonly BadInput[] = [
  {
    name: 'predict: into the rows that it reads',
    command: 'predict model.json pool.csv --out pool.csv',
    message: '--out: another file than pool.csv, which is read, is required, got pool.csv',
    hint: other('--out'),
  },
  {
    name: 'predict: into its model, by another spelling',
    command: 'predict model.json pool.csv --out ./model.json',
    message: '--out: another file than model.json, which is read, is required, got ./model.json',
    hint: other('--out'),
  },
  {
    name: 'audit: a certificate in the place of the predictions',
    command: `${audit} --certificate predictions.csv`,
    message: '--certificate: another file than predictions.csv, which is read, is required, got predictions.csv',
    hint: other('--certificate'),
  },
  {
    name: 'audit: a report in the place of predictions that a pattern matches',
    files: { 'part-1.csv': 'id,guess,y\n1,cat,cat\n', 'part-2.csv': 'id,guess,y\n2,cat,dog\n' },
    command: `${audit.replace('predictions.csv', 'part-*.csv')} --report part-2.csv`,
    message: '--report: another file than part-2.csv, which is read, is required, got part-2.csv',
    hint: other('--report'),
  },
  {
    name: 'audit: a report in the place of the page of its certificate',
    command: `${audit} --certificate new.json --report new.html`,
    message: '--certificate: a name of its own for the page beside it, new.html, is required, got new.html',
    hint: 'Call the certificate NAME.json, and the report otherwise.',
  },
  {
    name: 'audit: a certificate for a device',
    command: `${audit} --certificate /dev/null`,
    message: '/dev/null: must be a file to write, got a pipe or a device',
    hint: other('--certificate'),
  },
  {
    name: 'compare: results in the place of the pool',
    files: { 'results.csv': 'a,y\n1,x\n2,x\n3,y\n4,y\n5,x\n6,y\n7,x\n8,y\n' },
    command: 'compare results.csv --label y --seeds 2 --test 0.3 --start 2 --budget 4 --out .',
    message: '--out: another file than results.csv, which is read, is required, got results.csv',
    hint: other('--out'),
  },
]
