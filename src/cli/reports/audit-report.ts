import type { AuditRound } from '../../audit.ts'
import { type Certificate, limitsOfClaim } from '../../certificates/certificate.ts'
import type { Metric } from '../../metrics/catalogue.ts'
import { unitOf } from '../../metrics/metric-labels.ts'
import { estimateText, intervalTexts, withDecimals } from '../../text/limits.ts'
import { count } from '../../text/wording.ts'
import { liveLine } from '../terminal/live-line.ts'
import { say, writeLine } from './output.ts'
import { percentChart } from './percent-chart.ts'
import { type Report, untilTheEnd } from './report.ts'

type AuditReport = Report<AuditRound, FinishedAudit>

export interface FinishedAudit {
  readonly certificate: Certificate
  readonly rounds: readonly AuditRound[]
}

export interface AuditReportOptions {
  readonly metric: Metric
  /** Where the certificate is written, if it is. */
  readonly file: string | undefined
  /** Lines to say to people first. */
  readonly opening: readonly string[]
}

/** What an audit says: for programs, for people, or for people who want the result only. */
export function reportFor(
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
  options: AuditReportOptions,
): AuditReport {
  if (json) return jsonReport(options)
  return quiet ? quietReport : peopleReport(options)
}

function jsonReport({ metric, file }: AuditReportOptions): AuditReport {
  return {
    ...untilTheEnd,
    round({ interval, forecast }) {
      const { answers, value, low, high } = interval
      writeLine('round', { answers, value, low, high, ...(forecast && { forecast }) })
    },
    finish({ certificate: { value, low, high, level, answers, pool, reached, seed } }) {
      const numbers = { value, low, high, level, answers, pool: pool.size, reached, seed }
      writeLine('result', { metric, ...numbers, ...(file && { certificate: file }) })
    },
  }
}

const quietReport: AuditReport = { ...untilTheEnd, finish: ({ certificate }) => say(certificate.claim) }

function peopleReport({ metric, file, opening }: AuditReportOptions): AuditReport {
  for (const line of opening) say(line)
  const line = liveLine()
  const unit = unitOf({ metric })
  let standing = ''
  return {
    round({ interval, forecast }) {
      const { value, low, high, after } = intervalTexts(interval, withDecimals(interval, unit))
      const more = forecast ? ` · about ${count(forecast.answers)} more answers` : ''
      standing = `${count(interval.answers)} answers · ${metric} ${value} (${low} – ${high})${after}${more}`
      line.show(standing)
    },
    working: (share, step) => line.show(`${standing === '' ? '' : `${standing} · `}${step} ${Math.floor(100 * share)} %`),
    clear: () => line.clear(),
    finish({ certificate, rounds }) {
      const { claim, value, reached, goal, unknown } = certificate
      line.clear()
      say(`\n${intervalChart(metric, rounds)}\n\n${claim}`)
      if (!reached && (goal.tolerance ?? goal.below) !== undefined)
        say('The goal was not reached with these answers; the interval holds all the same.')
      say(
        `Best estimate ${estimateText(value, certificate, withDecimals(certificate, unit))}.${unknown > 0 ? ` ${count(unknown)} answers were "cannot tell".` : ''}`,
      )
      for (const limit of limitsOfClaim) say(limit)
      if (file) say(`Certificate: ${file}`)
    },
  }
}

/** A picture of the interval closing in; the first answers leave everything open, and would hide the end. */
function intervalChart(metric: Metric, rounds: readonly AuditRound[]): string {
  const all = rounds.map(({ interval }) => interval)
  const { low, high } = all.at(-1)!
  const shown = all.filter((then) => then.high - then.low <= 8 * (high - low))
  const series = (['high', 'value', 'low'] as const).map((name) => ({
    name: { high: 'upper limit', value: 'estimate', low: 'lower limit' }[name],
    points: shown.map((then): [number, number] => [then.answers, then[name]]),
    mark: { high: '▼', value: '●', low: '▲' }[name],
  }))
  return percentChart({ title: `The ${metric} of the predictions`, xLabel: 'answers', series })
}
