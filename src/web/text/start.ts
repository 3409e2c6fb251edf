import type { Inspection } from '../../protocol/start.ts'
import { percentage } from '../../text/shares.ts'
import { count, counted } from '../../text/wording.ts'

/** What the page says before there is a project. */
export const startWords = {
  title: 'Label less, and know how good it is.',
  lede: 'Drop a file of things to sort, or of predictions to check. You answer a few questions; the page says how often the machine is wrong in the whole file, and how sure that is.',
  formats: 'Excel, CSV, TSV, JSON, Parquet, or a folder of pictures. Nothing leaves this machine.',
  samples: 'Or begin with a sample',
  projects: 'On this machine',
  large: 'not looked into yet',
  understood: 'Here is what was understood.',
  understoodLede: 'Change anything that is not right. Nothing begins until you say so.',
  unread: 'This file could not be read.',
  unreadLede: 'Nothing was changed. Try another file, or say how to read this one.',
  firstRows: 'Say what each column is. People see the marked ones.',
  answers: 'Type or paste them: a, b, c. Two or more; from ten on, people find them by typing.',
  cannotTell: '“Cannot tell” is always there and need not be added.',
  everythingElse: 'Everything else: how things are drawn, the first answers, seed, project folder, the same as a command',
} as const

export const sampleWords = {
  digits: {
    title: 'Handwritten digits',
    about: '1,797 pictures. Teach a model to read them.',
    price: '±10 % in about 10 minutes',
  },
  messages: {
    title: 'Text messages',
    about: '600 made-up messages, spam or not. Quick to answer.',
    price: '±10 % in about 15 minutes',
  },
  predictions: {
    title: 'Predictions to check',
    about: '800 made-up mails sorted by a machine. How often is it wrong?',
    price: '±10 % in about 10 minutes',
  },
  answers: {
    title: 'Answers of a language model',
    about: '1,200 made-up answers and what a judge says of them. How many are right?',
    price: '±10 % in about 15 minutes',
  },
  models: {
    title: 'Three models',
    about: '1,500 made-up tickets sorted by three models. Which is the best?',
    price: 'a name in about 25 minutes',
  },
} as const

export type SampleName = keyof typeof sampleWords

/** "wrong on 2 to 14 %" */
export function projectRange({ low, high }: { low: number; high: number }): string {
  const decimals = high - low < 0.04 ? 1 : 0
  const scale = 10 ** decimals
  const [from, to] = [Math.floor(100 * low * scale + 1e-9) / scale, Math.ceil(100 * high * scale - 1e-9) / scale]
  return `wrong on ${from.toFixed(decimals)} to ${to.toFixed(decimals)}\u00a0%`
}

/** Seconds for an answer before the first is given, by what there is to see. */
export function paceFor(
  { columns, view }: Pick<Inspection, 'columns' | 'view'>,
  preview: readonly (readonly (string | null)[])[],
): number {
  if (view.kind === 'bitmap' || view.kind === 'image') return 5
  const shown = columns.map(({ isShown }, j) => (isShown ? j : -1)).filter((j) => j >= 0)
  const lengths = preview.map((row) => shown.reduce((sum, j) => sum + (row[j]?.length ?? 0), 0))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return mean > 250 ? 40 : 10
}

/** "about 15 min", "about 1 h 20 min": minutes to five. */
export function timeWords(seconds: number): string {
  const minutes = seconds < 300 ? Math.max(1, Math.round(seconds / 60)) : 5 * Math.round(seconds / 300)
  if (minutes < 60) return `about ${minutes}\u00a0min`
  const rest = minutes % 60
  return `about ${count(Math.floor(minutes / 60))}\u00a0h${rest > 0 ? ` ${rest}\u00a0min` : ''}`
}

/** To ten, as everything before the first answer is a guess. */
export const roughly = (answers: number) => Math.max(10, 10 * Math.round(answers / 10))

export const goodFor: Readonly<Record<number, string>> = {
  0.1: 'a first idea',
  0.05: 'good for most decisions',
  0.03: 'for a contract',
}

export const plusMinusWords = (tolerance: number) => `±${percentage(tolerance, 0)}`

/** Why a goal cannot be had of a file. */
export const nearlyAll = (rows: number) =>
  `that is nearly all of them: answer all ${count(rows)} and there is no range left to doubt`

/** Under the goals of a project that learns. */
export const howSureWords = (rows: number) =>
  `For ${counted(rows, 'row')}, if the model ends up wrong on about 6\u00a0%. Can be changed later.`

export const firstWords = (start: string, unit: string) =>
  `The first ${start} ${unit} are drawn by plain lot, and put on record before anyone sees them.`

/** Why it is thought that a file holds predictions, as a title. */
export const recognisedTitles = {
  predictions: 'These look like predictions.',
  verdicts: 'These look like a judge’s verdicts.',
  grades: 'These look like a judge’s grades.',
} as const

export const checkWords = {
  predictions: {
    title: 'Check them',
    about:
      'You answer some of the same questions without seeing the predictions. You learn how often they are wrong, where, and which column is best.',
  },
  verdicts: {
    title: 'Check the judge',
    about:
      'You judge some of the same answers without seeing the verdict. You learn how often the judge agrees with people, and the pass rate put right.',
  },
  grades: {
    title: 'Check the grades',
    about:
      'You grade some of the same answers without seeing the grades. You learn what the mean grade would be if people had given all.',
  },
} as const

export const learnWords = {
  title: 'Learn from the file',
  about: 'Forget the predictions and teach a new model from your own answers. Its error is measured along the way.',
} as const

export const hiddenWords = {
  predictions: 'The prediction columns stay hidden from the people who answer.',
  verdicts: 'The verdict stays hidden from the people who answer.',
  grades: 'The grades stay hidden from the people who answer.',
} as const

export const auditFoot = {
  sure: 'They are drawn by lot, more often where the columns disagree or the confidence is low; each with its chance on record.',
  plain: 'They are drawn by plain lot, and put on record before anyone sees them.',
} as const

/** Of rows whose prediction is a word that is no answer. */
export const noAnswerWords = (rows: number, word: string) =>
  `${counted(rows, 'row says', 'rows say')} “${word}”, which is not an answer: counted as wrong.`
