import { calibratedLine, centreOf, flattened, type Line } from './certificates/calibrated.ts'
import type { Interval } from './certificates/draw-interval.ts'
import type { Forecast } from './certificates/forecast.ts'
import { type Calibration, recalibrate, uncalibrated } from './certificates/recalibrate.ts'
import type { PoolDraw } from './core/draw.ts'
import { requireInput } from './core/errors.ts'
import type { ColumnModel } from './core/model.ts'
import { sigmoid } from './core/numbers.ts'
import type { Profile } from './core/profile.ts'
import type { Label, RoundFacts, RoundOpening } from './core/record.ts'
import type { Signal } from './core/signal.ts'
import { successive } from './designs/successive.ts'
import type { Engine } from './engines/engine.ts'
import type { Oracle } from './oracles/oracle.ts'
import type { Store } from './stores/store.ts'
import { type Measure, type Metric, measureOf } from './strategies/measures.ts'

export interface AuditPlan {
  /**
   * A pool of two or three columns: the logit of the chance, as the model has it, that a prediction is wrong (for prevalence,
   * precision, recall and F1: that the point is positive); the position of the predicted class; for a difference, that of
   * the class another model predicts.
   */
  readonly engine: Engine
  readonly store: Store
  readonly oracle: Oracle
  /** Names what is audited. */
  readonly model: ColumnModel
  readonly classes: readonly string[]
  /** What to measure. Default `error`. */
  readonly metric?: Metric
  /** The class that precision, recall, F1 and prevalence are about. */
  readonly positive?: string
  readonly seed: number
  readonly seedChosen?: boolean
  readonly strategy?: 'alis-audit' | 'uniform'
  /** Default 0.95. */
  readonly level?: number
  /** Stop when the interval is this narrow on either side; when its upper limit is below a value; or after so many answers. */
  readonly tolerance?: number
  readonly below?: number
  readonly budget?: number
  /** Answers a round. Default 50. */
  readonly batch?: number
  readonly signal?: Signal
}

/** Where an audit stands after a round. */
export interface AuditRound {
  readonly round: number
  readonly draws: readonly PoolDraw[]
  readonly answers: ReadonlyMap<string, Label>
  readonly interval: Interval
  /** About how many more answers; missing where no goal was set or the goal looks out of reach. */
  readonly forecast?: Forecast
  /** Whether the tolerance or the ceiling that was set has been reached. */
  readonly isReached: boolean
}

const warmUp = 100 // answers drawn uniformly first, while nothing is known of the confidences

/**
 * Measures fixed predictions over a pool, from few answers, with an interval that holds at every look. Each
 * value is one round; break out when satisfied, call again with the same store to go on.   @see docs/equations.md#audit
 */
export async function* audit(plan: AuditPlan): AsyncGenerator<AuditRound, void> {
  checkPlan(plan)
  const { engine, store, seed, seedChosen = true, strategy = 'alis-audit', metric = 'error', classes, model } = plan
  await store.begin({ seed, seedChosen, strategy: `${strategy} for ${metric} of ${model.id}`, classes, poolSize: engine.size })
  const centre = centreOf(meanChance(await engine.profile(model)))
  const record = await store.rounds()
  await engine.take(record.flatMap(idsOf))

  const evidence = gather(plan)
  let calibration = uncalibrated
  for (let round = 0; ; round++) {
    const known = record[round]
    const line = calibratedLine(calibration, centre)
    if (!known && (evidence.status().size === 0 || evidence.result().isReached)) return
    const opening = known ?? (await openRound(plan, evidence.measure, { round, calibration, centre, line, ...evidence.status() }))
    if (opening.draws.length === 0) return // nobody is left whose answer could change anything
    const answers = new Map(known?.answers)
    evidence.begin(opening, line)
    evidence.advance(answers)
    if (known?.isClosed !== true) {
      await ask(plan, opening, answers, evidence)
      yield { round, draws: opening.draws, answers, ...evidence.result() }
      if (answers.size < opening.draws.length) return // the goal was reached on the way: the rest stays open
      await store.closeRound(round)
    }
    calibration = evidence.calibrate(centre) ?? calibration
  }
}

/** Asks for what is open in a round and puts every answer on record, until there is nothing left to ask or to wish for. */
async function ask(
  { store, oracle, signal }: AuditPlan,
  opening: RoundOpening,
  answers: Map<string, Label>,
  evidence: Evidence,
): Promise<void> {
  const open = idsOf(opening).filter((id) => !answers.has(id))
  if (open.length === 0 || evidence.result().isReached) return
  for await (const { id, label } of oracle.label(open, signal)) {
    await store.answer(opening.round, id, label)
    answers.set(id, label)
    evidence.advance(answers)
    if (evidence.result().isReached) return
  }
}

interface Moment {
  readonly round: number
  readonly calibration: Calibration
  readonly centre: number
  readonly line: Line
  readonly answers: number
  readonly size: number
}

async function openRound(
  plan: AuditPlan,
  measure: Measure,
  { round, calibration, centre, line, answers, size }: Moment,
): Promise<RoundOpening> {
  const { engine, store, model, seed, strategy = 'alis-audit', signal } = plan
  const isBlind = strategy === 'uniform' || answers < warmUp
  const drawing = isBlind ? measure.blind(line) : measure.informed(flattened(await engine.profile(model), calibration, centre))
  const stream = `audit/${round}`
  const request = {
    model,
    ...drawing,
    controls: measure.controls(line),
    design: successive,
    size,
    stream: { seed, name: stream },
  }
  const { draws, survey } = await engine.draw(request, signal)
  const opening = { round, stream, design: successive.name, size, model: model.id, survey, draws }
  if (draws.length > 0) await store.openRound(opening)
  await engine.take(idsOf(opening))
  return opening
}

type Evidence = ReturnType<typeof gather>

/** What the answers say, taken in draw order: one that comes early waits for those before it. */
function gather(plan: AuditPlan) {
  const { engine, classes, positive, metric = 'error', level = 0.95, tolerance, below } = plan
  const { budget = Number.POSITIVE_INFINITY, batch = 50 } = plan
  const measure = measureOf(metric, { poolSize: engine.size, classes, positive, level, tolerance, below })
  const scores: number[] = []
  const outcomes: number[] = []
  let queue: readonly PoolDraw[] = []
  let chances: Line = { intercept: 0, slope: 0 }
  let answered = 0

  return {
    measure,
    begin({ draws, survey }: RoundOpening, line: Line): void {
      queue = draws
      chances = line
      measure.begin(survey)
    },
    advance(answers: ReadonlyMap<string, Label>): void {
      for (let next = queue[0]; next && answers.has(next.id); next = queue[0]) {
        const outcome = measure.add(next, answers.get(next.id)!, chances)
        answered++
        queue = queue.slice(1)
        if (outcome === null) continue // neither the design nor the calibration may learn from what nobody knows
        scores.push(next.scores[0]!)
        outcomes.push(outcome)
      }
    },
    calibrate(centre: number): Calibration | undefined {
      return outcomes.reduce((a, b) => a + b, 0) >= 3 ? recalibrate(scores, outcomes, centre) : undefined
    },
    /** Answers so far, and how many to draw next. */
    status() {
      return { answers: answered, size: Math.max(0, Math.min(batch, budget - answered, engine.size - answered)) }
    },
    result(): Omit<AuditRound, 'round' | 'draws' | 'answers'> {
      const now = measure.interval()
      const isNarrow = tolerance !== undefined && (now.high - now.low) / 2 <= tolerance
      const isBelow = below !== undefined && now.high <= below
      const goal = tolerance ?? (below !== undefined && now.value < below ? below - now.value : undefined)
      const forecast = goal === undefined ? undefined : measure.forecast(goal)
      return { interval: now, isReached: isNarrow || isBelow, ...(forecast && { forecast }) }
    },
  }
}

function checkPlan({
  tolerance,
  below,
  budget,
  batch = 50,
  engine,
  model,
  metric = 'error',
  positive,
  classes,
}: AuditPlan): void {
  const goals = { tolerance, below, budget }
  requireInput(
    Object.values(goals).some((goal) => goal !== undefined),
    'audit: a tolerance, a ceiling or a budget is required, got none',
    'For example a tolerance of 0.01: the error to one percentage point.',
  )
  for (const [name, value] of Object.entries({ budget, batch })) {
    const isFine = value === undefined || (Number.isInteger(value) && value >= 1)
    requireInput(isFine, `${name}: must be a whole number of at least 1, got ${value}`)
  }
  const columns = metric === 'difference' ? 3 : 2
  const isMean = metric === 'error' || metric === 'prevalence' || metric === 'difference'
  const floor = metric === 'difference' ? -1 : 0
  requireInput(below === undefined || (below > floor && below < 1), `below: must be in (${floor}, 1), got ${below}`)
  requireInput(below === undefined || isMean, `below: is for error, prevalence or difference, got ${metric}`)
  requireInput(
    model.columns === columns && engine.columns === columns,
    `audit: a pool of ${columns} columns is required for ${metric}, got ${engine.columns}`,
  )
  const needsPositive = metric !== 'error' && metric !== 'accuracy' && metric !== 'difference'
  requireInput(
    !needsPositive || (positive !== undefined && classes.includes(positive)),
    `positive: one of ${classes.join(', ')} is required for ${metric}, got ${positive ?? 'none'}`,
  )
}

function meanChance({ scores, counts }: Profile): number {
  const points = counts.reduce((a, b) => a + b, 0)
  return scores.reduce((sum, z, i) => sum + counts[i]! * sigmoid(z), 0) / points
}

const idsOf = ({ draws }: Pick<RoundFacts, 'draws'>) => draws.map(({ id }) => id)
