import { basename } from 'node:path'
import { pick } from '../../core/pick.ts'
import type { Roles } from '../../features/roles.ts'
import type { SpokenData } from '../../projects/load-pool.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import type { TestedRound } from '../../projects/run-loop.ts'
import { strategyWords } from '../../projects/strategy-settings.ts'
import { classNames, count, percent, seconds } from '../../text/wording.ts'
import { progressBar } from '../terminal/progress.ts'
import { say, writeLine } from './output.ts'
import { percentChart } from './percent-chart.ts'
import { type Report, untilTheEnd } from './report.ts'
import { roundTable } from './round-table.ts'

export interface RunOutcome {
  readonly labels: number
  readonly model: string | undefined
  readonly test?: TestedRound['test']
}

type RunReport = Report<TestedRound, RunOutcome & { readonly seconds: number }>

interface ReportOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly strategy: string
  readonly know?: number
  readonly seed?: number
  readonly start: number
  readonly batch: number
  readonly rounds?: number
  readonly budget?: number
}

export function reportFor(path: string, options: ReportOptions, seed: number, data: SpokenData): RunReport {
  if (options.json) return jsonReport(seed, data)
  return options.quiet ? quietReport : peopleReport(path, options, seed, data)
}

const quietReport: RunReport = {
  ...untilTheEnd,
  finish: ({ labels, model, test }) =>
    say(`${count(labels)} labels${test ? `, test error ${percent(test.error)}` : ''}, model ${model}`),
}

function jsonReport(seed: number, { size, test, classes, recipe, engineName, file }: SpokenData): RunReport {
  const scores = scoreColumns(file.roles)
  const facts = { points: size, ...(scores.length > 0 ? { scores } : { features: recipe.width }), classes, engine: engineName }
  writeLine('progress', { step: 'begin', seed, ...facts, ...(test && { testPoints: test.ids.length }) })
  return {
    ...untilTheEnd,
    round: (round) => writeLine('round', roundLine(round)),
    finish: ({ seconds, ...outcome }) => writeLine('result', { ...outcome, seed, seconds: Number(seconds.toFixed(3)) }),
  }
}

function roundLine({ round, labels, draws, estimate, bound, test, model, drawnWith }: TestedRound): object {
  return {
    round,
    labels,
    draws: draws.map(({ id, order, probability, mass }) => ({ id, order, probability, mass })),
    ...(estimate && { estimate }),
    ...(bound && { bound: pick(bound, 'mass', 'uniformMass', 'tightening', 'constant', 'value') }),
    ...(test && { test }),
    ...(model.kind === 'columns' && { scores: drawnWith }),
  }
}

function peopleReport(path: string, options: ReportOptions, seed: number, data: SpokenData): RunReport {
  const { file, size, test, classes, recipe, says } = data
  const points = `${count(size)} points${test ? ` (and ${count(test.ids.length)} to test on)` : ''}`
  const scores = scoreColumns(file.roles)
  const known = scores.length > 0 ? `scores in ${scores.join(', ')}: nothing is learned` : `${count(recipe.width)} features`
  say(`${basename(path)}: ${points}, ${known}, ${classNames(classes)}`)
  say([...columnsSay(file.roles), ...answersAmong(file.roles, classes), ...says].join('\n'))
  say(`strategy ${strategyWords(options)}, seed ${seed}${options.seed === undefined ? ' (fresh)' : ''}`)

  const rounds: TestedRound[] = []
  const total = options.budget ?? options.start + (options.rounds ?? 20) * options.batch
  const bar = progressBar({ label: 'labels', total: Math.min(total, size) })
  let labels = 0
  return {
    round(round) {
      rounds.push(round)
      labels = round.labels
      bar.update(labels, round.test ? `test error ${percent(round.test.error)}` : '')
    },
    working: (share, step) => bar.update(labels, `${step} ${Math.floor(100 * share)} %`),
    clear: () => bar.stop(),
    finish({ seconds: elapsed, labels, model, test: tested }) {
      if (rounds.length === 0) return say(`\nNothing is left to do: ${count(labels)} labels are on record.\nModel ${model}`)
      say(`\n${roundTable(rounds)}\n`)
      if (rounds.some(({ round, estimate }) => round > 0 && !estimate))
        say(`No unbiased estimate: ${options.strategy} chooses its points, it does not draw them.\n`)
      say(curve(options.strategy, rounds))
      if (tested)
        say(`\nTest error ${percent(tested.error)} after ${count(labels)} labels, log-loss ${tested.logLoss.toFixed(3)}.`)
      for (const line of refreshesSay(rounds)) say(line)
      say(`Model ${model}\n${seconds(elapsed)}`)
    },
  }
}

const scoreColumns = (roles: Roles): string[] => roles.filter(({ role }) => role === 'score').map(({ column }) => column.name)

/** Which rounds speak of which scores, where they were refreshed in between. */
function refreshesSay(rounds: readonly TestedRound[]): string[] {
  const fresh = rounds.filter(({ drawnWith }, k) => k === 0 || drawnWith !== rounds[k - 1]!.drawnWith)
  if (rounds[0]?.model.kind !== 'columns' || fresh.length === 1) return []
  const since = fresh.map(({ round, drawnWith }) => `  from ${round === 0 ? 'the start' : `round ${round}`} on  ${drawnWith}`)
  return ['The scores were refreshed; the estimates are about', ...since]
}

function curve(strategy: string, rounds: readonly TestedRound[]): string {
  const hasTest = rounds.some(({ test }) => test)
  const points = rounds.flatMap(({ labels, test, estimate }): [number, number][] => {
    const y = hasTest ? test?.error : estimate?.value
    return y === undefined ? [] : [[labels, y]]
  })
  if (points.length < 2) return '' // one point is no curve
  const title = hasTest ? 'Test error' : 'Estimated error, a few answers a round'
  return percentChart({ title, xLabel: 'labels', series: [{ name: strategy, points }] })
}
