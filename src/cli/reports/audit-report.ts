import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AuditRound } from '../../audit.ts'
import { type Certificate, certificateText, limitsOfClaim } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import type { Metric } from '../../metrics/catalogue.ts'
import { certificatePage } from '../../projects/certificate-page.ts'
import { count, percent } from '../../text/wording.ts'
import { drawChart } from '../terminal/chart.ts'
import { liveLine } from '../terminal/live-line.ts'
import { chartWidth, wantsColor } from '../terminal/screen.ts'
import { writeLine } from './json-lines.ts'

/** Tells how an audit goes and how it ended. */
export interface Report {
  round(round: AuditRound): void
  /** A long step of a round, from 0 to 1. */
  working(share: number, step: string): void
  clear(): void
  finish(certificate: Certificate, rounds: readonly AuditRound[]): void
}

/** For programs, for people, or for people who want the result only. `opening`: lines to say to people first. */
export function reportFor(
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
  metric: Metric,
  file: string | undefined,
  opening: readonly string[],
): Report {
  if (json) return jsonReport(metric, file)
  return quiet ? quietReport : peopleReport(metric, file, opening)
}

function jsonReport(metric: Metric, file: string | undefined): Report {
  return {
    round({ interval, forecast }) {
      const { answers, value, low, high } = interval
      writeLine('round', { answers, value, low, high, ...(forecast && { forecast }) })
    },
    working() {},
    clear() {},
    finish({ value, low, high, level, answers, pool, reached, seed }) {
      writeLine('result', {
        metric,
        value,
        low,
        high,
        level,
        answers,
        pool: pool.size,
        reached,
        seed,
        ...(file && { certificate: file }),
      })
    },
  }
}

/** Says the claim only. */
const quietReport: Report = {
  round() {},
  working() {},
  clear() {},
  finish: ({ claim }) => void process.stdout.write(`${claim}\n`),
}

function peopleReport(metric: Metric, file: string | undefined, opening: readonly string[]): Report {
  const color = wantsColor(process.stdout)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  for (const line of opening) say(line)
  const line = liveLine()
  let standing = ''
  return {
    round({ interval, forecast }) {
      const { answers, value, low, high } = interval
      const more = forecast ? ` · about ${count(forecast.answers)} more answers` : ''
      standing = `${count(answers)} answers · ${metric} ${percent(value)} (${percent(low)} – ${percent(high)})${more}`
      line.show(standing)
    },
    working: (share, step) => line.show(`${standing === '' ? '' : `${standing} · `}${step} ${Math.floor(100 * share)} %`),
    clear: () => line.clear(),
    finish({ claim, value, reached, goal, unknown }, rounds) {
      line.clear()
      say(`\n${shrinking(metric, rounds, color)}\n\n${claim}`)
      if (!reached && (goal.tolerance ?? goal.below) !== undefined)
        say('The goal was not reached with these answers; the interval holds all the same.')
      say(
        `Best estimate ${percent(value, 2)}.${unknown > 0 ? ` ${count(unknown)} answers were "cannot tell".` : ''}\n${limitsOfClaim.join('\n')}`,
      )
      if (file) say(`Certificate: ${file}`)
    },
  }
}

/** Refuses a place where no certificate can be written before anybody has been asked. */
export function requirePlace(file: string): void {
  const hint = 'Choose another with --certificate.'
  const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  requireInput(!isDirectory(file), `${file}: must be a file to write, got a directory`, hint)
  requireInput(isDirectory(dirname(file)), `${file}: must be in a directory, got none called ${dirname(file)}`, hint)
  requireInput(isWritable(file), `${file}: must be a file that you may write, got no permission`, hint)
}

function isWritable(file: string): boolean {
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined
  try {
    accessSync(isThere ? file : dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Sees an audit through to its certificate, and writes that down with a page for people beside it. */
export async function conduct(
  auditing: AsyncGenerator<AuditRound, Certificate>,
  report: Report,
  file: string | undefined,
): Promise<Certificate> {
  const rounds: AuditRound[] = []
  try {
    let step = await auditing.next()
    for (; !step.done; step = await auditing.next()) {
      rounds.push(step.value)
      report.round(step.value)
    }
    if (file !== undefined) {
      writeFileSync(file, certificateText(step.value))
      writeFileSync(`${file.replace(/\.json$/, '')}.html`, certificatePage(step.value, rounds))
    }
    report.finish(step.value, rounds)
    return step.value
  } finally {
    report.clear()
  }
}

/** A picture of the interval closing in; the first answers leave everything open, and would hide the end. */
function shrinking(metric: Metric, rounds: readonly AuditRound[], color: boolean): string {
  const all = rounds.map(({ interval }) => interval)
  const { low, high } = all.at(-1)!
  const shown = all.filter((then) => then.high - then.low <= 8 * (high - low))
  const series = (['high', 'value', 'low'] as const).map((name) => ({
    name: { high: 'upper limit', value: 'estimate', low: 'lower limit' }[name],
    points: shown.map((then): [number, number] => [then.answers, then[name]]),
    mark: { high: '▼', value: '●', low: '▲' }[name],
  }))
  const title = `The ${metric} of the predictions`
  return drawChart({ title, xLabel: 'answers', series, formatY: (y) => percent(y), width: chartWidth(), color })
}
