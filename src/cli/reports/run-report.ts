import { basename } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import { choiceOf } from '../../core/model.ts'
import type { Now, Standstill } from '../../core/now.ts'
import { pick } from '../../core/pick.ts'
import type { Roles } from '../../features/roles.ts'
import { defaultLoss, type LossName, losses } from '../../losses/catalogue.ts'
import { explainer } from '../../projects/explain.ts'
import type { SpokenData } from '../../projects/load-pool.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import type { TestedRound } from '../../projects/run-loop.ts'
import { strategyWords } from '../../projects/strategy-settings.ts'
import { paper } from '../../strategies/paper.ts'
import { nowWords } from '../../text/now.ts'
import { classNames, count, percent, seconds } from '../../text/wording.ts'
import { explainedWords } from './explained.ts'
import { choicesSay, featureWords, standstillWords } from './learner-words.ts'
import { nowFacts } from './now.ts'
import { say, sayDrawn, writeLine } from './output.ts'
import { type Report, untilTheEnd } from './report.ts'
import { roundTable } from './round-table.ts'
import { liveRun, runChart } from './run-chart.ts'

export interface RunOutcome {
  readonly labels: number
  readonly model: string | undefined
  /** Of the last round; of what is on record, where no round was left to do. */
  readonly now: Now | null
  readonly test?: TestedRound['test']
  readonly standstill?: Standstill
}

type RunReport = Report<TestedRound, RunOutcome & { readonly seconds: number }>

interface ReportOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly explain?: boolean
  readonly loss?: LossName
  readonly delta?: number
  readonly strategy: string
  readonly know?: number
  readonly seed?: number
  readonly start: number
  readonly batch: number
  readonly rounds?: number
  readonly budget?: number
}

export function reportFor(path: string, options: ReportOptions, seed: number, data: SpokenData): RunReport {
  const explain = options.explain ? explainerOf(options, data) : undefined
  if (options.json) return jsonReport(seed, data, explain)
  return options.quiet ? quietReport : peopleReport(path, options, { seed, data, explain })
}

const quietReport: RunReport = {
  ...untilTheEnd,
  finish: ({ labels, model, now, test }) => {
    const facts = [`${count(labels)} labels`, ...(test ? [`test error ${percent(test.error)}`] : []), `model ${model}`]
    say([`${facts.join(', ')}${now ? `, ${nowWords(now)}` : ''}`])
  },
}

function jsonReport(seed: number, data: SpokenData, explain: Explain): RunReport {
  const { size, test, classes, recipe, engineName, file, elsewhere } = data
  const scores = scoreColumns(file.roles)
  const known = elsewhere ? { fitted: 'elsewhere' } : scores.length > 0 ? { scores } : { features: recipe.width }
  const facts = { points: size, ...known, classes, engine: engineName }
  writeLine('progress', { step: 'begin', seed, ...facts, ...(test && { testPoints: test.ids.length }) })
  let before: TestedRound | undefined
  let began = performance.now()
  return {
    ...untilTheEnd,
    round(round) {
      const now = performance.now()
      const explained = explain?.(round)
      const told = { ...roundLine(round, before), ...(explained && { explained }) }
      writeLine('round', { ...told, seconds: Number(((now - began) / 1000).toFixed(3)) })
      before = round
      began = now
    },
    finish: ({ seconds, now, ...outcome }) =>
      writeLine('result', { ...outcome, now: nowFacts(now), seed, seconds: Number(seconds.toFixed(3)) }),
  }
}

/** Why the learner was chosen is on the line of the round after which it was. */
function roundLine(
  { round, labels, draws, now, estimate, bound, test, model, drawnWith }: TestedRound,
  before?: TestedRound,
): object {
  const choice = choiceOf(model)
  const isNew = choice?.labels !== (before && choiceOf(before.model))?.labels
  return {
    round,
    labels,
    draws: draws.map(({ id, order, probability, mass }) => ({ id, order, probability, mass })),
    now: nowFacts(now),
    ...(estimate && { estimate }),
    ...(bound && { bound: pick(bound, 'mass', 'uniformMass', 'tightening', 'constant', 'value') }),
    ...(test && { test }),
    ...(choice && { learner: choice.learner, ...(isNew && { choice: pick(choice, 'labels', 'scale', 'tried') }) }),
    ...(model.kind === 'columns' && { scores: drawnWith, ...(model.name !== undefined && { model: model.name }) }),
  }
}

type Explain = ReturnType<typeof explainer> | undefined

/** What follows a run in the letters of the paper: of the paper's own strategy, in a pool that can be gone through. */
function explainerOf({ strategy, batch, delta = 0.05, loss = defaultLoss }: ReportOptions, data: SpokenData): Explain {
  requireInput(
    strategy === paper.name && 'pool' in data,
    `--explain: strategy ${paper.name} in a pool in memory is required, got ${strategy}${'pool' in data ? '' : ` on ${data.engineName}`}`,
    'For example --strategy paper --batch literal.',
  )
  const { pool, test, classes } = data
  return explainer({ pool, test, classes, loss: losses[loss], batch, delta })
}

function peopleReport(
  path: string,
  options: ReportOptions,
  { seed, data, explain }: { readonly seed: number; readonly data: SpokenData; readonly explain: Explain },
): RunReport {
  const { file, size, test, classes, says, elsewhere } = data
  const points = `${count(size)} points${test ? ` (and ${count(test.ids.length)} to test on)` : ''}`
  const scores = scoreColumns(file.roles)
  const known = elsewhere
    ? 'a model that is fitted elsewhere'
    : scores.length > 0
      ? `scores in ${scores.join(', ')}: nothing is learned`
      : featureWords(data)
  say([`${basename(path)}: ${points}, ${known}, ${classNames(classes)}`])
  say([...columnsSay(file.roles), ...answersAmong(file.roles, classes), ...says])
  say(`strategy ${strategyWords(options)}, seed ${seed}${options.seed === undefined ? ' (fresh)' : ''}`)

  const rounds: TestedRound[] = []
  const total = options.budget ?? options.start + (options.rounds ?? 20) * options.batch
  const live = liveRun(options.strategy, Math.min(total, size))
  live.show(rounds)
  return {
    round(round) {
      rounds.push(round)
      const told = explain?.(round)
      if (told) sayDrawn(explainedWords(told, options.delta ?? 0.05))
      else live.show(rounds)
    },
    working: (share, step) => live.show(rounds, share > 0 ? `${step} ${Math.floor(100 * share)} %` : step),
    clear: live.clear,
    finish({ seconds: elapsed, labels, model, now, test: tested, standstill }) {
      const said = now ? `Right now the model is ${nowWords(now)}.\n` : ''
      if (rounds.length === 0)
        return say(`\nNothing is left to do: ${count(labels)} labels are on record.\n${said}Model ${model}`)
      sayDrawn(`\n${roundTable(rounds, options)}\n`)
      if (rounds.some(({ round, estimate }) => round > 0 && !estimate))
        say(`No range: ${options.strategy} chooses its points, it does not draw them by lot.\n`)
      sayDrawn(runChart(options.strategy, rounds))
      if (said) say(`\n${said.trimEnd()}`)
      if (tested)
        say(`\nTest error ${percent(tested.error)} after ${count(labels)} labels, log-loss ${tested.logLoss.toFixed(3)}.`)
      for (const line of elsewhere ? namesSay(rounds) : [...refreshesSay(rounds), ...choicesSay(rounds)]) say(line)
      if (standstill) say(standstillWords(standstill, rounds.at(-1)!))
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

/** The name that the last model was given where it was fitted. */
function namesSay(rounds: readonly TestedRound[]): string[] {
  const model = rounds.at(-1)?.model
  return model?.kind === 'columns' && model.name !== undefined ? [`Fitted elsewhere: ${model.name}`] : []
}
