import type { AskedQuestion } from '../../protocol/questions.ts'
import type { Report } from '../../protocol/report.ts'
import { valueText } from '../../text/shares.ts'
import { count, counted } from '../../text/wording.ts'

/** What a report says. */
export const words = {
  name: 'Report',
  answer: 'Answer',
  compare: 'Compare',
  eyebrow: (file: string, answers: number, rows: number) => `${file} · ${counted(answers, 'answer')}, of ${count(rows)} rows`,
  sentence: '{before}{about}{after}, surely between {low} and {high}.',
  about: (value: string, isFirst: boolean) => `${isFirst ? 'About' : 'about'} ${value}`,
  rests: (answers: string, missed: string) => `It rests on ${answers}, and is mistaken ${missed}, however often you look.`,
  dash: '–',
  fromTo: (low: string, high: string) => `${low}–${high}`,
  questions: 'All that was asked, in numbers',
  noRange: 'No range yet.',
  early: 'It appears when the first answers are in, and narrows with every ten.',
  finished: 'The audit is finished.',
  print: 'Print',
  jumps: 'Parts of the report',
  jump: { classes: 'By class', mix: 'Mix-ups', groups: 'Where it is worse', errors: 'Errors found' },
  how: 'How do we know?',
  lot: (level: string) =>
    `What people answered was drawn by lot, and the chance of each was written down before anyone saw it. Answers are compared with what the file says only afterwards; what is still open becomes the range. Ranges made this way are mistaken ${level}, however often you look and whenever you stop.`,
  race: 'The race',
  raceNote: 'A column drops out once another is surely better, head to head.',
  raceWhy:
    'Comparing is cheaper than measuring: only rows on which the columns differ can tell them apart, so those are asked about. How often each is wrong in the whole file is asked apart.',
  best: 'surely the best',
  leads: 'looks best',
  open: 'still in the race',
  out: 'surely worse, out',
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
  groups: 'Where it is worse',
  apart: 'Apart by',
  apartBy: (column: string) => `Apart by ${column}`,
  wrong: 'Wrong',
  whatRead: 'What was read',
  showAll: (errors: number) => `Show all ${count(errors)}`,
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
  known: 'known',
  scale: (end: number) => `0 to ${100 * end}\u00a0%`,
}

export const errorsTitle = ({ found }: Pick<Report, 'found'>) => `${counted(found, 'error')} found so far`

/** How many errors the whole file holds, by the range. */
export function heldWords({ low, high, points }: Pick<AskedQuestion, 'low' | 'high' | 'points'>): string {
  if (low === null || high === null) return ''
  return ` By the range above the whole file holds between ${count(Math.floor(low * points + 1e-9))} and ${count(Math.ceil(high * points - 1e-9))}.`
}

/** What a judge may be used for. */
export const judgeWords = {
  passes: 'Of the good ones it passes',
  fails: 'Of the bad ones it fails',
  agreement: 'Agreement beyond chance',
  title: 'Can the judge be trusted?',
  note: 'What each use would need',
  sort: 'Sort out the bad ones for a person to read',
  alone: 'Count the good ones alone',
  single: 'Decide on single ones',
  says: (share: string) => `The judge alone says ${share}.`,
  kind: (points: string) => `It is too kind by ${points} points, so its number should not be used as it is.`,
  strict: (points: string) => `It is too strict by ${points} points, so its number should not be used as it is.`,
  within: 'That lies within the range.',
  change: 'With another prompt or model of the judge, this starts over: it is about this column only.',
}

/** How far the judge's own share lies from what is sure, in points, outward; undefined where it lies within. */
export function gapOf(own: number, { low, high }: { low: number; high: number }) {
  if (own >= low && own <= high) return undefined
  const [near, far] = own > high ? [own - high, own - low] : [low - own, high - own]
  const points = `${Math.floor(100 * near + 1e-9)} to ${Math.ceil(100 * far - 1e-9)}`
  return own > high ? judgeWords.kind(points) : judgeWords.strict(points)
}

type Limits = Pick<AskedQuestion, 'low' | 'high'>

/** Yes or no for each use, from ranges alone; "not known yet" where a range says neither. */
export function judgeUses(own: number, rate: Limits, passing: Limits, failing: Limits): [string, string][] {
  const least = (limits: Limits, share: number) =>
    limits.low !== null && limits.low > share ? 'yes' : limits.high !== null && limits.high < share ? 'no' : 'not known yet'
  const { low, high } = rate
  const isWithin = low !== null && high !== null && own >= low && own <= high
  const single = [least(passing, 0.9), least(failing, 0.9)]
  return [
    [judgeWords.sort, least(failing, 0.3)],
    [judgeWords.alone, isWithin ? (high - low <= 0.1 ? 'yes' : 'not known yet') : 'no'],
    [judgeWords.single, single.includes('no') ? 'no' : single.every((word) => word === 'yes') ? 'yes' : 'not known yet'],
  ]
}

/** The mistake that is seen most: "cancel called billing, about 3 % of the file". */
export function mostMistaken({ classes, cells }: Pick<Report, 'classes' | 'cells'>): string | undefined {
  const wrong = cells.flatMap((row, k) => row.flatMap((asked, j) => (j === k || !asked.value ? [] : [{ asked, k, j }])))
  const [most] = wrong.toSorted((a, b) => b.asked.value! - a.asked.value!)
  if (!most) return undefined
  const { asked, k, j } = most
  const share = valueText({ value: asked.value!, low: asked.low, high: asked.high })
  return `Most mix-ups: ${classes[k]!.name} called ${classes[j]!.name}, about ${share} of the file.`
}
