import { basename } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import type { Metric } from '../../metrics/catalogue.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import { noteAbandoned, noteAudit } from '../../projects/conduct.ts'
import type { Settings } from '../../projects/settings.ts'
import type { Audit, Goal } from '../../protocol/project.ts'
import { auditRounds } from '../../questions/audit-rounds.ts'
import { question } from '../../questions/spec.ts'
import type { Project } from '../../stores/project.ts'
import { Refusal } from '../failures.ts'
import { bestView, questionView } from '../question-view.ts'
import type { AuditOutcome, AuditStep, Loaded } from '../worker/worker-protocol.ts'
import type { Certificates } from './certificates.ts'
import type { RecordedRound, SessionRecord } from './record.ts'

/** An audit that was begun and has no certificate yet. On record, so that a restart goes on with it. */
export interface RunningAudit {
  readonly model: string
  /** "the model after round 10", or the name of a file of predictions. */
  readonly about: string
  readonly options: AuditOptions
}

interface AuditContext {
  readonly project: Project
  readonly record: SessionRecord
  readonly certificates: Certificates
  /** Predictions of a model from elsewhere, where these are measured. */
  readonly predictions?: { readonly path: string; readonly options: AuditOptions } | undefined
}

const usualBatch = 10 // the interval moves after every ten answers

export async function openAudits({ project, record, certificates, predictions }: AuditContext) {
  let current = runningAudit((await project.recall<RunningAudit | EarlierAudit | null>('auditing')) ?? undefined)
  let steps: readonly AuditStep[] = []
  let finishing: PromiseWithResolvers<string> | undefined

  const rounds = () => (current ? roundsAuditing(current.model, record) : [])

  async function setCurrent(audit: RunningAudit | undefined): Promise<void> {
    await project.remember('auditing', audit ?? null)
    current = audit
    steps = []
  }

  async function begin(audit: RunningAudit): Promise<void> {
    await noteAudit(project, audit.model, audit.options)
    await setCurrent(audit)
  }

  function requireCurrent(): void {
    if (!current) throw new Refusal(409, 'no-audit', 'audit: one must be under way, got none')
  }

  return {
    batch: () => current?.options.batch ?? usualBatch,
    current: () => current,
    rounds,
    isFinishing: () => finishing !== undefined,
    view: () => current && auditView(current, steps, rounds()),

    async start({ id, round }: { id: string; round: number }, goal: Goal, settings: Settings): Promise<void> {
      if (current) throw new Refusal(409, 'audit-open', 'audit: none may be under way, got one', 'Finish it, or leave it.')
      const options = optionsFor(goal, settings, roundsAuditing(id, record))
      await begin({ model: id, about: `the model after round ${round + 1}`, options })
    },
    /** Starts the audit of the predictions, the one purpose of a project of predictions. */
    async startOfPredictions({ model }: Loaded): Promise<void> {
      if (!predictions) return
      await begin({ model: model!, about: basename(predictions.path), options: predictions.options })
    },
    /** The record is read from its start: every step comes again, of the answers that stand now. */
    restart(): void {
      steps = []
    },
    addStep(step: AuditStep): void {
      const isRepeated = steps.at(-1)?.answered === step.answered
      steps = [...(isRepeated ? steps.slice(0, -1) : steps), step]
    },
    async conclude(outcome: AuditOutcome): Promise<void> {
      await certificates.keep(outcome)
      await setCurrent(undefined)
      finishing?.resolve(outcome.seal)
      finishing = undefined
    },
    /** Asks for a certificate from the answers so far; resolves to its seal. */
    finish(): Promise<string> {
      requireCurrent()
      const isAnswered = rounds().some(({ ids, answers }) => answers.has([...ids][0]!))
      if (!isAnswered) throw new Refusal(409, 'no-answers', 'audit: an answer to the first point is required, got none yet')
      finishing ??= Promise.withResolvers<string>()
      return finishing.promise
    },
    /** Rejects what `finish` returned. */
    fail(error: unknown): void {
      finishing?.reject(error)
      finishing = undefined
    },
    async leave(): Promise<void> {
      requireCurrent()
      if (predictions) throw new Refusal(409, 'nothing-else', 'audit: a project that learns is required to go back to, got none')
      await noteAbandoned(project, current!.model)
      await setCurrent(undefined)
    },
    /** Whether the audit under way rests on the answers of a round: those it drew, and those given since it began. */
    restsOn({ round }: RecordedRound): boolean {
      const [first] = rounds()
      return first !== undefined && round >= first.round
    },
  }
}

/** The rounds that audited a model. */
function roundsAuditing(model: string, { rounds }: SessionRecord): readonly RecordedRound[] {
  return auditRounds(rounds, model).own.map(({ round }) => rounds[round]!)
}

/** How a model is audited: `before` are the rounds of an earlier audit of it, which this one goes on with, with the answers that stand now. */
function optionsFor({ level, ...given }: Goal, { seed, seedChosen }: Settings, before: readonly RecordedRound[]): AuditOptions {
  const goal = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  requireInput(Object.keys(goal).length > 0, 'audit: a tolerance, a ceiling or a budget is required, got none')
  const batch = before[0]?.size ?? usualBatch
  return { questions: [question('error', { level })], goal, batch, strategy: 'alis-audit', seed, seedChosen }
}

/** An audit as earlier releases remembered it. */
interface EarlierAudit extends Omit<RunningAudit, 'options'> {
  readonly options: Omit<AuditOptions, 'questions'> & { metric: Metric; positive?: string; level: number }
}

function runningAudit(audit: RunningAudit | EarlierAudit | undefined): RunningAudit | undefined {
  if (!audit || 'questions' in audit.options) return audit as RunningAudit | undefined
  const { metric, positive, level, ...options } = audit.options
  const asked = question(metric, { level, ...(positive !== undefined && { positive }) })
  return { ...audit, options: { ...options, questions: [asked] } }
}

function auditView(
  { model, about, options }: RunningAudit,
  steps: readonly AuditStep[],
  rounds: readonly RecordedRound[],
): Audit {
  const { metric, positive, against, level } = options.questions[0] ?? question('accuracy', options.race)
  const last = steps.at(-1)
  const answers = rounds.flatMap((round) => [...round.answers.values()])
  const questions = (last?.questions ?? []).map(({ isReached, forecast, ...asked }) => ({
    ...questionView(asked),
    isReached,
    ...(forecast && { forecast }),
  }))
  const [first] = questions
  return {
    metric,
    ...(positive !== undefined && { positive }),
    ...(against !== undefined && { against }),
    model,
    about,
    goal: { ...options.goal, level },
    answers: answers.length,
    unknown: answers.filter((label) => label === null).length,
    steps: steps.flatMap(stepView),
    ...(first?.forecast && { forecast: first.forecast }),
    isReached: last?.isReached ?? false,
    questions,
    ...(options.race && { race: options.race }),
    ...(last?.best && { best: bestView(last.best) }),
  }
}

/** The interval of the first question, where there is one. */
function stepView({ questions, answered }: AuditStep): Audit['steps'] {
  const { value = null, low = null, high = null } = { ...questions[0] }
  return value === null || low === null || high === null ? [] : [{ value, low, high, answers: answered }]
}
