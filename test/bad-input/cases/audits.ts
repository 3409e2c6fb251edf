import type { BadInput } from '../case.ts'

const audit = 'audit predictions.csv --prediction guess --confidence p --truth y --project new.alis --certificate new.json'
const help = 'alis audit --help shows what there is.'
const rows = (...lines: string[]) => ['id,guess,p,y', ...lines, ''].join('\n')

const refused = (option: string, value: string, required: string): BadInput => ({
  name: `${option} ${value}`,
  command: `${audit} ${option} ${value}`,
  message: `${option}: ${required} is required, got "${value}"`,
  hint: help,
})

/** Predictions that cannot be audited, and goals that cannot be reached. */
export const audits: readonly BadInput[] = [
  {
    name: 'a confidence in per cent',
    files: { 'predictions.csv': rows('a,cat,90,cat', 'b,dog,80,cat') },
    command: audit,
    message: 'p: a number in [0, 1] is required, got 90 in row 1',
    hint: 'A percentage? Divide it by 100.',
  },
  {
    name: 'a confidence below 0',
    files: { 'predictions.csv': rows('a,cat,0.9,cat', 'b,dog,-0.5,cat') },
    command: audit,
    message: 'p: a number in [0, 1] is required, got -0.5 in row 2',
    hint: 'A percentage? Divide it by 100.',
  },
  {
    name: 'a confidence that is missing',
    files: { 'predictions.csv': rows('a,cat,0.9,cat', 'b,dog,,cat') },
    command: audit,
    message: 'p: a number in [0, 1] is required, got nothing in row 2',
    hint: 'Leave out --confidence if some are not known.',
  },
  {
    name: 'a confidence that is a word',
    files: { 'predictions.csv': rows('a,cat,high,cat', 'b,dog,0.8,cat') },
    command: audit,
    message: 'predictions.csv: column "p" must hold finite 32-bit numbers, got "high" in row 1',
    hint: 'Leave a cell empty if its value is missing.',
  },
  {
    name: 'a row without a prediction',
    files: { 'predictions.csv': rows('a,cat,0.9,cat', 'b,,0.8,cat') },
    command: audit,
    message: 'guess: every row needs a prediction, got none in row 2',
    hint: 'Leave out rows without one.',
  },
  {
    name: 'no column of predictions',
    command: audit.replace('--prediction guess', ''),
    message: 'prediction: a column is required, got none',
    hint: 'Name it with --prediction.',
  },
  {
    name: 'a column of predictions that is not there',
    command: audit.replace('guess', 'gues'),
    message: 'predictions.csv: must have the column that is asked for, got "gues"',
    hint: 'Did you mean "guess"?',
  },
  {
    name: 'a column of truth that is not there',
    command: audit.replace('--truth y', '--truth answer'),
    message: 'predictions.csv: must have the column that is asked for, got "answer"',
    hint: 'The columns are id, guess, p, y.',
  },
  refused('--tolerance', '0', 'a number in [0.0005, 0.5]'),
  refused('--below', '2', 'a number in (-1, 1)'),
  refused('--level', '1', 'a number in (0.5, 1)'),
  {
    name: 'a ceiling below 0 for an error',
    command: `${audit} --below -0.1`,
    message: '--below: a number in (0, 1) is required, got -0.1',
  },
  {
    name: 'a ceiling for what has none',
    command: `${audit} --metric recall --positive cat --below 0.1`,
    message: '--below: error, prevalence or a difference is required, got recall',
    hint: 'Set a --tolerance or a --budget.',
  },
  {
    name: 'a tolerance and a ceiling',
    command: `${audit} --tolerance 0.1 --below 0.2`,
    message: '--below: must stand without --tolerance, got both',
    hint: help,
  },
  {
    name: 'an unknown metric',
    command: `${audit} --metric recal --positive cat`,
    message: '--metric: one of error, accuracy, precision, recall, f1, prevalence is required, got "recal"',
    hint: 'Did you mean "recall"?',
  },
  {
    name: 'a metric about a class, and no class',
    command: `${audit} --metric recall`,
    message: 'positive: one of cat, dog is required for recall, got none',
    hint: 'Name it with --positive.',
  },
  {
    name: 'a metric about a class that there is not',
    command: `${audit} --metric f1 --positive cow`,
    message: 'positive: one of cat, dog is required for f1, got cow',
    hint: 'Name it with --positive.',
  },
  {
    name: 'a certificate where no directory is',
    command: audit.replace('new.json', 'nowhere/new.json'),
    message: 'nowhere/new.json: must be in a directory, got none called nowhere',
    hint: 'Choose another with --certificate.',
  },
  {
    name: 'a certificate in place of a directory',
    files: { 'folder/notes.txt': 'mine' },
    command: audit.replace('new.json', 'folder'),
    message: 'folder: must be a file to write, got a directory',
    hint: 'Choose another with --certificate.',
  },
]
