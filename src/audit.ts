import type { PoolDraw } from './core/draw.ts'
import { requireInput } from './core/errors.ts'
import { drawnIds, isFor, type Label, type RoundOpening, signatureOf } from './core/record.ts'
import type { Signal } from './core/signal.ts'
import type { StratifiedPool } from './core/strata.ts'
import { strataSurvey } from './core/survey.ts'
import { metrics } from './metrics/catalogue.ts'
import type { Oracle } from './oracles/oracle.ts'
import { answersIn, auditRounds, givenIn, strataAsked } from './questions/audit-rounds.ts'
import { estimatorFor } from './questions/estimator.ts'
import type { Strata } from './questions/frame.ts'
import { type BestModel, RaceReader } from './questions/race.ts'
import { type AuditRules, type Goal, type KnownAnswer, type RaceSpec, RecordReader } from './questions/record.ts'
import {
  type AuditedQuestion,
  type AuditStrategy,
  aimedAt,
  drawable,
  isClosed,
  plainAnswersLeft,
  registered,
  rulesFor,
  standingOf,
} from './questions/rules.ts'
import type { QuestionSpec } from './questions/spec.ts'
import type { AuditSubject } from './questions/subject.ts'
import { answerOf } from './questions/tables.ts'
import type { Store } from './stores/store.ts'

export interface AuditPlan extends Goal {
  readonly subject: AuditSubject
  readonly store: Store
  readonly oracle: Oracle
  /** What to find out, all from one record. */
  readonly questions?: readonly QuestionSpec[]
  /** Find the best of the models, or one as good but for `within`: draws are then made for that alone. */
  readonly race?: RaceSpec
  readonly seed: number
  readonly seedChosen?: boolean
  readonly strategy?: AuditStrategy
  /** Answers a round. Default 50. */
  readonly batch?: number
  /** Give the rounds on record too, from the first. Default: only where they have come to. */
  readonly fromStart?: boolean
  readonly signal?: Signal
}

/** Where an audit stands after a round. */
export interface AuditRound {
  /** 0 for the first round of the audit. */
  readonly round: number
  readonly draws: readonly PoolDraw[]
  readonly answers: ReadonlyMap<string, Label>
  readonly questions: readonly AuditedQuestion[]
  readonly best?: BestModel
  /** Answers that count, in draw order. */
  readonly answered: number
  /** Whether every goal was reached. */
  readonly isReached: boolean
}

/**
 * Measures fixed predictions over the points of a pool that are not labelled yet, from few answers, with intervals that hold at every look.
 * Each value is one round; break out when satisfied, call again with the same store to go on (the first value is then where it stands). On
 * the store of a learning run it certifies the model of the moment; its answers may train later models.
 *
 * @example for await (const { questions } of audit({ subject, store, oracle, questions: [question('error')], budget: 200, seed: 7 })) …
 * @see docs/equations.md#audit
 */
export async function* audit(plan: AuditPlan): AsyncGenerator<AuditRound, void> {
  checkPlan(plan)
  const { store, seed, seedChosen = true, subject } = plan
  const { pool, frame, model } = subject
  await store.begin({ seed, seedChosen, classes: frame.classes, poolSize: pool.size })
  const record = await store.rounds()
  const { own, others, start } = auditRounds(record, model)
  const left = others.find(({ isClosed }) => !isClosed)
  requireInput(!left || isFor('audit', left), 'audit: the round that is open must be finished first, got one in the record')
  if (left) await store.closeRound(left.round) // of another model: what it left open stays unasked
  const strata = await strataAsked(subject, store)

  const course = courseOf(plan, strata)
  let from = start
  for (let at = 0; ; at++) {
    const known = own[at]
    const until = known?.round ?? record.length
    course.reader.give(await knownAnswers(pool, givenIn(others, from, until)))
    from = until + 1
    if (!known && (course.size() === 0 || course.isSettled())) return
    const opening = known ?? (await openRound(plan, course, record.length + at - own.length))
    if (opening.draws.length === 0) return // no answer that is left could change anything
    const answers = known ? answersIn(known) : new Map<string, Label>()
    course.begin(opening, await pool.codesOf(drawnIds(opening)))
    course.advance(answers, { toEnd: at < own.length - 1 }) // the next round was drawn from what this one left
    const isOpen = known?.isClosed !== true
    if (isOpen) await askFor(plan, opening, answers, course)
    if (isOpen || plan.fromStart || at === own.length - 1)
      yield { round: at, draws: opening.draws, answers, ...course.standing() }
    if (isOpen && answers.size === opening.draws.length) await store.closeRound(opening.round)
    if (answers.size < opening.draws.length) return // the goal was reached on the way, or the answers ended: the rest stays open
  }
}

async function knownAnswers(pool: StratifiedPool, given: readonly (readonly [string, Label])[]): Promise<KnownAnswer[]> {
  const codes = given.length > 0 ? await pool.codesOf(given.map(([id]) => id)) : []
  return given.map(([, answer], k) => ({ code: codes[k]!, answer }))
}

type Course = ReturnType<typeof courseOf>

/** An audit as it goes on: the questions, where each stands, and what to draw next. Answers are taken in draw order: one that comes early waits. */
function courseOf(
  { questions = [], race: spec, budget = Number.POSITIVE_INFINITY, batch = 50, ...plan }: AuditPlan,
  strata: Strata,
) {
  const goal = goalOf({ ...plan, ...(Number.isFinite(budget) && { budget }) })
  const reader = new RecordReader(strata)
  const estimators = registered(questions, goal).map((question) =>
    estimatorFor(question, strata, { tables: reader.tables(question) }),
  )
  const race = spec && new RaceReader(spec, strata)
  reader.follow(race ? [...estimators, race] : estimators)
  let queue: readonly { readonly id: string; readonly code: number }[] = []
  const look = () => ({
    questions: estimators.map((estimator) => standingOf(estimator, goal)),
    ...(race && { best: race.best() }),
  })
  let now = look()
  const isSettled = () => (now.best ? now.best.model !== null : aimedAt(now.questions, goal).every(isClosed))

  return {
    reader,
    isSettled,
    rules: () => rulesFor(reader, { estimators, race }, goal, plan.strategy),
    begin({ draws, rules }: RoundOpening, codes: Float64Array): void {
      queue = draws.map(({ id }, k) => ({ id, code: codes[k]! }))
      reader.begin(rules as AuditRules)
      now = look()
    },
    /** Up to the goals and not beyond, whichever answers are there by then: the same draws give the same certificate. */
    advance(answers: ReadonlyMap<string, Label>, { toEnd = false } = {}): void {
      for (let next = queue[0]; next && answers.has(next.id) && (toEnd || !isSettled()); next = queue[0]) {
        reader.draw(next.code, answers.get(next.id)!)
        queue = queue.slice(1)
        now = look()
      }
    },
    /** How many to draw next: the first answers are drawn alike, whatever the size of a round. */
    size(): number {
      const alike = race ? 0 : plainAnswersLeft(reader)
      const points = reader.left.reduce((sum, count) => sum + count, 0)
      return Math.max(0, Math.min(batch, budget - reader.drawnIn(strata.poolSize), points, alike || batch))
    },
    standing: () => ({
      ...now,
      answered: reader.drawn,
      isReached: now.best ? now.best.model !== null : aimedAt(now.questions, goal).every(({ isReached }) => isReached),
    }),
  }
}

/** Asks for what is open in a round and puts every answer on record, until there is nothing left to ask or to wish for. */
async function askFor(
  { store, oracle, subject, signal }: AuditPlan,
  opening: RoundOpening,
  answers: Map<string, Label>,
  course: Course,
): Promise<void> {
  const open = drawnIds(opening).filter((id) => !answers.has(id))
  if (open.length === 0 || course.isSettled()) return
  for await (const { id, label } of oracle.label(open, signal)) {
    if (label !== null) answerOf(subject.frame, label) // refused before it is on record
    await store.answer(opening.round, id, label, signatureOf(oracle))
    answers.set(id, label)
    course.advance(answers)
    if (course.isSettled()) return
  }
}

async function openRound(plan: AuditPlan, course: Course, round: number): Promise<RoundOpening> {
  const { subject, store, seed, strategy = 'alis-audit', signal } = plan
  const { pool, model } = subject
  const { reader } = course
  const rules = course.rules()
  const { left, allMass } = reader.open(rules)
  const stream = `audit/${round}`
  const size = course.size()
  const drawn = await pool.draw({ ...drawable(reader, rules), size, stream: { seed, name: stream } }, signal)
  const draws = drawn.map(({ code, ...draw }) => ({ ...draw, scores: [code] }))
  const points = left.reduce((sum, count) => sum + count, 0)
  const survey = strataSurvey(points, allMass)
  const opening = { round, stream, strategy, design: 'successive', size, model, survey, draws, rules }
  if (draws.length > 0) await store.openRound(opening)
  await pool.take(drawnIds(opening))
  return opening
}

const goalOf = ({ tolerance, below, budget, first }: Goal): Goal => ({
  ...(tolerance !== undefined && { tolerance }),
  ...(below !== undefined && { below }),
  ...(budget !== undefined && { budget }),
  ...(first && { first }),
})

function checkPlan({ subject, questions = [], race, tolerance, below, budget, batch = 50 }: AuditPlan): void {
  requireInput(questions.length > 0 || race !== undefined, 'audit: a question is required, got none')
  const { models } = subject.frame
  requireInput(!race || models.length >= 2, `race: two models or more are required, got ${models.length}`)
  requireInput(
    [tolerance, below, budget, race].some((goal) => goal !== undefined),
    'audit: a tolerance, a ceiling or a budget is required, got none',
    'For example a tolerance of 0.01: the error to one percentage point.',
  )
  for (const [name, value] of Object.entries({ budget, batch })) {
    const isFine = value === undefined || (Number.isInteger(value) && value >= 1)
    requireInput(isFine, `${name}: must be a whole number of at least 1, got ${value}`)
  }
  requireInput(tolerance === undefined || tolerance > 0, `tolerance: must be above 0, got ${tolerance}`)
  if (below === undefined) return
  for (const { metric } of questions)
    requireInput(metrics[metric].hasCeiling === true, `below: a metric that can have a ceiling is required, got ${metric}`)
}
