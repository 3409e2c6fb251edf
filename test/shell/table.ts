// What the command does in a shell: files as they come, pipes, narrow terminals, what looks wrong. A line each: the command, what it says, and how it ends.
import { uniform } from '../../src/core/randomness.ts'

export interface Line {
  readonly name: string
  /** As typed after `alis`. */
  readonly command: string
  readonly stdin?: string
  /** What it says there; nothing, if left out of stderr. */
  readonly stdout?: RegExp
  readonly stderr?: RegExp | ''
  readonly exit: 0 | 1 | 2
}

const rows = Array.from({ length: 120 }, (_, i) => i)
const size = (i: number) => uniform(1, 'size', `${i}`).toFixed(3)
const y = (i: number) => (uniform(1, 'size', `${i}`) + 0.4 * uniform(1, 'noise', `${i}`) > 0.7 ? 'yes' : 'no')
const table = (header: string, row: (i: number) => readonly unknown[], delimiter = ',') =>
  `${[header, ...rows.map((i) => row(i).join(delimiter))].join('\n')}\n`

const plain = table('size,y', (i) => [size(i), y(i)])

/** Files that the commands name. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  'plain.csv': plain,
  'other.csv': table('size,y', (i) => [size(i + 500), y(i + 500)]),
  'unnamed.csv': table('Unnamed: 0,size,y', (i) => [i, size(i), y(i)]),
  'empty-header.csv': table(',size,y', (i) => [i, size(i), y(i)]),
  'step.csv': table('step,size,y', (i) => [i + 1, size(i), y(i)]),
  'paid.csv': table('size,paid,y', (i) => [size(i), y(i) === 'yes' ? 'ja' : 'nein', y(i)]),
  'split.csv': table('size,score,y', (i) => [size(i), y(i) === 'yes' ? 2 + Number(size(i)) : Number(size(i)), y(i)]),
  'classes.csv': table('size,y', (i) => [size(i), i % 3 ? 'no' : i % 2 ? 'Yes' : 'yes ']),
  'forms.csv': table('size,y', (i) => [size(i), i % 3 ? 'no' : i % 2 ? 'caf\u00e9' : 'cafe\u0301']),
  'missing.csv': table('size,y', (i) => [size(i), i % 7 ? y(i) : 'NA']),
  'measured.csv': table('size,y', (i) => [size(i), (50 * uniform(1, 'y', `${i}`)).toFixed(1)]),
  'comma.csv': table('size;y', (i) => [size(i).replace('.', ','), y(i)], ';'),
  'latin.csv': Buffer.from(
    table('size,y', (i) => [size(i), y(i) === 'yes' ? 'für' : 'nö']),
    'latin1',
  ),
  'cyrillic.csv': Uint8Array.from([
    ...Buffer.from('size,y\n'),
    ...rows.flatMap((i) => [...Buffer.from(`${i},`), 0xe4, 0xe0 + (i % 2), 10]),
  ]),
  'headless.csv': plain.slice(plain.indexOf('\n') + 1),
  'gaps.csv': table('size,y', (i) => [i % 9 ? size(i) : i % 2 ? 'NA' : '?', y(i)]),
  'nothing.csv': 'size,y\n',
  'named.csv': table('"a,b",y', (i) => [size(i), y(i)]),
}

const few = '--start 4 --batch 2 --rounds 1 --learner linear --seed 7 --quiet'
const run = (file: string, more = '') => `run ${file} --label y ${few} ${more}`.trim()
const learned = /^6 labels, model sha256:\w+, wrong on about \d+ % of the \d+ points nobody has answered yet; too early/
const warned = (words: string, settle: string) => new RegExp(`^warning: ${words}\\n {9}${settle}; --yes if it is right\\n`)

/** A file that is read as it was meant: quiet, or with a warning that names the option which settles it. */
export const lines: readonly Line[] = [
  { name: 'nothing looks wrong', command: run('plain.csv'), stdout: learned, exit: 0 },
  ...['unnamed.csv', 'empty-header.csv'].map(
    (file): Line => ({ name: `an index: ${file}`, command: run(file), stdout: learned, exit: 0 }),
  ),
  {
    name: 'running numbers',
    command: run('step.csv'),
    stderr: warned('step counts the rows, and is learned from', '--ignore step'),
    exit: 0,
  },
  { name: 'running numbers, left out', command: run('step.csv', '--ignore step'), exit: 0 },
  {
    name: 'a category that tells the label',
    command: run('paid.csv'),
    stderr: warned('paid alone tells y of 100.0 % of the rows: is it known before the answer\\?', '--ignore paid'),
    exit: 0,
  },
  {
    name: 'a number that tells the label',
    command: run('split.csv'),
    stderr: warned('score alone tells y of 100.0 % of the rows.*', '--ignore score'),
    exit: 0,
  },
  { name: 'the same, and it is right', command: run('split.csv', '--yes'), exit: 0 },
  {
    name: 'classes that differ in case and space',
    command: run('classes.csv'),
    stderr: /^warning: the classes "Yes" and "yes " differ in case, space or form alone\n/,
    exit: 0,
  },
  {
    name: 'classes that differ in form',
    command: run('forms.csv'),
    stderr: /^warning: the classes "caf.*" and "caf.*" differ in case, space or form alone\n/,
    exit: 0,
  },
  {
    name: 'a class that is a missing value',
    command: run('missing.csv'),
    stderr: warned('the class "NA" looks like a missing value', '--missing NA'),
    exit: 0,
  },
  { name: 'the same, said to be missing', command: run('missing.csv', '--missing NA'), exit: 0 },
  {
    name: 'a measure for a label',
    command: run('measured.csv'),
    stderr:
      /^warning: y is a number with \d+ different values, each of which would be a class\n[\s\S]*warning: y has \d+ different values in 120 rows/,
    exit: 0,
  },
  {
    name: 'rows to test on that are in the pool',
    command: run('plain.csv', '--test plain.csv'),
    stderr: warned('120 of the 120 rows to test on are in the pool too: the test error would flatter', '.*'),
    exit: 0,
  },
  { name: 'other rows to test on', command: run('plain.csv', '--test other.csv'), exit: 0 },
  {
    name: 'numbers with a comma',
    command: run('comma.csv', '--category size'),
    stderr: /^warning: size holds numbers with a comma, such as 0,\d+, and is read as text\n {9}--decimal ,; --yes/,
    exit: 0,
  },
  { name: 'numbers with a comma, said so', command: run('comma.csv', '--decimal ,'), stdout: learned, exit: 0 },
  {
    name: 'another encoding',
    command: run('latin.csv'),
    stdout: /^$/,
    stderr:
      /^alis: latin\.csv: line 2 must be UTF-8 text, got other bytes\n {6}It looks like windows-1252: say so, --encoding windows-1252 or latin/,
    exit: 2,
  },
  {
    name: 'a Cyrillic one',
    command: run('cyrillic.csv'),
    stdout: /^$/,
    stderr: /It looks like windows-1251: say so, --encoding windows-1251/,
    exit: 2,
  },
  { name: 'another encoding, said so', command: run('latin.csv', '--encoding windows-1252'), stdout: learned, exit: 0 },
  {
    name: 'no encoding of that name',
    command: run('latin.csv', '--encoding klingon'),
    stdout: /^$/,
    stderr: /an encoding such as windows-1252 is required, got klingon/,
    exit: 2,
  },
  { name: 'no header', command: `run headless.csv --no-header --label column2 ${few}`, stdout: learned, exit: 0 },
  { name: 'signs for missing values', command: run('gaps.csv', '--missing NA,? --number size'), stdout: learned, exit: 0 },
  {
    name: 'the same, not said',
    command: run('gaps.csv', '--number size'),
    stdout: /^$/,
    stderr: /--number: size must hold numbers/,
    exit: 2,
  },
  { name: 'a column name with a comma', command: `run named.csv --label y --number '"a,b"' ${few}`, stdout: learned, exit: 0 },
  {
    name: 'how typed cells are read',
    command: run('labels.parquet', '--decimal ,'),
    stdout: /^$/,
    stderr: /a file of text is required to be read in another way, got parquet/,
    exit: 2,
  },
  { name: 'predictions for no rows', command: 'predict model.json nothing.csv', stdout: /^id,prediction,confidence\n$/, exit: 0 },
  {
    name: 'predictions on stdout',
    command: 'predict model.json plain.csv --out -',
    stdout: /^id,prediction,confidence\n1,(?:yes|no),0\.\d+\n/,
    exit: 0,
  },
  {
    name: 'the paper, explained',
    command: `run plain.csv --label y --strategy paper --batch literal --start 6 --rounds 1 --seed 7 --explain`,
    stdout:
      /Round 1: n = 114 points.*\npoint +f\(x\) +pseudo-label[\s\S]*Theorem 6\.3 M_p\*[\s\S]*Equation 1 {2}R = .* ≤ A \+ B \+ C = .*\n.*\nEquation 2 {2}Var = /,
    exit: 0,
  },
  {
    name: 'another strategy, explained',
    command: run('plain.csv', '--explain'),
    stdout: /^$/,
    stderr: /^alis: --explain: strategy paper in a pool in memory is required, got alis\n/,
    exit: 2,
  },
  {
    name: 'a loss that nothing can be trained by',
    command: run('plain.csv', '--loss zero-one'),
    stdout: /^$/,
    stderr: /^alis: --loss: one of logistic, squared, squared-hinge, hinge, exponential is required, got "zero-one"/,
    exit: 2,
  },
  ...['hinge', 'exponential'].map(
    (loss): Line => ({ name: `the ${loss} loss`, command: run('plain.csv', `--loss ${loss}`), stdout: learned, exit: 0 }),
  ),
  {
    name: 'help of a command that there is not',
    command: 'help nosuch',
    stdout: /^$/,
    stderr: /^alis: nosuch: must be a command, got an unknown one\n/,
    exit: 2,
  },
  { name: 'help of one nearly like it', command: 'help compere', stdout: /^$/, stderr: /Did you mean "compare"\?/, exit: 2 },
]

/** The same in a process of its own, which has a stdin and may be given any stdout. */
export const piped: readonly (Line & { readonly to?: string })[] = [
  { name: 'a pool on stdin', command: run('-'), stdin: plain, stdout: learned, exit: 0 },
  {
    name: 'rows to predict on stdin, as JSON',
    command: 'predict model.json -',
    stdin: '{"size":0.9}\n{"size":0.1}\n',
    stdout: /^id,prediction,confidence\n1,yes,0\.\d+\n2,no,0\.\d+\n$/,
    exit: 0,
  },
  {
    name: 'a project of what is gone',
    command: run('-', '--project new.alis'),
    stdin: plain,
    stdout: /^$/,
    stderr: /^alis: --project: a pool in a file is required, which stays, got -\n/,
    exit: 2,
  },
  {
    name: 'predictions on a full disk',
    command: 'predict model.json plain.csv',
    to: '/dev/full',
    stderr: /^alis: stdout: a place to write to is required, got "ENOSPC/,
    exit: 1,
  },
  {
    name: 'JSON on a full disk',
    command: `${run('plain.csv').replace('--quiet', '--json')}`,
    to: '/dev/full',
    stderr: /^alis: stdout: a place to write to is required, got "ENOSPC/,
    exit: 1,
  },
]
