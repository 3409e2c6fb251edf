import { metrics } from '../../metrics/catalogue.ts'
import { type AskedMetric, metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import type { Audit, Goal, Project } from '../../protocol/project.ts'
import type { BestOfModels } from '../../protocol/questions.ts'
import { pointsText, stateText } from '../../questions/words.ts'
import type { Unit } from '../../text/limits.ts'
import { pageTexts, percentage, plusMinus, rangeText } from '../../text/shares.ts'
import { count, counted, listed, sentence } from '../../text/wording.ts'
import { missWords } from './certificate.ts'
import { aboutTime } from './now.ts'

/** What an interval is of: "the error of this model". */
export function ofWhat(asked: AskedMetric, purpose: Project['purpose']): string {
  const { metric, positive, slice, against } = asked
  if (slice || against !== undefined) return `the ${metricLabel(asked)}`
  const whose = purpose === 'audit' ? 'the predictions' : 'this model'
  const { word, ofWhat: words } = metrics[metric]
  return words?.(whose, positive, asked.actual) ?? `the ${word} of ${whose}${positive === undefined ? '' : ` for ${positive}`}`
}

/** What stands above an interval: its limits, or why there are none. */
export function headWords({ steps, questions, best, race, ...audit }: Audit, purpose: Project['purpose'] = 'learn'): string {
  const newest = steps.at(-1)
  if (best && !questions[0]) return raceHead(best)
  if (race && !newest) return 'No best model yet.'
  if (questions[0]?.state === 'undefined') return 'Not defined.'
  return newest ? sentenceOf({ ...audit, ...questions[0], ...newest }, purpose) : 'No range yet.'
}

/** "The predictions are wrong on about 18 %, surely between 11 % and 30 %." Of other questions, limits and estimate. */
export function sentenceOf(measured: Sentenced, purpose: Project['purpose']): string {
  const said = partsOf(measured, purpose)
  if (said)
    return `${said.before}about ${said.value}${said.after}, surely between ${said.low} and ${said.high}.`.replace(
      /^about/,
      'About',
    )
  const { value, low, high } = measured
  if (value === null || low === null || high === null) return 'Not defined.'
  const texts = pageTexts({ value, low, high }, { unit: unitOf(measured) })
  return `${texts.low} to ${texts.high}${texts.after}, about ${texts.value}.`
}

/** The sentence in parts, where there is one: of the share that is wrong, and of the share that is good. */
export function partsOf(measured: Sentenced, purpose: Project['purpose']) {
  const { metric, positive, slice, against, value, low, high, level = 0.95 } = measured
  const isPlain = (metric === 'error' || metric === 'prevalence') && !slice && against === undefined && level >= 0.95
  if (!isPlain || value === null || low === null || high === null) return undefined
  const texts = pageTexts({ value, low, high })
  if (metric === 'prevalence') return { ...texts, before: '', after: ` are ${positive}` }
  return { ...texts, before: purpose === 'audit' ? 'The predictions are wrong on ' : 'This model is wrong on ', after: '' }
}

export type Sentenced = AskedMetric & { value: number | null; low: number | null; high: number | null; level?: number }

/** What an interval is of, and when it holds. Of several, the first. */
export function aboutWords(audit: Audit, purpose: Project['purpose']): string | undefined {
  const { best } = audit
  const [first, ...others] = audit.questions
  if (!first) return best && `${raceNow(best)} After ${counted(audit.answers, 'answer')}, mistaken ${missWords(best.level)}.`
  const after = `after ${counted(audit.steps.at(-1)?.answers ?? audit.answers, 'answer')}`
  const more = others.length > 0 ? `; ${counted(others.length, 'other question is', 'other questions are')} asked too` : ''
  return `${inState(first, ofWhat(first, purpose), after)}${more}`
}

/** The same below a sentence that says of what it is. */
export function aboutHere(audit: Audit, purpose: Project['purpose']): string | undefined {
  const [first, ...others] = audit.questions
  const newest = audit.steps.at(-1)
  if (!first || !newest || !partsOf({ ...first, ...newest }, purpose)) return aboutWords(audit, purpose)
  const after = `After ${counted(newest.answers, 'answer')}.`
  return others.length > 0 ? `${after} What else was asked stands in Report.` : after
}

function inState({ state, level, points, atMost }: Audit['questions'][number], what: string, after: string): string {
  const at = level === 0.95 ? '' : ` mistaken ${missWords(level)}`
  if (state === 'known') return `${what}, known exactly ${after}`
  if (state === 'undefined') return `${what}, ${after}: there is nothing to divide by`
  if (state === 'contradiction') return `what is certain of ${what}, ${after}: they contradict each other${at}`
  if (state === 'defined') return `${what}${at && `,${at}`}, ${after}`
  if (atMost === undefined) return `${what}, over the classes that occur${at && `,${at}`}, ${after}`
  return `${what}, if there is anything to divide by (it is at most ${count(atMost)} of ${counted(points, 'row')})${at && `,${at}`}, ${after}`
}

/** What will be known when the first answers are in. */
export function openWords(audit: Audit, purpose: Project['purpose']): string {
  return `It is of ${audit.race ? 'which model is the best' : ofWhat(audit, purpose)}, and appears when the first`
}

/** A question in words that need no statistics: "Of those that are spam, it finds". */
function plainLabel({ metric, positive, actual, slice, against, label }: AskedMetric & { label: string }): string {
  const where = slice ? `, where ${slice.column} = ${slice.value}` : ''
  const words = against === undefined ? metrics[metric].plain?.(positive, actual) : undefined
  return words === undefined ? sentence(label) : `${words}${where}`
}

/** Where each of several questions stands. */
export function questionRows({ questions }: Audit): [string, string][] {
  return questions.map((asked) => {
    const range = rangeText(asked, unitOf(asked))
    const state = asked.state === 'defined' ? '' : stateText(asked.state)
    const said = [range, state, asked.isReached && asked.state === 'defined' && 'reached'].filter(Boolean)
    return [plainLabel(asked), said.join(', ')]
  })
}

/** About how many more answers all goals take; nothing where that is not known of each. */
function forecastOf({ goal, questions, forecast }: Audit): number | undefined {
  if (goal.first) return questions[0]?.forecast?.answers
  const open = questions.filter(({ isReached, state }) => !isReached && state !== 'contradiction')
  if (open.length === 0) return forecast?.answers
  const needed = open.map((asked) => asked.forecast?.answers ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(Math.max(...needed)) ? Math.max(...needed) : undefined
}

const standing = {
  now: 'Now',
  asked: 'Asked',
  highest: 'Now, at most',
  most: 'At most',
  toCome: 'Still to come',
  unknown: 'Could not tell',
}

/** Forecasts are said to ten answers. */
const toTen = (answers: number) => Math.max(10, 10 * Math.round(answers / 10))

/** How near an audit is to what was asked of it, row by row. */
export function standingRows(audit: Audit): [string, string][] {
  const { goal, steps, answers, unknown, isReached } = audit
  const newest = steps.at(-1)
  const unit = unitOf(audit)
  const forecast = forecastOf(audit)
  const rows: [string, string][] = []
  if (goal.tolerance !== undefined) {
    if (newest) rows.push([standing.now, `±${halfWidthText(newest, unit)}`])
    rows.push([standing.asked, plusMinus(goal.tolerance, unit)])
  }
  if (goal.below !== undefined) {
    if (newest) rows.push([standing.highest, pageTexts(newest, { unit }).high])
    rows.push([standing.asked, `below ${percentage(goal.below)}`])
  }
  if (goal.budget !== undefined) rows.push([standing.most, `${count(answers)} of ${counted(goal.budget, 'answer')}`])
  if (isReached) rows.push([standing.toCome, words.reached])
  else if (forecast !== undefined) rows.push([standing.toCome, `about ${counted(toTen(forecast), 'answer')}`])
  if (unknown > 0) rows.push([standing.unknown, count(unknown)])
  return rows
}

/** Rounded up: never narrower than it is. */
function halfWidthText({ low, high }: Audit['steps'][number], unit: Unit): string {
  const half = Number(((high - low) / 2).toPrecision(12)) // 0.032, where the difference of two decimals has an error in its last bit
  return pageTexts({ value: 0, low: 0, high: half }, unit === 'number' ? { unit } : { decimals: 1 }).high
}

/** "B looks best." */
export function raceHead({ model, leader }: Pick<BestOfModels, 'model' | 'leader'>): string {
  return model === null ? `${leader} looks best.` : `${model} is surely the best.`
}

/** "A is still in the race; C and D are surely worse and out." */
export function raceNow({ model, within, leader, out, models }: BestOfModels): string {
  const open = models.filter((name) => name !== (model ?? leader) && !out.includes(name))
  const are = (names: readonly string[]) => (names.length === 1 ? 'is' : 'are')
  const margin =
    model !== null && within > 0 ? [`it is less accurate than the best by at most ${pointsText(within)}, if at all`] : []
  const parts = [
    ...margin,
    ...(model === null && open.length > 0 ? [`${listed(open, 'and')} ${are(open)} still in the race`] : []),
    ...(out.length > 0 ? [`${listed(out, 'and')} ${are(out)} surely worse and out`] : []),
  ]
  return parts.length > 0 ? `${sentence(parts.join('; '))}.` : ''
}

/** What Certify says. */
export const words = {
  title: 'How sure do you want to be?',
  titleAgain: 'How much surer do you want to be?',
  starts: (answers: number) => `Starts from what your ${counted(answers, 'answer')} say of the model. Nothing is thrown away.`,
  goesOn: (range: string) => `Goes on from the certificate of this model: ${range}. Nothing starts over.`,
  lede: 'From here on the model stays as it is. Answers you give now only measure it, so the range narrows faster. It may learn from them later, as another model.',
  noModel: 'No model yet. Answer the first ones, they teach it.',
  answerFirst: 'Answer the first ones',
  what: 'What you want to be able to say',
  kinds: [
    { value: 'tolerance', text: 'How wrong it is' },
    { value: 'below', text: 'That it is good enough' },
  ] as const,
  limit: 'It should be wrong on less than',
  limitHint: 'Reached when the whole range lies below it.',
  limitWrong: 'A percentage between 0 and 100 is required.',
  goodFor: {
    0.1: 'a first idea',
    0.05: 'good for most decisions',
    0.03: 'for a contract',
    0.02: 'very fine',
    0.01: 'finer than most answers agree',
  } as Record<string, string>,
  reached: 'reached',
  nearlyAll: (left: number) => `nearly all ${count(left)}: then there is no range left to doubt`,
  unknownPrice: 'hard to say',
  more: 'Other numbers',
  level: 'How sure',
  most: 'At most',
  mostHint: 'Stops there, wherever the range stands. Empty: no limit.',
  mostWrong: 'A whole number of answers is required, or nothing.',
  forecast: 'What comes',
  forecastNote: 'The range to expect, by number of answers',
  forecastCaption: 'From the model’s own doubt. If that doubt is off it takes longer, and the range holds all the same.',
  aboutAnswers: (answers: number) => `About ${count(toTen(answers))} answers`,
  /** Nothing where both come to the same. */
  usually(low: number, high: number): string {
    const [least, most] = [toTen(low), toTen(high)]
    return least === most ? '' : `usually between ${count(least)} and ${count(most)}`
  },
  outOfReach: 'Out of reach, it seems',
  outOfReachWhy: 'The model itself expects to be wrong more often than this allows.',
  willKeep: (round: number) => `Will be kept: the model after round ${round}, {model}`,
  stop: 'Stop and write the certificate',
  stopAsks: 'Stop here?',
  stopSays: (said: string) => `The certificate will say what stands here, and the answers of the last few beside it: ${said}.`,
  stopNothing: 'The certificate will say little: no range stands here yet.',
  stopLater: 'It can be narrowed later: Certify goes on from it, and nothing starts over.',
  write: 'Write the certificate',
  goOn: 'Go on answering',
  leave: 'Back to learning, without a certificate',
  soFar: 'The range so far',
  writing: 'Writing the certificate',
  writingWhy: 'What was asked for is reached.',
  drawing: 'Drawing the next ones',
  drawingWhy: 'All answers are saved. You can leave; they will be here when you come back.',
  certificates: 'Certificates',
  finished: 'The audit is finished.',
  finishedWhy: 'What it found is in its certificate, with every draw and answer it rests on.',
  notYet: 'No certificate yet.',
  notYetWhy: 'It is written when the audit reaches its goal, or when you stop it.',
}

/** "Keep the model, ask about 50 more" */
export function beginWords(more: number | undefined, isAgain: boolean): string {
  const ask = more === undefined ? 'ask' : `ask about ${count(toTen(more))} more`
  return isAgain ? `Go on, ${ask}` : `Keep the model, ${ask}`
}

/** About how many answers, to ten, and about how long. */
export function priceOf(
  more: number | undefined,
  { pace, left }: { pace: number; left: number },
): { answers: string; time?: string } {
  if (more === undefined) return { answers: words.unknownPrice }
  if (more >= 0.9 * left) return { answers: words.nearlyAll(left) }
  const answers = toTen(more)
  return { answers: `about ${count(answers)} more`, time: aboutTime(answers * pace) }
}

/** What can be said when the goal is reached. */
export function promise(
  { tolerance, below, level }: Pick<Goal, 'tolerance' | 'below' | 'level'>,
  expected: number | undefined,
): string {
  const sure = level === 0.95 ? '' : ` Mistaken ${missWords(level)}.`
  if (below !== undefined)
    return `You will be able to say: “This model is surely wrong on less than ${percentage(below)}.”${sure}`
  const low = Math.max(0, (expected ?? 0.1) - tolerance!)
  const high = Math.max(2 * tolerance!, (expected ?? 0.1) + tolerance!)
  return `You will be able to say something like: “This model is wrong on about ${percentage(expected ?? 0.1)}, surely between ${percentage(low)} and ${percentage(high)}.”${sure}`
}

/** "7 %", "7", "0.5%": a share between 0 and 1, or nothing. */
export function shareFrom(text: string): number | undefined {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*%?\s*$/.exec(text)
  const part = match ? Number(match[1]!.replace(',', '.')) / 100 : Number.NaN
  return part > 0 && part < 1 ? part : undefined
}

/** "400", "400 answers", "1,000": a whole number of at least 1, or nothing. */
export function answersFrom(text: string): number | undefined {
  const match = /^\s*(\d[\d,\s]*)\s*(?:answers?)?\s*$/.exec(text)
  const answers = match ? Number(match[1]!.replace(/[,\s]/g, '')) : 0
  return Number.isSafeInteger(answers) && answers >= 1 ? answers : undefined
}

/** sha256 8c1f…d02e */
export function shortHash(identity: string): string {
  const [kind, hex] = identity.split(':')
  return hex === undefined ? identity : `${kind} ${hex.slice(0, 4)}…${hex.slice(-4)}`
}

/** How often the interval of an audit moves: as it did last. */
export function paceWords({ steps }: Pick<Audit, 'steps'>, purpose: Project['purpose']): string {
  const batch = (steps.at(-1)?.answers ?? 0) - (steps.at(-2)?.answers ?? 0)
  const one = purpose === 'audit' ? 'One set of predictions' : 'One model'
  const pace = batch === 10 ? 'ten' : count(batch)
  return `${one}, one range that only narrows. It moves after every ${pace} answers and holds whenever you look, so you may stop at any time.`
}
