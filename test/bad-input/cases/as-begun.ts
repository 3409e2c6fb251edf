import type { BadInput } from '../case.ts'

const run = 'run pool.csv --rounds 3 --project known.alis'

/** Options that contradict what a project began with. */
export const asBegun: readonly BadInput[] = [
  ...contradictions(`${run} --label y`, {
    '--features': ['none', 'size'],
    '--text': ['none', 'size'],
    '--category': ['none', 'size'],
    '--number': ['none', 'weight'],
    '--ignore': ['none', 'weight'],
    '--seed': ['7', '8'],
    '--classes': ['no,yes', 'no,maybe'],
    '--strategy': ['alis', 'uniform'],
    '--learner': ['auto', 'linear'],
    '--loss': ['logistic', 'squared'],
    '--l2': ['1', '3'],
    '--start': ['8', '9'],
    '--batch': ['4', '5'],
    '--weighting': ['none', '0.5'],
    '--positive': ['none', 'yes'],
    '--test': ['none', '0.3'],
    '--given': ['none', 'y'],
  }),
  ...contradictions(run, { '--label': ['y', 'weight'] }),
  ...contradictions('label --project known.alis --no-open', { '--seed': ['7', '9'], '--strategy': ['alis', 'paper'] }),
]

/** An option after a command, what is on record, and what is said. */
function contradictions(command: string, options: Readonly<Record<string, readonly [string, string]>>): BadInput[] {
  return Object.entries(options).map(([option, [known, said]]) => ({
    name: `${command.split(' ')[0]}: another ${option} than a project began with`,
    command: `${command} ${option} ${said}`,
    message: `${option}: ${known} is required, as known.alis began with it, got ${said}`,
    hint: 'Leave it out, or begin another project.',
  }))
}
