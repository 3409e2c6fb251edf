import { metrics } from '../../metrics/catalogue.ts'
import { type AskedMetric, claimAround, metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { CertificateSummary } from '../../protocol/project.ts'
import type { Certificate, CertifiedQuestion } from '../../questions/certificate.ts'
import { aroundState, bestWords, machinesIn, machineWords, undefinedWords } from '../../questions/words.ts'
import { withDecimals } from '../../text/limits.ts'
import { pageTexts, rangeText } from '../../text/shares.ts'
import { count, counted, listed, sentence } from '../../text/wording.ts'

export const words = {
  name: 'Certificate',
  back: '← Certify',
  backToReport: '← Report',
  print: 'Print or save as PDF',
  download: 'Download certificate.json',
  cannot: 'This certificate cannot be shown.',
  void: 'Void',
  earlier: 'Earlier release',
  between: '{low} and {high}',
  picture: (scale: string, about: string) => `${scale}. ${about}`,
  quoted: (claim: string) => `“${claim}”`,
  voided: 'Void: answers were revised since.',
  voidWhy: 'It is about the answers as they stood when it was written, not as they stand now.',
  asked: 'What was asked',
  byClass: 'By class',
  byClassNote: 'Each of these ranges holds on its own, from the same answers.',
  says: 'What it says',
  saysNot: 'What it does not say',
  who: 'Who answered',
  files: 'Which files',
  all: (questions: number) => `All ${count(questions)} questions that were asked`,
  columns: { question: 'Question', estimate: 'About', limits: 'Surely between', together: 'All at once', state: '' },
  check: 'How to check it',
  checkNote: (draws: number) =>
    `Computes every draw, chance and range again from the record, and stops at the first difference. It needs the record and the file, not this page. The certificate holds all ${counted(draws, 'draw')} with their answers.`,
  said: 'What it said',
  facts: 'Facts',
}

/** A claim with its two limits set apart: what comes before, between and after them. Without limits it is one sentence. */
export interface ClaimWords {
  readonly before: string
  readonly limits?: { readonly low: string; readonly high: string }
  /** In place of limits, where it is known. */
  readonly value?: string
  readonly after: string
}

/** What a certificate says first, in one sentence that claims no more than it measured. */
export function claimOf(certificate: Certificate): ClaimWords {
  const first = firstOf(certificate)
  if (!first) return { before: certificate.best ? bestWords(certificate.best) : certificate.claim, after: '' }
  const { value, low, high } = first
  const isMeasured = value !== null && low !== null && high !== null
  const said = isMeasured ? pageTexts({ value, low, high }, { unit: unitOf(first.question) }) : undefined
  if (!said) return { before: undefinedWords(metricLabel(first.question)), after: '' }
  const [opening, closing] = aroundState(first)
  const [before, after] = aroundOf(first, isOfProject(certificate))
  const end = `${said.after}${after}${closing}.`
  if (first.state === 'known') return { before: sentence(`${opening}${before}`.trim()), value: said.value, after: end }
  return { before: sentence(`${opening}${before}between`), limits: { low: said.low, high: said.high }, after: end }
}

/** The question that it is about, or the first of several; none where it says which model is the best. */
export function firstOf({ questions }: Certificate): CertifiedQuestion | undefined {
  return questions[0]
}

function aroundOf({ question, state, points }: CertifiedQuestion, isOurs: boolean): readonly [string, string] {
  const { metric, positive, actual, slice, against } = question
  const isPlain = !slice && against === undefined
  if (isPlain && metric === 'error' && isOurs)
    return ['this model is wrong on ', ` of the ${count(points)} rows that nobody had answered or been asked about`]
  if (!isPlain || state === 'known') return claimAround(question, count(points))
  const { claim, pageClaim = claim } = metrics[metric]
  return pageClaim({ points: count(points), positive, actual })
}

type Measured = Pick<CertifiedQuestion, 'question' | 'value' | 'low' | 'high'>

/** Its estimate and limits to the decimal; nothing where there is nothing to divide by. */
function textsOf({ question, value, low, high }: Measured) {
  if (value === null || low === null || high === null) return undefined
  return pageTexts({ value, low, high }, withDecimals({ low, high }, unitOf(question)))
}

/** "4.7 %" */
export function estimateWords(measured: Measured): string {
  const said = textsOf(measured)
  return said ? `${said.value}${said.after}` : 'none'
}

/** "3.1 % to 7.0 %" */
export function limitWords(measured: Measured): string {
  const said = textsOf(measured)
  return said ? `${said.low} to ${said.high}${said.after}` : 'none'
}

/** Whether it is about the model of a project, or about a file of predictions. */
function isOfProject({ columns }: CertificateFile): boolean {
  return Object.keys(columns).length === 0
}

/** What the scale of its picture is of. */
export function scaleWords(asked: AskedMetric): string {
  const { metric, positive, actual, slice, against } = asked
  return slice || against !== undefined ? sentence(metricLabel(asked)) : metrics[metric].scale(positive, actual)
}

/** What the first question rests on, and how far it can be relied on. */
export function restWords({ answers, ...certificate }: Certificate): string {
  const { state = 'defined', level } = { ...certificate.questions[0], level: certificate.level }
  const from = `From ${counted(answers, 'answer')}${machineWords(machinesIn(certificate.rounds), answers)}`
  const { learned } = { ...certificate.questions[0] }
  const also = learned === undefined ? '' : `, and ${counted(learned, 'answer')} that the model learned from,`
  if (state === 'known') return `${from}. Nothing that matters is left open, so it is exact for these answers.`
  if (state === 'undefined') return `${from}.`
  if (state === 'contradiction') return `${from}. What is certain holds whatever the answers that are missing would be.`
  return `${from}${also} to rows drawn by lot, with known chances. Certificates made this way are mistaken ${missWords(level)}, however often anyone looked.`
}

/** What the picture shows beside its scale. */
export function pictureWords({ state, level }: CertifiedQuestion): string {
  if (state === 'known') return 'The dot is the value.'
  if (state === 'contradiction') return 'The band is what is certain.'
  return `The dot is the best single number, the band what is sure: mistaken ${missWords(level)}.`
}

/** "at most 5 times in 100" */
export function missWords(level: number): string {
  const inHundred = Number((100 * (1 - level)).toFixed(6))
  const [times, of] = Number.isInteger(inHundred) ? [inHundred, 100] : [Number((1000 * (1 - level)).toFixed(3)), 1000]
  return `at most ${counted(times, 'time')} in ${count(of)}`
}

export function says(certificate: Certificate): string[] {
  const { level, metric, pool, questions } = certificate
  const { word, quantity = word } = metrics[metric]
  const points = `these ${count(pool.size)} rows`
  const what = questions.length > 1 ? 'what they are of, each' : `the true ${quantity}`
  const misses =
    questions.length > 0
      ? `Ranges made this way miss ${what} ${missWords(level)}.`
      : `A model is named wrongly this way ${missWords(level)}.`
  return [
    isOfProject(certificate)
      ? `It is about this one model, kept as it was, and ${points}.`
      : `It is about these predictions and ${points}.`,
    misses,
    'It holds at any time: looking early, or stopping late, did not weaken it.',
  ]
}

export function saysNot(certificate: Certificate): string[] {
  const isOurs = isOfProject(certificate)
  return [
    isOurs ? 'How the model does on other rows, or next month.' : 'How good such predictions are on other rows.',
    metrics[certificate.metric].leavesOpen ?? 'Which rows are wrong.',
    `That the answers are right. ${truthWords(certificate)} the truth here.`,
    ...(isOurs ? ['Anything about a model that has learned since.'] : []),
  ]
}

/** "People’s answers are" */
function truthWords({ rounds }: Certificate): string {
  const machines = machinesIn(rounds)
  if (machines.length === 0) return 'People’s answers are'
  return `Those of a machine (${listed(
    machines.map(({ name, answers }) => `${name}, ${count(answers)}`),
    'and',
  )}) are taken for`
}

/** How a list names a certificate: "Wrong on 3 % to 7 %", "Recall of spam: 81 % to 93 %, and 3 more" */
export function titleOf(certificate: CertificateSummary): string {
  const { questions, metric, best } = certificate
  if (best && questions.length === 0) return `Best model: ${best.model ?? 'not proven'}`
  const first = questions[0] ?? certificate
  const range = rangeText(certificate, unitOf(first)) ?? 'not defined'
  const more = questions.length > 1 ? `, and ${count(questions.length - 1)} more` : ''
  if (metric === 'error' && !questions[0]?.slice && questions[0]?.against === undefined) return `Wrong on ${range}${more}`
  return `${sentence(questions[0]?.label ?? metrics[metric].word)}: ${range}${more}`
}

/** What a list says beside it: "mistaken at most 5 times in 100, 60 answers, 19 November 2026" */
export const standingOf = ({ level, answers, time }: CertificateSummary) =>
  `mistaken ${missWords(level)}, ${counted(answers, 'answer')}, ${dayOf(time)}`

export const voidWords = 'Void: answers were revised since'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** 14 March 2026 */
export function dayOf(time: string): string {
  return day.format(new Date(time))
}
