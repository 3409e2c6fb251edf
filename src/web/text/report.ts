import type { Report } from '../../protocol/report.ts'
import { valueText } from '../../text/shares.ts'
import { count, counted } from '../../text/wording.ts'

/** What a report says. */
export const words = {
  name: 'Report',
  answer: 'Answer',
  questions: 'What was asked',
  goOn: 'Go on answering',
  see: 'See the certificate',
  band: 'The range, answer by answer',
  classes: 'By class',
  alone: 'Each range holds on its own.',
  inFile: 'Predicted',
  right: 'When it says so, it is right',
  finds: 'Of those there are, it finds',
  mix: 'What is mistaken for what',
  mixNote: 'Shares of the whole file. Rows are what people answered, columns what was predicted.',
  groups: (column: string) => `Where it is worse: ${column}`,
  groupsNote: (rows: number) =>
    `These ranges, ${count(rows)} in all, hold together with that of the whole. “Surely worse” is said only where the two ranges do not meet.`,
  whole: 'The whole file',
  worse: 'surely worse',
  few: 'few answers',
  errorsNote: 'Seen by a person, one by one. Not a fair picture of all errors: doubtful ones are asked about more often.',
  noErrors: 'No error found so far.',
  read: 'Read',
  truth: 'People’s answers are taken as the truth here.',
  none: 'none met yet',
}

export const errorsTitle = ({ found }: Pick<Report, 'found'>) => `${counted(found, 'error')} found so far`

/** The mistake that is seen most: "cancel called billing, about 3 % of the file". */
export function mostMistaken({ classes, cells }: Pick<Report, 'classes' | 'cells'>): string | undefined {
  const wrong = cells.flatMap((row, k) => row.flatMap((asked, j) => (j === k || !asked.value ? [] : [{ asked, k, j }])))
  const [most] = wrong.toSorted((a, b) => b.asked.value! - a.asked.value!)
  if (!most) return undefined
  const { asked, k, j } = most
  const share = valueText({ value: asked.value!, low: asked.low, high: asked.high })
  return `Most mix-ups: ${classes[k]!.name} called ${classes[j]!.name}, about ${share} of the file.`
}
