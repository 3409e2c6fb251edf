import { basename } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import { isFor } from '../../core/record.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import type { Settings } from '../../projects/settings.ts'
import type { Audit, Goal } from '../../protocol/project.ts'
import type { Project } from '../../stores/project.ts'
import { Refusal } from '../failures.ts'
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

/** The audit under way in a project, if there is one. */
export async function openAudits({ project, record, certificates, predictions }: AuditContext) {
  let current = (await project.recall<RunningAudit | null>('auditing')) ?? undefined
  let steps: readonly AuditStep[] = []
  let finishing: PromiseWithResolvers<string> | undefined

  const rounds = () => (current ? roundsAuditing(current.model, record) : [])

  async function setCurrent(audit: RunningAudit | undefined): Promise<void> {
    await project.remember('auditing', audit ?? null)
    current = audit
    steps = []
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
      await setCurrent({ model: id, about: `the model after round ${round + 1}`, options })
    },
    /** Starts the audit of the predictions, the one purpose of a project of predictions. */
    async startOfPredictions({ model }: Loaded): Promise<void> {
      if (!predictions) return
      await setCurrent({ model: model!, about: basename(predictions.path), options: predictions.options })
    },
    addStep(step: AuditStep): void {
      const isRepeated = steps.at(-1)?.interval.answers === step.interval.answers
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
      await setCurrent(undefined)
    },
    requireRevisable(round: RecordedRound): void {
      if (!rounds().includes(round)) return
      const hint = 'The draws since rest on it. Finish the audit or leave it, then revise.'
      throw new Refusal(409, 'audit-open', 'revision: a round of no audit under way is required, got one of this audit', hint)
    },
  }
}

const roundsAuditing = (model: string, { rounds }: SessionRecord): readonly RecordedRound[] =>
  rounds.filter((round) => isFor('audit', round) && round.model === model)

/** How a model is audited: `before` are the rounds of an earlier audit of it, which this one goes on with. */
function optionsFor({ level, ...given }: Goal, { seed, seedChosen }: Settings, before: readonly RecordedRound[]): AuditOptions {
  const goal = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  requireInput(Object.keys(goal).length > 0, 'audit: a tolerance, a ceiling or a budget is required, got none')
  if (before.some(({ revised }) => revised.size > 0)) {
    const hint = 'Answer one more round: the next model can be audited.'
    throw new Refusal(409, 'audit-revised', 'audit: answers as they were given are required, got revised ones', hint)
  }
  const batch = before[0]?.size ?? usualBatch
  return { metric: 'error', goal, level, batch, strategy: 'alis-audit', seed, seedChosen }
}

/** An audit as the page shows it. */
function auditView(
  { model, about, options }: RunningAudit,
  steps: readonly AuditStep[],
  rounds: readonly RecordedRound[],
): Audit {
  const { metric, positive, goal, level } = options
  const last = steps.at(-1)
  const answers = rounds.flatMap((round) => [...round.answers.values()])
  return {
    metric,
    ...(positive !== undefined && { positive }),
    model,
    about,
    goal: { ...goal, level },
    answers: answers.length,
    unknown: answers.filter((label) => label === null).length,
    steps: steps.map(({ interval: { value, low, high, answers: n } }) => ({ value, low, high, answers: n })),
    ...(last?.forecast && { forecast: last.forecast }),
    isReached: last?.isReached ?? false,
  }
}
