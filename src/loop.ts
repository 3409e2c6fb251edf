import { boundFromTotals, type PaperBound } from './bounds/paper-bound.ts'
import { BatchInterval } from './certificates/batch-interval.ts'
import { DrawInterval, type Interval } from './certificates/draw-interval.ts'
import { expectedLossOf } from './core/belief.ts'
import type { PoolDraw } from './core/draw.ts'
import { requireInput } from './core/errors.ts'
import { type LinearModel, type Model, predictedClass, scorerOf, scoresPerPoint } from './core/model.ts'
import { clip } from './core/numbers.ts'
import { isFor, type Label, type RoundFacts, type RoundOpening } from './core/record.ts'
import type { Signal } from './core/signal.ts'
import type { Survey } from './core/survey.ts'
import { isRandom } from './designs/top.ts'
import type { Engine } from './engines/engine.ts'
import type { Learner, TrainingSet } from './learners/learner.ts'
import { errorOf } from './losses/error.ts'
import type { Ingredient } from './masses/mass.ts'
import type { Oracle } from './oracles/oracle.ts'
import type { Store } from './stores/store.ts'
import { uniformStrategy } from './strategies/baselines.ts'
import { movement } from './strategies/movement.ts'
import type { Strategy } from './strategies/strategy.ts'
import { trainingSet } from './strategies/training-set.ts'
import { poolMean } from './weights/pool-mean.ts'

export interface LearnPlan<M extends Model = LinearModel> {
  readonly engine: Engine
  readonly store: Store
  readonly oracle: Oracle
  readonly learner: Learner<M>
  readonly strategy: Strategy
  /** Two classes: negative first, positive second. */
  readonly classes: readonly string[]
  readonly seed: number
  readonly seedChosen?: boolean
  /** Labels drawn uniformly before the first round. Default 10. */
  readonly start?: number
  /** Labels a round; for `bernoulli`, expected. 1 is the paper to the letter. Default 10. */
  readonly batch?: number
  /** Stop after this many rounds, or when this many labels are spent, whichever is first. A last Bernoulli round may spend more. */
  readonly rounds?: number
  readonly budget?: number
  /** Exponent of the training weights; the strategy's own if left out. */
  readonly weighting?: number
  /** For the paper's bound. Default 0.05. */
  readonly delta?: number
  readonly signal?: Signal
}

/** What the fresh answers of a round say about the model *before* it learned from them. */
export interface Estimate {
  readonly metric: 'error'
  readonly about: 'model before this round'
  /** Unbiased for that model's error over the points that were unlabelled. An empty Bernoulli round says 0, as it must to stay so. */
  readonly value: number
  /** An interval from this round's answers alone; null where some point could not be drawn, so that nothing is known of it. */
  readonly low: number | null
  readonly high: number | null
  readonly level: number
  readonly answers: number
}

export interface Round<M extends Model = LinearModel> {
  readonly round: number
  /** Answers so far, this round included. */
  readonly labels: number
  readonly draws: readonly PoolDraw[]
  readonly answers: ReadonlyMap<string, Label>
  /** Missing for deterministic strategies: they have no unbiased estimate. */
  readonly estimate?: Estimate
  /** Missing for deterministic strategies: nothing was drawn from any distribution. */
  readonly bound?: PaperBound
  readonly survey: Survey
  /** Identity of the model that gave the masses: the one before this round, or an earlier one that it is hardly different from. */
  readonly drawnWith: string
  /** The model after this round. */
  readonly model: M
}

/**
 * Active learning with importance sampling: Algorithm 1 of the paper, for any strategy. Each value is one finished round;
 * break out when satisfied, call again with the same store to go on.   @see docs/equations.md#algorithm
 */
export async function* learn<M extends Model>(plan: LearnPlan<M>): AsyncGenerator<Round<M>, void> {
  checkPlan(plan)
  const { engine, store, oracle, classes, seed, seedChosen = true, signal } = plan
  await store.begin({ seed, seedChosen, classes, poolSize: engine.size })
  const rounds = [...(await store.rounds())] // S^t: what is labelled
  await engine.take(rounds.flatMap(idsOf)) //     U^t: what is not
  const last = rounds.at(-1)
  requireInput(
    !last || last.isClosed || !isFor('given', last),
    'labels: an import that was cut short must be finished first, got one in the record',
    'Import the same labels again.',
  )
  if (last && !last.isClosed && isFor('audit', last)) await store.closeRound(last.round) // what it left open stays unasked
  const pending = last && !last.isClosed && isFor('learn', last) ? rounds.pop() : undefined
  let trained = await trainedOn(plan, rounds)
  let drawnWith = await lastDrawnWith(plan, rounds)
  let model = await fit(plan, trained, drawnWith) // A^t
  suitedTo(plan, model) // refuses now what would be refused after the start
  if (learned(rounds).length > 0) await store.keepModel(model, learned(rounds).length - 1) // if it was stopped before it could

  for (let opened = pending; ; opened = undefined) {
    const size = nextSize(plan, rounds)
    if (!opened && size === 0) return
    signal?.throwIfAborted()

    // Pseudo-losses, p^t and V^t in one request; on record before anyone sees a point.
    const opening: RoundOpening = opened ?? (await openRound(plan, { model, drawnWith, trained }, rounds, size))
    const answers = new Map(opened?.answers)
    const open = distinct(idsOf(opening)).filter((id) => !answers.has(id))
    for await (const { id, label } of oracle.label(open, signal)) {
      await store.answer(opening.round, id, label)
      answers.set(id, label)
    }
    await store.closeRound(opening.round)

    const estimate = estimateOf(plan, opening, answers) // before the model learns from them
    rounds.push({ ...opening, answers, isClosed: true })
    trained = await trainedOn(plan, rounds)
    drawnWith = await lastDrawnWith(plan, rounds, [model, drawnWith])
    model = await fit(plan, trained, drawnWith) // A^{t+1}
    const round = learned(rounds).length - 1
    await store.keepModel(model, round)
    const { draws, survey } = opening
    const said = { ...estimate, ...boundOf(plan, opening), survey, drawnWith: opening.model }
    yield { round, labels: labelsIn(rounds), draws, answers, ...said, model }
  }
}

function checkPlan({ start = 10, batch = 10, rounds, budget, classes }: LearnPlan<Model>): void {
  for (const [name, value] of Object.entries({ start, batch, rounds, budget })) {
    const isFine = value === undefined || (Number.isInteger(value) && value >= 1)
    requireInput(isFine, `${name}: must be a whole number of at least 1, got ${value}`)
  }
  requireInput(rounds !== undefined || budget !== undefined, 'plan: rounds or budget is required, got neither')
  requireInput(
    classes.length >= 2,
    `classes: at least two are required, got ${classes.length}`,
    'With one class there is nothing to learn.',
  )
}

/** What a round is opened with. */
interface Hand {
  readonly model: Model
  /** What the model was fitted to. */
  readonly trained: TrainingSet
  /** The model that the last round was drawn with, from the second on. */
  readonly drawnWith: Model | undefined
}

async function openRound(plan: LearnPlan<Model>, hand: Hand, rounds: readonly RoundFacts[], size: number): Promise<RoundOpening> {
  const { engine, store, learner, seed, signal } = plan
  const t = learned(rounds).length
  const strategy = t === 0 ? uniformStrategy : suitedTo(plan, hand.model)
  const { name, design } = strategy
  const stream = `learn/${t}`
  const controls = [errorOf(learner.loss)]
  const model = toDrawWith(strategy, hand)
  const prepared = await prepare(plan, strategy, hand, rounds)
  const request = { model, loss: learner.loss, controls, design, ...prepared, size, stream: { seed, name: stream } }
  const { draws: drawn, survey } = await engine.draw(request, signal)
  const draws = model === hand.model ? drawn : await withLatest(engine, drawn, hand.model)
  const opening = { round: rounds.length, stream, strategy: name, design: design.name, size, model: model.id, survey, draws }
  await store.openRound(opening)
  await engine.take(idsOf(opening))
  return opening
}

/**
 * The model that gives the masses: that of the last round, while the newest is hardly another and the strategy can do with it. Any masses will
 * do that are known before the draw, and an engine that has the scores of a model need not look at a feature.
 */
function toDrawWith({ steady }: Strategy, { model, drawnWith, trained }: Hand): Model {
  if (!steady || !drawnWith || model.kind === 'columns') return model
  return movement(trained.features, drawnWith, model) <= steady ? drawnWith : model
}

/** With what the newest model says of each: the estimate is about that one. */
async function withLatest(engine: Engine, draws: readonly PoolDraw[], model: Model): Promise<PoolDraw[]> {
  const features = await engine.features(draws.map(({ id }) => id))
  const score = scorerOf(model)
  const scores = new Float64Array(scoresPerPoint(model))
  return draws.map((draw, row) => {
    score(features, row, scores)
    return { ...draw, latest: [...scores] }
  })
}

/** The strategy as it suits the pool. Scores from elsewhere are all that is known of a point: no boundary between features can be settled. */
function suitedTo({ engine, strategy }: LearnPlan<Model>, model: Model): Strategy {
  if (model.kind === 'linear') return strategy.suited?.(engine) ?? strategy
  requireInput(
    !strategy.forms && !strategy.selector,
    `strategy: one that draws by scores alone is required for scores in columns, got ${strategy.name}, which looks at features`,
    'Use the strategy alis.',
  )
  return strategy
}

/** What a strategy makes anew before each draw, from the record and from what the model was fitted to. */
async function prepare(plan: LearnPlan<Model>, strategy: Strategy, { model, trained }: Hand, rounds: readonly RoundFacts[]) {
  const mass = strategy.massAfter?.(rounds) ?? strategy.mass
  if ((!strategy.forms && !strategy.selector) || model.kind === 'columns') return { mass }
  const { engine, learner } = plan
  const { loss, l2 = 1 } = learner
  const momentOf = (weight: Ingredient) => engine.moment({ model, loss }, weight)
  const forms = await strategy.forms?.({ model, loss, l2, trained, momentOf })
  const selector = strategy.selector?.(trained)
  return { mass, ...(forms && { forms }), ...(selector && { selector }) }
}

/** How many to draw next: the start, then batches, until rounds, budget or points run out. */
function nextSize({ engine, start = 10, batch = 10, ...plan }: LearnPlan<Model>, rounds: readonly RoundFacts[]): number {
  const spent = labelsIn(rounds)
  const t = learned(rounds).length
  if (t > (plan.rounds ?? Number.POSITIVE_INFINITY)) return 0
  const given = rounds.filter((round) => isFor('given', round)).flatMap(idsOf).length
  const budget = Math.min(plan.budget ?? Number.POSITIVE_INFINITY, engine.size - given)
  return Math.max(0, Math.min(t === 0 ? start : batch, budget - spent))
}

/**
 * A fit starts at the model that the last round was drawn with, if most of its labels are the same. It is on record, from the second
 * round on, so that whoever resumes a run starts there as well and comes to the same last bit.
 */
async function fit<M extends Model>(
  { learner, strategy, classes }: LearnPlan<M>,
  trained: TrainingSet,
  drawnWith: Model | undefined,
): Promise<M> {
  return learner.fit(trained, classes, strategy.trainsOn === 'batch' ? undefined : drawnWith)
}

/** The model that the last round was drawn with: one of those at hand, or from the record. None before the second. */
async function lastDrawnWith(
  { store }: LearnPlan<Model>,
  rounds: readonly RoundFacts[],
  atHand: readonly (Model | undefined)[] = [],
): Promise<Model | undefined> {
  const [, ...later] = learned(rounds)
  const id = later.at(-1)?.model
  return id === undefined ? undefined : (atHand.find((model) => model?.id === id) ?? store.model(id))
}

/** In draw order, never in order of arrival: sums must not depend, to the last bit, on who answered first. */
async function trainedOn(plan: LearnPlan<Model>, rounds: readonly RoundFacts[]): Promise<TrainingSet> {
  const { engine, strategy, classes, weighting = strategy.weighting } = plan
  const { ids, labels, weights } = trainingSet(rounds, { strategy, weighting, classes, poolSize: engine.size })
  return { features: await engine.features(ids), labels, weights }
}

/** What the answers to a round say about the model it was drawn with; nothing for a design without dice. */
export function estimateOf(
  plan: Pick<LearnPlan<Model>, 'learner' | 'classes'>,
  opening: RoundOpening,
  answers: ReadonlyMap<string, Label>,
): { estimate?: Estimate } {
  const { design, draws, survey } = opening
  if (!isRandom(design)) return {}
  const reading = errorOf(plan.learner.loss)
  const drawn = draws.map((draw): DrawnError => {
    const label = answers.get(draw.id) ?? null
    const loss = label === null ? null : plan.classes[predictedClass(draw.latest ?? draw.scores)] === label ? 0 : 1
    return { ...draw, loss, predictedLoss: expectedLossOf(reading, draw.scores) }
  })
  const halved = drawn.map(({ loss }) => loss ?? 0.5) // cannot tell: half-way between right and wrong
  const value = poolMean(design, draws, halved, survey.points)
  const limits = survey.smallestMass > 0 ? limitsOf(opening, drawn) : { low: null, high: null, level: 0.95 }
  return { estimate: { metric: 'error', about: 'model before this round', value, ...limits, answers: answers.size } }
}

interface DrawnError extends PoolDraw {
  readonly loss: number | null
  readonly predictedLoss: number
}

/** An interval from one round's few answers: wide, and right 95 times in 100. */
function limitsOf(opening: RoundOpening, drawn: readonly DrawnError[]): Pick<Interval, 'low' | 'high' | 'level'> {
  const { low, high, level } = opening.design === 'successive' ? fromSuccessive(opening, drawn) : fromIndependent(opening, drawn)
  return { low, high, level }
}

function fromSuccessive({ survey }: RoundOpening, drawn: readonly DrawnError[]): Interval {
  const totals = { mass: survey.mass, ...survey.controls[0]! }
  const variance = (totals.mass * totals.predictedVariance) / survey.points ** 2
  const interval = new DrawInterval({ poolSize: survey.points, tolerance: withinReach(variance, drawn.length) })
  interval.round(totals)
  for (const draw of drawn) interval.draw(draw)
  return interval.interval()
}

/** Bernoulli draws, or draws with replacement: the same, with m·p for π.   @see docs/equations.md#batch-interval */
function fromIndependent({ design, size, survey }: RoundOpening, drawn: readonly DrawnError[]): Interval {
  const { points, mass, controls } = survey
  const { predictedLoss, predictedVariance, largestDown, largestUp } = controls[0]!
  const isRepeating = design === 'multinomial'
  const expected = isRepeating ? drawn.length : Math.min(size, points)
  const scale = expected / mass // π ≥ min(1, scale · a), and equal unless the surplus of points certain to be drawn went to others
  const totals = {
    expected,
    predictedLoss,
    largestDown: Math.max(1, largestDown / scale),
    largestUp: Math.max(1, largestUp / scale),
    variance: Math.max((mass * predictedVariance) / points ** 2, 1e-6),
  }
  const interval = new BatchInterval({ poolSize: points, tolerance: withinReach(totals.variance, expected) })
  const draws = drawn.map((draw) => (isRepeating ? { ...draw, probability: expected * draw.probability } : draw))
  const evidence = interval.evidence(totals, draws)
  // Drawn twice, a point is evidence twice; what is known for certain, it is once.
  const { least, most, answers } = interval.evidence(totals, [...new Map(draws.map((draw) => [draw.id, draw])).values()])
  interval.batch(totals, { ...evidence, least, most, answers })
  return interval.interval()
}

/** The half-width that so many draws can be expected to reach, from what is known before the first of them. */
function withinReach(variance: number, draws: number): number {
  return clip(2.3 * Math.sqrt(variance / draws), 0.02, 0.45)
}

/** The paper's bound for the distribution drawn from, p = a/Σa. */
function boundOf({ delta = 0.05 }: LearnPlan<Model>, { design, survey }: RoundOpening): { bound?: PaperBound } {
  if (!isRandom(design)) return {}
  const { points, mass, pseudoLoss, pseudoLossPerMass } = survey
  return { bound: boundFromTotals({ points, mass: mass * pseudoLossPerMass, pseudoLoss, delta }) }
}

const learned = (rounds: readonly RoundFacts[]) => rounds.filter((round) => isFor('learn', round))
const idsOf = ({ draws }: { readonly draws: readonly PoolDraw[] }) => draws.map(({ id }) => id)
const distinct = (ids: readonly string[]) => [...new Set(ids)]
/** Answers that were asked for; what was given cost nothing. */
const labelsIn = (rounds: readonly RoundFacts[]) =>
  rounds.filter((round) => !isFor('given', round)).reduce((sum, { answers }) => sum + answers.size, 0)
