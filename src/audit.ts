import { calibratedLine, centreOf, flattened, type Line } from './certificates/calibrated.ts'
import { type Calibration, uncalibrated } from './certificates/recalibrate.ts'
import type { PoolDraw } from './core/draw.ts'
import { requireInput } from './core/errors.ts'
import type { Model } from './core/model.ts'
import { sigmoid } from './core/numbers.ts'
import type { Profile } from './core/profile.ts'
import { drawnIds, isFor, type Label, poolSizes, type RoundFacts, type RoundOpening } from './core/record.ts'
import { readTransformed, type ScoreTransform, untransformed } from './core/score-transform.ts'
import type { Signal } from './core/signal.ts'
import { successive } from './designs/successive.ts'
import type { Engine } from './engines/engine.ts'
import { ceilingMetrics, leastOf, type Metric, metricNames, needsClass } from './metrics/catalogue.ts'
import type { Oracle } from './oracles/oracle.ts'
import type { Store } from './stores/store.ts'
import { type AuditEvidence, type AuditStanding, auditEvidence } from './strategies/audit-evidence.ts'
import type { Measure } from './strategies/measures.ts'
import { listed } from './text/wording.ts'

/** How an audit draws: where answers say most of what is measured, or every point alike. */
export const auditStrategies = ['alis-audit', 'uniform'] as const
export type AuditStrategy = (typeof auditStrategies)[number]

export interface AuditPlan {
  readonly engine: Engine
  readonly store: Store
  readonly oracle: Oracle
  /** What is audited; fixed from the first draw to the last. */
  readonly model: Model
  /**
   * Turns the model's scores into those an audit needs: first the logit of the chance, as the model has it, that its prediction is
   * wrong (for a metric that needs a class: that the point is of it); then the position of the predicted class;
   * for a difference, that of the class another model predicts. Left out, the scores are just that.
   */
  readonly lens?: ScoreTransform
  readonly classes: readonly string[]
  /** What to measure. Default `error`. */
  readonly metric?: Metric
  /** The class in question, for a metric that needs one. */
  readonly positive?: string
  readonly seed: number
  readonly seedChosen?: boolean
  readonly strategy?: AuditStrategy
  /** Default 0.95. */
  readonly level?: number
  /** Stop when the interval is this narrow on either side; when its upper limit is below a value; or after so many answers. */
  readonly tolerance?: number
  readonly below?: number
  readonly budget?: number
  /** Answers a round. Default 50. */
  readonly batch?: number
  /** Give the rounds on record too, from the first. Default: only where they have come to. */
  readonly fromStart?: boolean
  readonly signal?: Signal
}

/** Where an audit stands after a round. */
export interface AuditRound extends AuditStanding {
  /** 0 for the first round of the audit. */
  readonly round: number
  readonly draws: readonly PoolDraw[]
  readonly answers: ReadonlyMap<string, Label>
}

const warmUp = 50 // answers drawn uniformly first, while nothing is known of the confidences

/**
 * Measures one fixed model over the points of a pool that are not labelled yet, from few answers, with an interval that
 * holds at every look. Each value is one round; break out when satisfied, call again with the same store to go on (the
 * first value is then where it stands). On the store of a learning run it certifies the model of the moment; its answers may train later models.
 *
 * @see docs/equations.md#audit
 */
export async function* audit(plan: AuditPlan): AsyncGenerator<AuditRound, void> {
  checkPlan(plan)
  const { engine, store, seed, seedChosen = true, classes, model, lens = untransformed } = plan
  await store.begin({ seed, seedChosen, classes, poolSize: engine.size })
  const record = await store.rounds()
  const own = auditRounds(record, model, engine.size)
  const others = record.filter((round) => !own.includes(round))
  const left = others.find(({ isClosed }) => !isClosed)
  requireInput(!left || isFor('audit', left), 'audit: the round that is open must be finished first, got one in the record')
  if (left) await store.closeRound(left.round) // of another model, or a smaller pool: what it left open stays unasked
  await engine.take(others.flatMap(drawnIds)) // what has been labelled already is not part of the question
  const profile = await engine.profile(model, lens)
  const centre = centreOf(meanChance(profile))
  await engine.take(own.flatMap(drawnIds))

  const evidence = auditEvidence(plan, pointsIn(profile))
  let calibration = uncalibrated
  for (let at = 0; ; at++) {
    const known = own[at]
    const line = calibratedLine(calibration, centre)
    if (!known && (evidence.status().size === 0 || evidence.result().isReached)) return
    const state = { round: record.length + at - own.length, calibration, centre, line, ...evidence.status() }
    const opening = known ?? (await openRound(plan, evidence.measure, state))
    if (opening.draws.length === 0) return // no answer that is left could change anything
    const answers = known ? answersIn(known) : new Map<string, Label>()
    evidence.begin(opening, line)
    evidence.advance(answers)
    const isOpen = known?.isClosed !== true
    if (isOpen) await ask(plan, opening, answers, evidence)
    if (isOpen || plan.fromStart || at === own.length - 1)
      yield { round: at, draws: opening.draws, answers, ...evidence.result() }
    if (isOpen && answers.size === opening.draws.length) await store.closeRound(opening.round)
    if (answers.size < opening.draws.length) return // the goal was reached on the way, or the answers ended: the rest stays open
    calibration = evidence.calibrate(centre) ?? calibration
  }
}

/** The rounds of a record that measured a model over the pool as it is now; before it grew, the question was another one. */
export function auditRounds(record: readonly RoundFacts[], model: Model, poolSize: number): readonly RoundFacts[] {
  const sizes = poolSizes(record)
  return record.filter((round, at) => isFor('audit', round) && round.model === model.id && sizes[at] === poolSize)
}

/** What is known of the points of a round. One that was drawn and will not be asked any more counts as "cannot tell". */
export function answersIn({ draws, answers, isClosed }: RoundFacts): Map<string, Label> {
  if (!isClosed) return new Map(answers)
  return new Map(draws.map(({ id }) => [id, answers.get(id) ?? null]))
}

/** Asks for what is open in a round and puts every answer on record, until there is nothing left to ask or to wish for. */
async function ask(
  { store, oracle, signal }: AuditPlan,
  opening: RoundOpening,
  answers: Map<string, Label>,
  evidence: AuditEvidence,
): Promise<void> {
  const open = drawnIds(opening).filter((id) => !answers.has(id))
  if (open.length === 0 || evidence.result().isReached) return
  for await (const { id, label } of oracle.label(open, signal)) {
    await store.answer(opening.round, id, label)
    answers.set(id, label)
    evidence.advance(answers)
    if (evidence.result().isReached) return
  }
}

/** What a round is drawn with. */
interface AuditState {
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
  { round, calibration, centre, line, answers, size }: AuditState,
): Promise<RoundOpening> {
  const { engine, store, model, lens = untransformed, seed, strategy = 'alis-audit', signal } = plan
  const isBlind = strategy === 'uniform' || answers < warmUp
  const drawing = isBlind
    ? measure.blind(line)
    : measure.informed(flattened(await engine.profile(model, lens), calibration, centre))
  const stream = `audit/${round}`
  const request = {
    model,
    loss: readTransformed(lens, drawing.loss),
    mass: drawing.mass,
    controls: measure.controls(line).map((control) => readTransformed(lens, control)),
    design: successive,
    size,
    stream: { seed, name: stream },
  }
  const { draws, survey } = await engine.draw(request, signal)
  const opening = { round, stream, strategy, design: successive.name, size, model: model.id, survey, draws }
  if (draws.length > 0) await store.openRound(opening)
  await engine.take(drawnIds(opening))
  return opening
}

function checkPlan({ tolerance, below, budget, batch = 50, metric = 'error', positive, classes }: AuditPlan): void {
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
  requireInput(metricNames.includes(metric), `metric: one of ${metricNames.join(', ')} is required, got ${metric}`)
  const floor = leastOf(metric)
  requireInput(below === undefined || (below > floor && below < 1), `below: must be in (${floor}, 1), got ${below}`)
  requireInput(
    below === undefined || ceilingMetrics.includes(metric),
    `below: is for ${listed(ceilingMetrics, 'or')}, got ${metric}`,
  )
  requireInput(
    !needsClass(metric) || (positive !== undefined && classes.includes(positive)),
    `positive: one of ${classes.join(', ')} is required for ${metric}, got ${positive ?? 'none'}`,
  )
}

function meanChance(profile: Profile): number {
  const { scores, counts } = profile
  return scores.reduce((sum, z, i) => sum + counts[i]! * sigmoid(z), 0) / pointsIn(profile)
}

const pointsIn = ({ counts }: Profile) => counts.reduce((a, b) => a + b, 0)
