import { calibratedLine, centreOf, chanceAt, chanceReader, flattened, type Line } from './certificates/calibrated.ts'
import { DrawInterval, type Forecast, type Interval } from './certificates/draw-interval.ts'
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
import { type Mass, mixture, pure } from './masses/mass.ts'
import { spread } from './masses/spread.ts'
import { uniformMass } from './masses/uniform.ts'
import type { Oracle } from './oracles/oracle.ts'
import type { Store } from './stores/store.ts'

export interface AuditPlan {
  /** A pool whose first column is the logit of the chance that its prediction is wrong, as the model has it, and whose second is the position of the predicted class. */
  readonly engine: Engine
  readonly store: Store
  readonly oracle: Oracle
  /** Names what is audited. */
  readonly model: ColumnModel
  readonly classes: readonly string[]
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
const uniformShare = 0.4

/**
 * Measures the error of fixed predictions over a pool, from few answers, with an interval that holds at every look. Each
 * value is one round; break out when satisfied, call again with the same store to go on.   @see docs/equations.md#audit
 */
export async function* audit(plan: AuditPlan): AsyncGenerator<AuditRound, void> {
  checkPlan(plan)
  const { engine, store, seed, seedChosen = true, strategy = 'alis-audit', classes, model } = plan
  await store.begin({ seed, seedChosen, strategy: `${strategy} of ${model.id}`, classes, poolSize: engine.size })
  const centre = centreOf(meanChance(await engine.profile(model)))
  const record = await store.rounds()
  await engine.take(record.flatMap(idsOf))

  const evidence = gather(plan)
  let calibration = uncalibrated
  for (let round = 0; ; round++) {
    const known = record[round]
    const line = calibratedLine(calibration, centre)
    if (!known && (evidence.status().size === 0 || evidence.result().isReached)) return
    const opening = known ?? (await openRound(plan, { round, calibration, centre, line, ...evidence.status() }))
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

async function openRound(plan: AuditPlan, { round, calibration, centre, line, answers, size }: Moment): Promise<RoundOpening> {
  const { engine, store, model, seed, strategy = 'alis-audit', signal } = plan
  const isUniform = strategy === 'uniform' || answers < warmUp
  const design = isUniform ? line : flattened(await engine.profile(model), calibration, centre)
  const stream = `audit/${round}`
  const { draws, survey } = await engine.draw(
    {
      model,
      loss: chanceReader(design),
      mass: isUniform ? pure(uniformMass) : informed,
      controls: [chanceReader(line)],
      design: successive,
      size,
      stream: { seed, name: stream },
    },
    signal,
  )
  const opening = { round, stream, design: successive.name, size, model: model.id, survey, draws }
  await store.openRound(opening)
  await engine.take(idsOf(opening))
  return opening
}

/** Where errors are expected, and two fifths everywhere. */
const informed: Mass = mixture('alis-audit', [
  { share: 1 - uniformShare, of: spread },
  { share: uniformShare, of: uniformMass },
])

type Evidence = ReturnType<typeof gather>

/** What the answers say, taken in draw order: one that comes early waits for those before it. */
function gather(plan: AuditPlan) {
  const { engine, classes, level = 0.95, tolerance, below, budget = Number.POSITIVE_INFINITY, batch = 50 } = plan
  const interval = new DrawInterval({
    poolSize: engine.size,
    level,
    ...(tolerance !== undefined && { tolerance }),
    ...(below !== undefined && { lowerShare: 0, tolerance: Math.max(below / 4, 0.002) }),
  })
  const scores: number[] = []
  const losses: number[] = []
  let queue: readonly PoolDraw[] = []
  let chances: Line = { intercept: 0, slope: 0 }
  let answered = 0

  /** The loss of a prediction, or null for "cannot tell". */
  const lossOf = ({ scores: [, predicted] }: PoolDraw, label: Label) =>
    label === null ? null : classes[predicted!] === label ? 0 : 1

  return {
    begin({ draws, survey }: RoundOpening, line: Line): void {
      queue = draws
      chances = line
      interval.round({ mass: survey.mass, ...survey.controls[0]! })
    },
    advance(answers: ReadonlyMap<string, Label>): void {
      for (let next = queue[0]; next && answers.has(next.id); next = queue[0]) {
        const loss = lossOf(next, answers.get(next.id)!)
        const z = next.scores[0]!
        interval.draw({ loss, mass: next.mass, predictedLoss: chanceAt(chances, z) })
        answered++
        queue = queue.slice(1)
        if (loss === null) continue // neither the design nor the calibration may learn from what nobody knows
        scores.push(z)
        losses.push(loss)
      }
    },
    calibrate(centre: number): Calibration | undefined {
      return losses.reduce((a, b) => a + b, 0) >= 3 ? recalibrate(scores, losses, centre) : undefined
    },
    /** Answers so far, and how many to draw next. */
    status() {
      return { answers: answered, size: Math.max(0, Math.min(batch, budget - answered, engine.size - answered)) }
    },
    result(): Omit<AuditRound, 'round' | 'draws' | 'answers'> {
      const now = interval.interval()
      const isNarrow = tolerance !== undefined && (now.high - now.low) / 2 <= tolerance
      const isBelow = below !== undefined && now.high <= below
      const goal = tolerance ?? (below !== undefined && now.value < below ? below - now.value : undefined)
      const forecast = goal === undefined ? undefined : interval.forecast(goal)
      return { interval: now, isReached: isNarrow || isBelow, ...(forecast && { forecast }) }
    },
  }
}

function checkPlan({ tolerance, below, budget, batch = 50, engine, model }: AuditPlan): void {
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
  requireInput(below === undefined || (below > 0 && below < 1), `below: must be in (0, 1), got ${below}`)
  requireInput(
    model.columns === 2 && engine.columns === 2,
    `audit: a pool of two columns is required, chance of error and predicted class, got ${engine.columns}`,
  )
}

function meanChance({ scores, counts }: Profile): number {
  const points = counts.reduce((a, b) => a + b, 0)
  return scores.reduce((sum, z, i) => sum + counts[i]! * sigmoid(z), 0) / points
}

const idsOf = ({ draws }: Pick<RoundFacts, 'draws'>) => draws.map(({ id }) => id)
