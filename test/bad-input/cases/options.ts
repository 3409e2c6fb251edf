import type { BadInput } from '../case.ts'

const run = 'run pool.csv --label y --project new.alis'
const ask = 'run pool.csv --oracle-command x --project new.alis'
const help = 'alis run --help shows what there is.'

/** A value that an option refuses. */
const refused = (option: string, value: string, required: string): BadInput => ({
  name: `${option} ${value}`,
  command: `${run} ${option} ${value}`,
  message: `${option}: ${required} is required, got "${value}"`,
  hint: help,
})

/** Commands, options and values that do not exist or do not go together. */
export const options: readonly BadInput[] = [
  {
    name: 'an unknown command',
    command: 'rum pool.csv',
    message: 'rum: must be a command, got an unknown one',
    hint: 'Did you mean run?',
  },
  {
    name: 'an unknown option',
    command: `${run} --bugdet 10`,
    message: '--bugdet: must be an option of this command, got an unknown one',
    hint: 'Did you mean --budget?',
  },
  {
    name: 'no file',
    command: 'run',
    message: '<pool>: must be given, got nothing',
    hint: 'Name it as an argument or with --pool.',
  },
  {
    name: 'two pools',
    command: `${run} --pool other.csv`,
    message: '--pool: one pool is required, got "other.csv" and "pool.csv"',
    hint: 'It stands for the argument: leave out one of them.',
  },
  {
    name: 'an option without its value',
    command: 'run pool.csv --label',
    message: '--label: <column> is required, got nothing',
    hint: help,
  },
  {
    name: 'an unknown strategy',
    command: `${run} --strategy uniforn`,
    message: /^--strategy: one of alis, .*uniform.* is required, got "uniforn"$/,
    hint: 'Did you mean "uniform"?',
  },
  {
    name: 'an unknown loss',
    command: `${run} --loss absolute`,
    message: '--loss: one of logistic, squared, squared-hinge, hinge, exponential is required, got "absolute"',
    hint: help,
  },
  refused('--budget', '0', 'a whole number of at least 1'),
  refused('--budget', '-1', 'a whole number of at least 1'),
  refused('--budget', '1.5', 'a whole number'),
  refused('--budget', 'abc', 'a whole number'),
  refused('--batch', '0', 'a whole number of at least 1'),
  refused('--batch', 'ten', 'a whole number'),
  refused('--l2', '-1', 'a positive number'),
  refused('--delta', '2', 'a number in (0, 1)'),
  refused('--know', '0.05', 'a number in [0.1, 1]'),
  refused('--know', 'more', 'a number in [0.1, 1]'),
  {
    name: 'a uniform share of a strategy that has none',
    command: `${run} --strategy entropy --know 0.3`,
    message: 'know: strategy alis is required, got entropy, which has no such share',
  },
  refused('--seed', '-1', 'a whole number of at least 0'),
  refused('--seed', '1e30', 'a whole number below 2⁵³'),
  refused('--test', '1.5', 'a number in (0, 1)'),
  {
    name: 'a share to test on that is nobody',
    command: `${run} --test 0.001`,
    message: 'test: both pool and test need points, got a share of 0.001 of 40',
  },
  {
    name: 'a test file that is not there',
    command: `${run} --test nowhere.csv`,
    message: 'nowhere.csv: must be a file, got nothing there',
    hint: 'Check the spelling of the path.',
  },
  {
    name: 'rounds and a budget',
    command: `${run} --rounds 2 --budget 20`,
    message: '--rounds: must stand without --budget, got both',
    hint: help,
  },
  {
    name: 'nobody who answers',
    command: 'run pool.csv --project new.alis',
    message: 'answers: a column, a program or a service is required, got none',
    hint: 'Name one with --label, --oracle-command or --oracle-url.',
  },
  {
    name: 'a program and a service that answer',
    command: `${ask} --classes no,yes --oracle-url http://localhost/`,
    message: '--oracle-command: must stand without --oracle-url, got both',
    hint: help,
  },
  {
    name: 'no classes',
    command: ask,
    message: 'classes: two or more are required where no column has labels, got none',
    hint: 'For example --classes ham,spam.',
  },
  {
    name: 'one class',
    command: `${ask} --classes spam`,
    message: 'classes: two or more are required where no column has labels, got 1',
    hint: 'For example --classes ham,spam.',
  },
  {
    name: 'one class twice',
    command: `${ask} --classes spam,spam`,
    message: '--classes: names that differ are required, got "spam" twice',
    hint: help,
  },
  {
    name: 'rows to test on that nobody has labelled',
    command: `${ask} --classes no,yes --test 0.3`,
    message: 'test: a column of labels is required to test on, got none',
    hint: 'Name it with --label, or leave out --test.',
  },
  {
    name: 'a positive value that does not occur',
    command: `${run} --positive maybe`,
    message: 'positive: one of the values of y is required, got "maybe"',
    hint: 'The values are no, yes.',
  },
  {
    name: 'a positive value with a typo',
    command: `${run} --positive yess`,
    message: 'positive: one of the values of y is required, got "yess"',
    hint: 'Did you mean "yes"?',
  },
  {
    name: 'every value positive',
    command: `${run} --positive no,yes`,
    message: 'positive: some value of y must be left over as negative, got all of them',
    hint: 'Name fewer with --positive.',
  },
]
