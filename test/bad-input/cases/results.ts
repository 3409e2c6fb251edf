import type { BadInput } from '../case.ts'

const verify = 'verify audit.json --pool predictions.csv'
const notFollowing = 'This certificate does not follow from its record.'
const noCertificate = {
  message: 'audit.json: must be a certificate that alis audit or alis certify wrote, got something else',
  hint: 'They write JSON; the page beside it is for people.',
}
const predict = 'predict model.json pool.csv --out new.csv'
const noModel = {
  message: 'model.json: a model that alis export wrote is required, got something else',
  hint: 'It writes model.json.',
}
const spelling = 'Check the spelling of the path.'

/** Exports, certificates and models that cannot be written, read or believed. */
export const results: readonly BadInput[] = [
  {
    name: 'export: a directory with files in it',
    files: { 'folder/notes.txt': 'mine' },
    command: 'export known.alis --out folder',
    message: 'folder: a new or empty directory is required, got one with 1 file',
    hint: 'Choose another with --out, or replace what is there with --force.',
  },
  {
    name: 'export: a file for a directory',
    command: 'export known.alis --out pool.csv',
    message: /^pool\.csv: must be a place to write to, got "ENOTDIR.*"$/,
    hint: 'Choose another with --out.',
  },
  {
    name: 'export: a read-only directory',
    command: 'export known.alis --only labels',
    while: 'read-only',
    message: /^known-export: must be a place to write to, got "EACCES.*"$/,
    hint: 'Choose another with --out.',
  },
  {
    name: 'export: a part that there is not',
    command: 'export known.alis --only lables',
    message: '--only: parts of an export are required, got "lables"',
    hint: 'Did you mean "labels"?',
  },
  {
    name: 'export: a model before there is one',
    command: 'export young.alis --only model',
    message: 'young.alis: must have a model to export model, got none yet',
    hint: 'The first round makes one: alis run goes on where it stopped.',
  },
  {
    name: 'export: a certificate before there is one',
    command: 'export known.alis --only certificates',
    message: 'known.alis: must have a certificate to export certificates, got none yet',
    hint: 'alis certify makes one.',
  },
  {
    name: 'export: an unknown format',
    command: 'export known.alis --format xml',
    message: /^--format: one of csv, jsonl, .* is required, got "xml"$/,
    hint: 'alis export --help shows what there is.',
  },
  {
    name: 'verify: no file there',
    command: 'verify nowhere.json --pool predictions.csv',
    message: 'nowhere.json: must be a certificate, got nothing there',
    hint: spelling,
  },
  {
    name: 'verify: a directory',
    files: { 'folder/notes.txt': 'mine' },
    command: 'verify folder --pool predictions.csv',
    message: 'folder: must be a certificate, got a directory',
    hint: spelling,
  },
  { name: 'verify: no JSON', files: { 'audit.json': '<html>' }, command: verify, ...noCertificate },
  { name: 'verify: no certificate', files: { 'audit.json': '{"hello": 1}' }, command: verify, ...noCertificate },
  {
    name: 'verify: a certificate without its contents',
    files: { 'audit.json': '{"format": 2, "rounds": [null]}' },
    command: verify,
    ...noCertificate,
  },
  {
    name: 'verify: a certificate with a round in pieces',
    files: { 'audit.json': (good) => `${good}`.replace('"rules": {', '"rule": {') },
    command: verify,
    ...noCertificate,
  },
  {
    name: 'verify: a certificate of release 0.1 that may not be believed',
    files: { 'audit.json': '{"format": "alis-certificate/1", "metric": "recall"}' },
    command: verify,
    message: 'audit.json: a certificate of format 2 or later is required, got one of format 1',
    hint: 'The interval of this format did not hold for recall: masses could become 0 where an answer mattered. Make a new certificate.',
  },
  {
    name: 'verify: another certificate of release 0.1',
    files: { 'audit.json': '{"format": "alis-certificate/1", "metric": "error"}' },
    command: verify,
    message: 'audit.json: a certificate of format 2 or later is required, got one of format 1',
    hint: 'It was written by release 0.1, which verifies it.',
  },
  {
    name: 'verify: a certificate of another project',
    command: 'verify audit.json --project known.alis',
    message: 'certificate: points that the project drew are required, got "n5", which it never did',
    hint: 'Is it about another project?',
  },
  {
    name: 'verify: neither pool nor project',
    command: 'verify audit.json',
    message: 'verify: either --pool or --project is required, got none',
    hint: 'For example --pool predictions.csv.',
  },
  {
    name: 'verify: an answer that was changed',
    files: { 'audit.json': (good) => `${good}`.replace('"answer": "cat"', '"answer": "dog"') },
    command: verify,
    message: /^certificate: .*: must be .*, got /,
    hint: notFollowing,
  },
  {
    name: 'verify: a limit that was changed',
    files: { 'audit.json': (good) => `${good}`.replace(/"low": 0\.(\d)/, (_, digit) => `"low": 0.${(Number(digit) + 1) % 10}`) },
    command: verify,
    message: /^certificate: low: must be 0\.\d+, got 0\.\d+$/,
    hint: notFollowing,
  },
  {
    name: 'verify: another pool',
    files: { 'predictions.csv': (good) => `${good}`.replace('n7,', 'n777,') },
    command: verify,
    message: /^certificate: pool\.hash: must be "sha256:\w+", got "sha256:\w+"$/,
    hint: notFollowing,
  },
  {
    name: 'verify: a file without the columns',
    command: 'verify audit.json --pool pool.csv',
    message: 'pool.csv: must have the column that is asked for, got "guess"',
    hint: 'The columns are id, size, weight, y.',
  },
  { name: 'predict: no JSON', files: { 'model.json': 'weights' }, command: predict, ...noModel },
  { name: 'predict: no model', files: { 'model.json': '{"hello": 1}' }, command: predict, ...noModel },
  {
    name: 'predict: no model there',
    command: 'predict nowhere.json pool.csv --out new.csv',
    message: 'nowhere.json: a model to read is required, got no such file',
  },
  {
    name: 'predict: a model that was changed',
    files: { 'model.json': (good) => `${good}`.replace(/"mean": ?\d/, (mean) => `${mean}1`) },
    command: predict,
    message: 'model.json: content must match its seal, got other content',
    hint: 'The file was changed. Export the model again.',
  },
  {
    name: 'predict: a column too few',
    files: { 'pool.csv': 'id,size,wieght\na,1,2\n' },
    command: predict,
    message: 'pool.csv: must have the columns that the model was learned from, got none called "weight"',
    hint: 'Did you mean "wieght"?',
  },
  {
    name: 'predict: words for numbers',
    files: { 'pool.csv': 'id,size,weight\na,1,2\nb,3,heavy\n' },
    command: predict,
    message: 'pool.csv: column "weight" must hold finite 32-bit numbers, got "heavy" in row 2',
    hint: 'Leave a cell empty if its value is missing.',
  },
  {
    name: 'predict: no directory to write to',
    command: 'predict model.json pool.csv --out nowhere/new.csv',
    message: 'nowhere/new.csv: must be in a directory, got none called nowhere',
    hint: 'Choose another with --out.',
  },
]
