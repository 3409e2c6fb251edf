import { boundFromTotals, type PaperBound } from './bounds/paper-bound.ts'
import { requireAnswer, requireClasses } from './core/classes.ts'
import type { PoolDraw } from './core/draw.ts'
import { AlisError, requireInput } from './core/errors.ts'
import { leadingColumns } from './core/features.ts'
import { isLearned, isLinear, type LinearModel, type Model } from './core/model.ts'
import { changeSince, type Now, standOf } from './core/now.ts'
import {
  drawnIds,
  isFor,
  type Label,
  type RoundFacts,
  type RoundOpening,
  requireUntaken,
  signatureOf,
  unanswered,
} from './core/record.ts'
import type { Signal } from './core/signal.ts'
import type { Survey } from './core/survey.ts'
import { isKnownDesign, requireDesign, requireDraws } from './designs/catalogue.ts'
import { successive } from './designs/successive.ts'
import { isRandom } from './designs/top.ts'
import type { Engine } from './engines/engine.ts'
import type { Learner, TrainingSet } from './learners/learner.ts'
import { errorOf } from './losses/error.ts'
import type { Mass } from './masses/mass.ts'
import type { Oracle } from './oracles/oracle.ts'
import { running } from './running/running.ts'
import type { Store } from './stores/store.ts'
import { uniformStrategy } from './strategies/baselines.ts'
import { type Estimate, estimateOf } from './strategies/round-estimate.ts'
import { sharesOf } from './strategies/shares-of-draws.ts'
import { type Strategy, suitedTo } from './strategies/strategy.ts'
import { trainingSet } from './strategies/training-set.ts'

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
  readonly rounds?: number | undefined
  readonly budget?: number | undefined
  /** Exponent of the training weights; the strategy's own if left out. */
  readonly weighting?: number | undefined
  /** For the paper's bound. Default 0.05. */
  readonly delta?: number
  readonly signal?: Signal | undefined
}

export interface Round<M extends Model = LinearModel> {
  readonly round: number
  /** Answers so far, this round included. */
  readonly labels: number
  readonly draws: readonly PoolDraw[]
  readonly answers: ReadonlyMap<string, Label>
  /** The running certificate: what all answers so far say of the model after this round. Null where they say nothing, as after the start. */
  readonly now: RoundNow | null
  /** Missing for deterministic strategies: they have no unbiased estimate. */
  readonly estimate?: Estimate | undefined
  /** Missing for deterministic strategies: nothing was drawn from any distribution. */
  readonly bound?: PaperBound
  readonly survey: Survey
  /** Identity of the model that gave the masses: the one before this round. */
  readonly drawnWith: string
  /** The model after this round. */
  readonly model: M
}

export interface RoundNow extends Now {
  readonly about: 'model after this round'
}

/**
 * Active learning with importance sampling: Algorithm 1 of the paper, for any strategy. Each value is one finished round;
 * break out when satisfied, call again with the same store to go on.   @see docs/equations.md#algorithm
 */
export async function* learn<M extends Model>(plan: LearnPlan<M>): AsyncGenerator<Round<M>, void> {
  checkPlan(plan)
  const { engine, store, oracle, classes, seed, seedChosen = true, signal } = plan
  await store.begin({ seed, seedChosen, classes, poolSize: engine.size })
  const rounds = [...(await store.rounds())] //  S^t: what is labelled
  await engine.take(rounds.flatMap(drawnIds)) // U^t: what is not
  const pending = await takeOpenRound(store, rounds)
  const certificate = running({
    ...plan,
    loss: plan.learner.loss,
    record: { rounds: async () => rounds, model: (id) => store.model(id) },
  })
  let fitted = await fit(plan, rounds) //        A^t
  requireStrategy(plan, fitted) // refuses now what would be refused after the start
  const standNow = (model: M) => standOf(rounds, { model: model.id, poolSize: engine.size })
  const lookAt = async (model: M): Promise<Now | null> => {
    const now = await certificate.look(model, signal)
    await store.keepLook({ ...standNow(model), now })
    return now
  }
  if (learned(rounds).length > 0) {
    await store.keepModel(fitted.model, learned(rounds).length - 1) // if it was stopped before it could
    const last = pending ? undefined : (await store.looks()).at(-1)
    if (!pending && (!last || changeSince(last, standNow(fitted.model)))) await lookAt(fitted.model)
  }

  for (let opened = pending; ; opened = undefined) {
    const size = nextSize(plan, rounds)
    if (!opened && size === 0) return
    signal?.throwIfAborted()

    // Pseudo-losses, p^t and V^t in one request; on record before a point is shown.
    const opening: RoundOpening = opened ?? (await openRound(plan, fitted, rounds, size))
    const answers = new Map(opened?.answers)
    for await (const { id, label } of oracle.label(unanswered({ ...opening, answers }), signal)) {
      requireAnswer(id, label, oracle.name, classes)
      await store.answer(opening.round, id, label, signatureOf(oracle))
      answers.set(id, label)
    }
    signal?.throwIfAborted()
    requireAnswered(opening, answers, oracle)
    await store.closeRound(opening.round)

    const bound = boundOf(plan, opening)
    rounds.push({ ...opening, answers, revisions: [], isClosed: true })
    fitted = await fit(plan, rounds, fitted) // A^{t+1}
    const round = learned(rounds).length - 1
    await store.keepModel(fitted.model, round)
    const now = await lookAt(fitted.model)
    const { draws, survey, model: drawnWith } = opening
    let estimate: Estimate | undefined
    yield {
      round,
      labels: labelsIn(rounds),
      draws,
      answers,
      now: now && { ...now, about: 'model after this round' },
      get estimate() {
        estimate ??= estimateOf(plan, opening, answers) // as much work as the rest of a round in a small pool: not all callers read it
        return estimate
      },
      ...(bound && { bound }),
      survey,
      drawnWith,
      model: fitted.model,
    }
  }
}

function checkPlan({ start = 10, batch = 10, rounds, budget, classes }: LearnPlan<Model>): void {
  for (const [name, value] of Object.entries({ start, batch, rounds, budget })) {
    const isFine = value === undefined || (Number.isInteger(value) && value >= 1)
    requireInput(isFine, `${name}: must be a whole number of at least 1, got ${value}`)
  }
  requireInput(rounds !== undefined || budget !== undefined, 'plan: rounds or budget is required, got neither')
  requireClasses(classes)
}

/** A round whose oracle fell silent stays open: other points in the place of those it left out would not be drawn by lot. */
function requireAnswered(opening: RoundOpening, answers: ReadonlyMap<string, Label>, { name }: Oracle): void {
  const open = unanswered({ ...opening, answers })
  if (open.length === 0) return
  throw new AlisError(
    'oracle-failed',
    `${name}: an answer for every point is required, got none for ${JSON.stringify(open[0])}${open.length > 1 ? ` and ${open.length - 1} more` : ''}`,
    'A label of null says "cannot tell". What was answered is on record, and the round stays open: call again with the same store to go on.',
  )
}

/** Takes the round out of the record that is open and to be gone on with. One of an audit is closed: what it left open stays unasked. */
async function takeOpenRound(store: Store, rounds: RoundFacts[]): Promise<RoundFacts | undefined> {
  const last = rounds.at(-1)
  if (!last || last.isClosed) return undefined
  requireInput(
    !isFor('given', last),
    'labels: an import that was cut short must be finished first, got one in the record',
    'Import the same labels again.',
  )
  if (isFor('learn', last)) return rounds.pop()
  await store.closeRound(last.round)
  rounds[rounds.length - 1] = { ...last, isClosed: true }
  return undefined
}

/** A model, and what it comes from. */
interface Fitted<M extends Model = Model> {
  readonly model: M
  readonly trained: TrainingSet
}

/**
 * Fits a model to the labels on record. It starts at the model that the last round was drawn with, if most of its labels are the same: that one
 * is on record, so that a run that is resumed starts there as well and comes to the same last bit. `before`: the fit before, where there was one.
 */
async function fit<M extends Model>(plan: LearnPlan<M>, rounds: readonly RoundFacts[], before?: Fitted): Promise<Fitted<M>> {
  const { engine, learner, store, strategy, classes, weighting = strategy.weighting } = plan
  // In draw order, never in order of arrival: sums must not depend, to the last bit, on which answer came first.
  const { ids, labels, weights } = trainingSet(rounds, { strategy, weighting, classes, poolSize: engine.size })
  const trained = { ids, features: await engine.features(ids), labels, weights, round: learned(rounds).length }
  const [, ...later] = learned(rounds)
  const id = later.at(-1)?.model
  const isFresh = id === undefined || strategy.trainsOn === 'batch'
  const drawnWith = isFresh ? undefined : before?.model.id === id ? before.model : await store.model(id)
  return { model: await learner.fit(trained, classes, drawnWith), trained }
}

async function openRound(
  plan: LearnPlan<Model>,
  fitted: Fitted,
  rounds: readonly RoundFacts[],
  size: number,
): Promise<RoundOpening> {
  const { engine, store, learner, seed, signal } = plan
  const t = learned(rounds).length
  const strategy = t === 0 ? uniformStrategy : strategyFor(plan, fitted.model)
  const { name, design } = strategy
  const stream = `learn/${t}`
  const controls = [errorOf(learner.loss)]
  const { model } = fitted
  const prepared = await prepare(plan, strategy, fitted, rounds)
  const request = { model, loss: learner.loss, controls, design, ...prepared, size, stream: { seed, name: stream } }
  const { draws, survey } = await engine.draw(request, signal)
  requireDraws(design, draws)
  requireUntaken(engine.size - survey.points, rounds)
  const opening = { round: rounds.length, stream, strategy: name, design: design.name, size, model: model.id, survey, draws }
  await store.openRound(opening)
  await engine.take(drawnIds(opening))
  return opening
}

/** Refuses a strategy that some later round could not draw by. */
function requireStrategy(plan: LearnPlan<Model>, { model, trained }: Fitted): void {
  const { mass, design, selector } = strategyFor(plan, model)
  requireDesign(design)
  const chosenBy = selector?.(trained)
  plan.engine.requireDrawable?.({ mass, design, size: plan.batch ?? 10, ...(chosenBy && { selector: chosenBy }) })
}

/** The strategy as it suits the pool. Where scores come from elsewhere, no boundary between features can be settled. */
function strategyFor({ engine, learner, strategy }: LearnPlan<Model>, model: Model): Strategy {
  requireInput(
    isLinear(model) || (!strategy.forms && (isLearned(model) || !strategy.selector)),
    `strategy: one that draws by scores alone is required for ${isLearned(model) ? model.kind : 'scores in columns'}, got ${strategy.name}, which looks at features`,
    'Use the strategy alis.',
  )
  return isLearned(model) ? suitedTo(strategy, { size: engine.size, columns: plainColumns(learner, engine) }) : strategy
}

const plainColumns = ({ plainColumns }: Learner<Model>, { columns }: Engine) => plainColumns ?? columns

/** What a strategy makes anew before each draw, from the record and from what the model was fitted to. */
async function prepare(plan: LearnPlan<Model>, strategy: Strategy, { model, trained }: Fitted, rounds: readonly RoundFacts[]) {
  const mass = strategy.massAfter?.(rounds) ?? strategy.mass
  if (!strategy.forms && !strategy.selector) return { mass }
  const { engine, learner } = plan
  const { loss, l2 = 1 } = learner
  const columns = plainColumns(learner, engine)
  const stream = { seed: plan.seed, name: `forms/${learned(rounds).length}` }
  const drawBy = async (mass: Mass, size: number) => {
    const { draws } = await engine.draw({ model, loss, mass, controls: [], design: successive, size, stream })
    return { features: leadingColumns(await engine.features(drawnIds({ draws })), columns), shares: sharesOf(draws) }
  }
  const plain = leadingColumns(trained.features, columns)
  const forms = isLearned(model) ? await strategy.forms?.({ model, loss, l2, trained, plain, drawBy }) : undefined
  const selector = strategy.selector?.(trained)
  return { mass, ...(forms && { forms }), ...(selector && { selector }) }
}

/** How many to draw next: the start, then batches, until rounds, budget or points run out. */
function nextSize({ engine, start = 10, batch = 10, ...plan }: LearnPlan<Model>, rounds: readonly RoundFacts[]): number {
  const spent = labelsIn(rounds)
  const t = learned(rounds).length
  if (t > (plan.rounds ?? Number.POSITIVE_INFINITY)) return 0
  const left = engine.size - new Set(rounds.flatMap(drawnIds)).size // some were drawn and never answered
  const budget = plan.budget ?? Number.POSITIVE_INFINITY
  return Math.max(0, Math.min(t === 0 ? start : batch, budget - spent, left))
}

/** The paper's bound for the distribution drawn from, p = a/Σa; undefined where nothing was drawn from any, or by a design of one's own. */
function boundOf({ delta = 0.05 }: LearnPlan<Model>, { design, survey }: RoundOpening): PaperBound | undefined {
  if (!isRandom(design) || !isKnownDesign(design)) return undefined
  const { points, mass, pseudoLoss, pseudoLossPerMass } = survey
  return boundFromTotals({ points, mass: mass * pseudoLossPerMass, pseudoLoss, delta })
}

const learned = (rounds: readonly RoundFacts[]) => rounds.filter((round) => isFor('learn', round))
/** Answers that were asked for; what was given cost nothing. */
const labelsIn = (rounds: readonly RoundFacts[]) =>
  rounds.filter((round) => !isFor('given', round)).reduce((sum, { answers }) => sum + answers.size, 0)
