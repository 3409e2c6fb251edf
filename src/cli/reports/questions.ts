import type { Forecast } from '../../certificates/forecast.ts'
import { metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import type { AskedAnswer } from '../../questions/ask.ts'
import { rowLabels } from '../../questions/words.ts'
import { estimateText, levelText, limitTexts, withDecimals } from '../../text/limits.ts'
import { count, counted, listed } from '../../text/wording.ts'
import { drawTable } from '../terminal/table.ts'

/** Limits of an interval; null where there is nothing to divide by. */
export interface ToldLimits {
  readonly low: number | null
  readonly high: number | null
}

export interface ToldQuestion extends Omit<AskedAnswer, 'points' | 'isRegistered'> {
  /** Limits that hold together with those of all other questions. */
  readonly together?: ToldLimits
  readonly forecast?: Forecast | undefined
  readonly isReached?: boolean
}

export function questionJson({ question, together, forecast, atMost, ...told }: ToldQuestion): object {
  const { metric, positive = null, actual, against, slice = null, poolSize, level, isCeiling } = question
  const { value, low, high, state, answers, plan, learned } = told
  return {
    metric,
    positive,
    ...(actual !== undefined && { actual }),
    ...(against !== undefined && { against }),
    slice,
    ...(poolSize !== undefined && { poolSize }),
    value,
    low,
    high,
    level,
    ...(isCeiling && { ceiling: true }),
    state,
    answers,
    plan,
    ...(learned !== undefined && { learned }),
    ...(atMost !== undefined && { atMost }),
    ...(together && { together: { low: together.low, high: together.high } }),
    ...(forecast && { forecast }),
  }
}

/** "4.2 %", or a dash where there is nothing to divide by. */
export function estimateOf({ question, value, low, high }: ToldQuestion): string {
  if (value === null || low === null || high === null) return '–'
  return estimateText(value, { low, high }, withDecimals({ low, high }, unitOf(question)))
}

/** "3.1 % – 5.3 %" */
function intervalOf({ low, high }: ToldLimits, { question }: Pick<ToldQuestion, 'question'>): string {
  if (low === null || high === null) return '–'
  const texts = limitTexts({ low, high }, withDecimals({ low, high }, unitOf(question)))
  return `${texts.low} – ${texts.high}${texts.after}`
}

/** "recall of spam 71 % (55 % – 84 %) · about 120 more answers" */
export function standingOf(told: ToldQuestion): string {
  const { question, low, state, forecast, isReached } = told
  const numbers = low === null ? 'nothing to divide by yet' : `${estimateOf(told)} (${intervalOf(told, told)})`
  const more = isReached ? 'reached' : state === 'contradiction' ? 'contradiction' : forecast && forecastText(forecast)
  return [`${metricLabel(question)} ${numbers}`, ...(more ? [more] : [])].join(' · ')
}

/** "about 120 more answers" */
const forecastText = ({ answers }: Forecast) => `about ${counted(answers, 'more answer', 'more answers')}`

/** Widest first, and last those that need nothing more. */
export function dearestFirst(questions: readonly ToldQuestion[]): readonly ToldQuestion[] {
  const missing = ({ question, low, high, state, isReached }: ToldQuestion) => {
    if (isReached || state === 'contradiction' || low === null || high === null) return Number.NEGATIVE_INFINITY
    return question.isCeiling ? high : high - low
  }
  return questions.toSorted((a, b) => Math.sign(missing(b) - missing(a)) || 0)
}

/** One row a question. `asked`: when it was, where some were asked afterwards. */
export function questionTable(questions: readonly ToldQuestion[], asked?: readonly string[]): string {
  const hasTogether = questions.some(({ together }) => together)
  const columns = [
    { title: 'question', align: 'left' },
    { title: 'estimate', align: 'right' },
    { title: 'interval', align: 'right' },
    ...(hasTogether ? [{ title: 'all at once', align: 'right' } as const] : []),
    { title: 'state', align: 'left' },
    { title: 'answers' },
    ...(asked ? [{ title: 'asked', align: 'left' } as const] : []),
  ] as const
  const labels = rowLabels(questions)
  const rows = questions.map((told, k) => [
    labels[k]!,
    estimateOf(told),
    intervalOf(told, told),
    ...(hasTogether ? [told.together ? intervalOf(told.together, told) : ''] : []),
    told.state === 'defined' ? '' : told.state,
    count(told.answers),
    ...(asked ? [asked[k]!] : []),
  ])
  return drawTable({ columns, rows })
}

interface TableWords {
  readonly source?: string
  /** What to do about the most striking of several. */
  readonly advice?: string
}

/** What stands above a table: how sure it is, and of what. */
export function tableSays(questions: readonly ToldQuestion[], { source, advice }: TableWords = {}): string[] {
  const [first] = questions
  if (!first) return []
  const level = listed([...new Set(questions.map((each) => levelText(each.level)))], 'or')
  const hasTogether = questions.some(({ together }) => together)
  const how = hasTogether ? `Each at ${level}; the limits under "all at once" hold all at once at ${level}.` : `Each at ${level}.`
  const striking =
    questions.length > 1 && !hasTogether ? [`The most striking of several is not covered${advice ? `: ${advice}` : ''}.`] : []
  return [[how, ...(source ? [`Answers from ${source}.`] : []), 'Holds whenever you look.'].join(' '), ...striking]
}
