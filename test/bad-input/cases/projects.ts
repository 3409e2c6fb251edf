import type { BadInput } from '../case.ts'

const run = 'run pool.csv --label y --rounds 4'
const damaged =
  'The file was damaged by something else, and has been left as it is. Restore a backup, or ask for help before you change anything.'
const missing = { message: 'project: a project is required, got none.alis', hint: 'Check the name, or begin a project there.' }
const changed = (project: string, pool: string) => ({
  message: new RegExp(`^${project}: the pool must be as it was when the project began, sha256:\\w+…, got sha256:\\w+…$`),
  hint: `The draws on record are about ${pool} as it was. Put that file back, or begin another project.`,
})
const forbidden = (path: string) => ({
  message: `${path}: you must be allowed to read and write here, got EACCES`,
  hint: 'Copy the project to where you may, or open it read-only.',
  exit: 1 as const,
})

/** Written by a version that is not out yet. */
const fromTheFuture = (good: Buffer) => {
  good.writeUInt32BE(99, 60) // where SQLite keeps `user_version`
  return good
}

/** Projects that are not there, not whole, not free, or about something else. */
export const projects: readonly BadInput[] = [
  {
    name: 'a pool file that has changed',
    files: { 'pool.csv': (good) => `${good}p99,1,2,no\n` },
    command: `${run} --project known.alis`,
    ...changed('known.alis', 'pool.csv'),
  },
  { name: 'certify: a pool file that has changed', command: 'certify stale.alis', ...changed('stale.alis', 'changed.csv') },
  { name: 'export: a pool file that has changed', command: 'export stale.alis', ...changed('stale.alis', 'changed.csv') },
  {
    name: 'certify: a pool file that is gone',
    command: 'certify orphan.alis',
    message: 'gone.csv: must be a file, got nothing there',
    hint: 'Check the spelling of the path.',
  },
  {
    name: 'a project that somebody else is writing to',
    command: `${run} --project known.alis`,
    while: 'locked',
    message: /^known\.alis: one process may write at a time, got process \d+ at work$/,
    hint: 'Open it read-only, or stop the other.',
    exit: 1,
  },
  {
    name: 'certify: a project that somebody else is writing to',
    command: 'certify known.alis',
    while: 'locked',
    message: /^known\.alis: one process may write at a time, got process \d+ at work$/,
    hint: 'Open it read-only, or stop the other.',
    exit: 1,
  },
  {
    name: 'a project without its ending',
    command: `${run} --project mails`,
    message: 'project: a name that ends in .alis is required, got mails',
    hint: 'For example mails.alis.',
  },
  {
    name: 'a project where no directory is',
    command: `${run} --project nowhere/new.alis`,
    message: 'project: the directory nowhere must be there, got none',
  },
  {
    name: 'a plain file for a project',
    files: { 'new.alis': 'mine' },
    command: `${run} --project new.alis`,
    message: 'project: a directory is required, got the file new.alis',
  },
  {
    name: 'a record that is no database',
    files: { 'known.alis/project.sqlite': 'what is this? '.repeat(100) },
    command: `${run} --project known.alis`,
    message: 'known.alis: project.sqlite must be whole, got "file is not a database"',
    hint: damaged,
    exit: 1,
  },
  {
    name: 'a record that was cut short',
    files: { 'known.alis/project.sqlite': (good) => good.subarray(0, good.length / 2) },
    command: `${run} --project known.alis`,
    message: 'known.alis: project.sqlite must be whole, got "database disk image is malformed"',
    hint: damaged,
    exit: 1,
  },
  {
    name: 'a record of a few bytes',
    files: { 'known.alis/project.sqlite': 'SQLite' },
    command: 'status known.alis',
    message: 'known.alis: project.sqlite must be whole, got "a file of 6 bytes"',
    hint: damaged,
    exit: 1,
  },
  {
    name: 'a record with bytes overwritten',
    files: { 'known.alis/project.sqlite': (good) => good.fill(0xaa, 4096, 20_000) },
    command: 'export known.alis',
    message: /^known\.alis: project\.sqlite must be whole, got ".*"$/s,
    hint: damaged,
    exit: 1,
  },
  {
    name: 'a project from a newer version',
    files: { 'known.alis/project.sqlite': fromTheFuture },
    command: `${run} --project known.alis`,
    message: /^known\.alis: version \d+ or older is required, got version 99$/,
    hint: 'The project was written by a newer alis. Update alis to open it.',
  },
  {
    name: 'a new project in a read-only directory',
    command: `${run} --project new.alis`,
    while: 'read-only',
    ...forbidden('new.alis'),
  },
  {
    name: 'a project that one may only read',
    command: `${run} --project known.alis`,
    while: 'read-only',
    ...forbidden('known.alis'),
  },
  {
    name: 'run: a project that audits',
    command: `${run} --project audited.alis`,
    message: 'audited.alis: must be a project that learns, got one that audits',
    hint: 'Begin another project.',
  },
  {
    name: 'audit: a project that learns',
    command: 'audit predictions.csv --prediction guess --confidence p --truth y --project known.alis',
    message: 'known.alis: must be a project that audits, got one that learns',
    hint: 'Measure its own model with alis certify, or begin another project.',
  },
  {
    name: 'audit: other predictions than it began with',
    files: { 'predictions.csv': (good) => `${good}`.replace('cat,0.95', 'cat,0.94') },
    command: 'audit predictions.csv --prediction guess --confidence p --truth y --budget 80 --project audited.alis',
    message: 'predictions.csv: must hold the predictions that the audit began with, got others',
    hint: 'An audit is about one fixed model. Begin another project for another one.',
  },
  { name: 'status: no project there', command: 'status none.alis', ...missing },
  { name: 'export: no project there', command: 'export none.alis', ...missing },
  { name: 'certify: no project there', command: 'certify none.alis', ...missing },
  { name: 'backup: no project there', command: 'backup none.alis copy.alis', ...missing },
  {
    name: 'status: an empty project',
    command: 'status empty.alis',
    message: 'empty.alis: must have a pool, got an empty project',
    hint: 'alis run <pool> --project NAME.alis begins one.',
  },
  {
    name: 'certify: a project that audits',
    command: 'certify audited.alis',
    message: 'audited.alis: must be a project that learns, got one that audits',
    hint: 'Begin another project.',
  },
  {
    name: 'certify: a project without a model',
    command: 'certify young.alis',
    message: 'young.alis: must have a model, got none yet',
    hint: 'alis run … --project makes one.',
  },
  {
    name: 'certify: nobody who answers',
    command: 'certify asked.alis',
    message: 'answers: a program or a service is required, got none and no label column',
    hint: 'Name one with --oracle-command or --oracle-url.',
  },
  {
    name: 'backup: a name that is taken',
    command: 'backup known.alis asked.alis',
    message: 'project: a name that is not taken is required, got asked.alis',
    hint: 'Open it, or choose another name.',
  },
  {
    name: 'backup: a plain file',
    files: { 'copy.alis': 'mine' },
    command: 'backup known.alis copy.alis',
    message: 'project: a directory is required, got the file copy.alis',
  },
  {
    name: 'backup: a read-only directory',
    command: 'backup known.alis copy.alis',
    while: 'read-only',
    ...forbidden('copy.alis'),
  },
]
