import type { AuditRound } from '../../audit.ts'
import { pick } from '../../core/pick.ts'
import { metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import type { AuditForecast } from '../../questions/audit-forecast.ts'
import { type Certificate, limitsOfClaim } from '../../questions/certificate.ts'
import { seedClaim } from '../../questions/commitment.ts'
import type { BestModel } from '../../questions/race.ts'
import { signerFacts, signerWords } from '../../questions/signature.ts'
import { claimOfBest, machinesIn } from '../../questions/words.ts'
import { intervalTexts, limitTexts } from '../../text/limits.ts'
import { visible } from '../../text/visible.ts'
import { count, counted, listed, percent, rounded, sentence } from '../../text/wording.ts'
import { drawChart } from '../terminal/chart.ts'
import { liveLines } from '../terminal/live-lines.ts'
import { chartWidth, wantsColor } from '../terminal/width.ts'
import { say, sayDrawn, writeLine } from './output.ts'
import { dearestFirst, estimateOf, questionJson, questionTable, standingOf, type ToldQuestion, tableSays } from './questions.ts'
import { type Report, untilTheEnd } from './report.ts'

type AuditReport = Report<AuditRound, FinishedAudit>

export interface FinishedAudit {
  readonly certificate: Certificate
  readonly rounds: readonly AuditRound[]
}

interface AuditReportOptions {
  /** Where the certificate and the report are written, if they are. */
  readonly file: string | undefined
  readonly page?: string | undefined
  /** Lines to say to people first. */
  readonly opening: readonly string[]
  /** About how many answers it will take, before the first of them. */
  readonly forecasts?: readonly AuditForecast[]
  /** What that is about, where more is asked. */
  readonly about?: string
  readonly source: string
}

/** What an audit says: for programs, for people, or for people who want the result only. */
export function reportFor(
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
  options: AuditReportOptions,
): AuditReport {
  if (json) return jsonReport(options)
  return quiet ? quietReport : peopleReport(options)
}

function jsonReport({ file, page }: AuditReportOptions): AuditReport {
  return {
    ...untilTheEnd,
    round({ questions, answered, best }) {
      const [first] = questions
      const { value, low, high, forecast } = { ...first }
      writeLine('round', {
        answers: answered,
        ...(first && { value, low, high, ...(forecast && { forecast }) }),
        ...(questions.length > 1 && { questions: questions.map(questionJson) }),
        ...(best && { best }),
      })
    },
    finish({ certificate, rounds }) {
      const { metric, value, low, high, level, answers, pool, seed, questions, best, learned, signature } = certificate
      const reached = isReachedNow(certificate, rounds)
      const first = questions.length > 0 && { metric, value, low, high }
      const numbers = { level, answers, pool: pool.size, reached, seed }
      const start = learned && { learned: pick(learned, 'answers', 'keptBack', 'calibrating') }
      const written = { ...(file && { certificate: file }), ...(page && { report: page }) }
      writeLine('result', {
        ...first,
        ...numbers,
        ...start,
        ...written,
        questions: questions.map(questionJson),
        ...(best && { best }),
        ...(signature && { signed: signerFacts(signature) }),
      })
    },
  }
}

/** Whether what was wanted now is reached. A certificate has the goal that draws were made for, which an easier one does not change. */
const isReachedNow = ({ reached }: Certificate, rounds: readonly AuditRound[]) => rounds.at(-1)?.isReached ?? reached

/** Whether there was a goal, more than a number of answers, and it was not reached. */
export function isMissed({ certificate, rounds }: FinishedAudit): boolean {
  const { best, goal } = certificate
  return !isReachedNow(certificate, rounds) && (best !== undefined || (goal.tolerance ?? goal.below) !== undefined)
}

const quietReport: AuditReport = {
  ...untilTheEnd,
  finish({ certificate }) {
    for (const claim of claimsOf(certificate)) say([claim])
  },
}

function claimsOf({ questions, best, answers, rounds }: FinishedAudit['certificate']): string[] {
  return [...questions.map(({ claim }) => claim), ...(best ? [claimOfBest(best, answers, machinesIn(rounds))] : [])]
}

function peopleReport({ file, page, opening, forecasts = [], about, source }: AuditReportOptions): AuditReport {
  for (const line of opening) say([line])
  if (forecasts.length > 0) say(forecastText(forecasts, about))
  const lines = liveLines()
  let standing: readonly string[] = []
  return {
    round(round) {
      standing = standingLines(round).map(visible)
      lines.show(standing)
    },
    working(share, step) {
      const [first, ...rest] = standing
      const work = `${step} ${Math.floor(100 * share)} %`
      lines.show([first === undefined ? work : `${first} · ${work}`, ...rest])
    },
    clear: () => lines.clear(),
    finish(finished) {
      lines.clear()
      for (const part of resultParts(finished, source)) sayDrawn(part)
      const { signature } = finished.certificate
      if (file) say([`Certificate: ${file}${signature ? `, signed by ${signerWords(signature)}` : ''}`])
      if (page) say([`Report: ${page}`])
    },
  }
}

/** "Expect about 33 answers to ±10 %, 112 to ±5 %, 300 to ±3 %." With "for the error" where that is not all that is asked. */
function forecastText(forecasts: readonly AuditForecast[], about?: string): string {
  const parts = forecasts.map(({ tolerance, answers }, k) => {
    const { high } = limitTexts({ low: 0, high: tolerance }, { decimals: 0 })
    return `${k === 0 ? `about ${counted(answers, 'answer')}` : count(answers)} to ±${high}`
  })
  return `Expect ${listed(parts, 'and')}${about === undefined ? '' : ` for the ${about}`}.`
}

/** One line of all there is to say, or one a question below the number of answers. */
function standingLines({ answered, questions, best }: AuditRound): string[] {
  const [first, ...more] = questions
  const answers = `${count(answered)} answers`
  if (best) return [`${answers} · ${bestStanding(best)}`]
  if (!first) return [answers]
  if (more.length === 0) return [`${answers} · ${standingOf(first)}`]
  return [answers, ...dearestFirst(questions).map(standingOf)]
}

const bestStanding = ({ model, leader, out }: BestModel) =>
  `${model === null ? `${leader} leads` : `${model} is the best`}${out.length > 0 ? `, out: ${out.join(', ')}` : ''}`

const fewClaims = 4

/** What was found, drawn: names are visible in it already. */
function resultParts(finished: FinishedAudit, source: string): string[] {
  const { certificate, rounds } = finished
  const { questions, best, unknown, answers } = certificate
  const claims = questions.length <= fewClaims ? questions : questions.filter(({ state }) => state !== 'defined')
  return [
    ...(questions.length === 1 ? courseOf(rounds) : []),
    ...(questions.length > 1
      ? [
          `\n${tableSays(questions, { source, advice: '--together gives limits that are' }).map(visible).join('\n')}\n`,
          `${questionTable(questions)}\n`,
        ]
      : ['']),
    ...(best ? [visible(claimOfBest(best, answers, machinesIn(certificate.rounds)))] : []),
    ...claims.map(({ claim }) => visible(claim)),
    ...(questions.length > 1 ? [] : [`Answers from ${visible(source)}.`]),
    ...(questions.length === 1 && questions[0]!.value !== null ? [`Best estimate ${estimateOf(questions[0]!)}.`] : []),
    ...(isMissed(finished) ? ['The goal was not reached with these answers; what is said holds all the same.'] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'answer was', 'answers were')} "cannot tell".`] : []),
    ...limitsOfClaim(certificate.rounds).map(visible),
    visible(seedClaim(certificate)),
  ]
}

function courseOf(rounds: readonly AuditRound[]): string[] {
  const chart = intervalChart(rounds.map(({ questions: [first], answered }) => ({ ...first!, answered })))
  return chart ? [`\n${chart}`] : []
}

interface IntervalThen extends Pick<ToldQuestion, 'question' | 'value' | 'low' | 'high'> {
  readonly answered: number
}

/** A picture of the interval closing in; nothing where there is no number to draw. The first answers leave everything open, and would hide the end. */
function intervalChart(course: readonly IntervalThen[]): string | undefined {
  const all = course.flatMap(({ answered, value, low, high }) =>
    value === null || low === null || high === null ? [] : [{ answered, value, low, high }],
  )
  const [last, question] = [all.at(-1), course[0]?.question]
  if (!last || !question) return undefined
  const isKnown = last.high === last.low
  const shown = all.filter((then) => isKnown || then.high - then.low <= 8 * (last.high - last.low))
  const ends = intervalTexts(last, { unit: unitOf(question) }) // limits rounded outward, as they are said
  const series = (['high', 'value', 'low'] as const).map((name) => ({
    name: { high: 'upper limit', value: 'estimate', low: 'lower limit' }[name],
    points: shown.map((then): [number, number] => [then.answered, then[name]]),
    mark: { high: '▼', value: '●', low: '▲' }[name],
    end: ends[name],
  }))
  const { stdout } = process
  return drawChart({
    title: sentence(metricLabel(question)),
    xLabel: 'answers',
    series,
    formatY: unitOf(question) === 'number' ? (y) => rounded(y) : (y) => percent(y),
    width: chartWidth(stdout),
    color: wantsColor(stdout),
  })
}
