import { audit } from '../../src/audit.ts'
import type { Label } from '../../src/core/record.ts'
import { doubtPlace, gradePlace, stratumCodes } from '../../src/core/strata.ts'
import { stratifiedMemory } from '../../src/engines/stratified.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import type { AskedAnswer } from '../../src/questions/ask.ts'
import { certifiedRounds } from '../../src/questions/audit-rounds.ts'
import { recordOf } from '../../src/questions/certified-record.ts'
import { axesOf, type Frame, strataOf } from '../../src/questions/frame.ts'
import type { AuditRecord, Goal } from '../../src/questions/record.ts'
import type { AuditSubject } from '../../src/questions/subject.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { testPool } from '../../test/questions/test-pool.ts'
import { type HardPoint, hardPool } from './hard-pools.ts'
import { type PosedQuestion, posed, posedOfGrades, trueValue } from './posed-questions.ts'
import { simulateAudit } from './simulated-audit.ts'
import { exactly, Watch, watchRecord } from './watch.ts'

export const plans = ['none', 'budget', 'tolerance'] as const

/** One audit of all ten questions; the graded score has one of its own. Plain data: it goes to a worker. */
export interface CoverageRun {
  readonly pool: number
  readonly plan: (typeof plans)[number]
  readonly seed: number
}

export interface CoverageOutcome {
  /** Which question was ever missed, in the order of `questionNames`. */
  readonly missed: readonly boolean[]
  readonly isDefined: readonly boolean[]
  readonly faults: readonly string[]
  readonly answers: number
}

export const questionNames = [...posed, ...posedOfGrades].map(({ name }) => name)

/** A pool as it is audited. */
interface AuditedPool {
  readonly subject: () => AuditSubject
  readonly truth: ReadonlyMap<string, Label>
}

const answersBefore = { none: 200, budget: 150, tolerance: 300 }
const smallPool = 500

export async function runCoverage({ pool, plan, seed }: CoverageRun): Promise<CoverageOutcome> {
  const points = hardPool(pool, seed)
  const parts = [
    { questions: posed, audited: testPool(points) },
    { questions: posedOfGrades, audited: gradedPool(points) },
  ]
  const outcomes = []
  for (const { questions, audited } of parts) {
    const isToEnd = seed % 5 === 0 && points.length <= smallPool
    const truths = questions.map((each) => exactly(trueValue(each, points)))
    const watch = new Watch(truths)
    const answers = await watchAudit(audited, questions, { plan, seed, batch: seed % 2 === 0 ? 10 : 50, isToEnd, watch })
    outcomes.push({
      missed: watch.missed,
      isDefined: truths.map(([value]) => !Number.isNaN(value)),
      faults: watch.faults.slice(0, 3),
      answers,
    })
  }
  return {
    missed: outcomes.flatMap(({ missed }) => missed),
    isDefined: outcomes.flatMap(({ isDefined }) => isDefined),
    faults: outcomes.flatMap(({ faults }) => faults),
    answers: outcomes[0]!.answers,
  }
}

interface WatchedPlan extends Pick<CoverageRun, 'plan' | 'seed'> {
  readonly batch: number
  readonly isToEnd: boolean
  readonly watch: Watch
}

/**
 * How many answers there were. With a budget or a tolerance by `audit` itself, looked at after every round: limits only tighten, so what they
 * leave out at some answer is still out at the end of its round. If it is to see everything, it goes on with a larger budget (it takes no other
 * goal), and is looked at after every answer, as at the last of all everything is known.
 */
async function watchAudit(
  { subject, truth }: AuditedPool,
  posedQuestions: readonly PosedQuestion[],
  { plan, seed, batch, isToEnd, watch }: WatchedPlan,
): Promise<number> {
  const questions = posedQuestions.map(({ spec }) => spec)
  const size = truth.size
  if (plan === 'none') {
    const answers = isToEnd ? size : Math.min(size, answersBefore.none)
    const look = (said: readonly AskedAnswer[]) => watch.look(said)
    const { rounds } = await simulateAudit({ subject: subject(), truth, questions, goal: () => ({}), seed, batch, answers, look })
    return rounds.reduce((sum, { draws }) => sum + draws.length, 0)
  }
  const store = memoryStore()
  const budget = answersBefore[plan]
  const goals: Goal[] = [{ budget, ...(plan === 'tolerance' && { tolerance: 0.1 }) }, ...(isToEnd ? [{ budget: size }] : [])]
  let answers = 0
  for (const goal of goals)
    for await (const round of audit({
      subject: subject(),
      store,
      oracle: columnOracle(truth),
      questions,
      seed,
      batch,
      ...goal,
    })) {
      if (!isToEnd) watch.look(round.questions)
      answers = round.answered
    }
  if (isToEnd) watchRecord(await recordIn(subject(), store), questions, watch)
  return answers
}

/** What is on record of an audit. */
export async function recordIn(subject: AuditSubject, store: Store): Promise<AuditRecord> {
  const strata = strataOf(subject.frame, await subject.pool.counts())
  return recordOf(subject, strata, certifiedRounds(subject, await store.rounds()).rounds)
}

const gradedFrame: Frame = { classes: [], models: [], slices: [], range: [0, 1] }

/** The same points, to be graded: a model's grade is how likely it finds class 1. */
export function gradedPool(points: readonly HardPoint[]): AuditedPool {
  const { code } = stratumCodes(axesOf(gradedFrame))
  const ids = points.map((_, k) => `p${k}`)
  const codes = Float64Array.from(points, ({ predicted, chance }) => {
    const grade = gradePlace(predicted === 1 ? 1 - chance : chance)
    return code({ predicted: [], doubt: doubtPlace(0.5), runnerUp: 0, share: 0, grade, slices: [] })
  })
  return {
    subject: () => ({ pool: stratifiedMemory({ ids, codes }), frame: gradedFrame, model: 'grades' }),
    truth: new Map(points.map(({ grade }, k) => [ids[k]!, `${grade}`])),
  }
}
