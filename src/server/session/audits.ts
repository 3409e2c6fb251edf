import { basename, join } from 'node:path'
import type { AuditRound } from '../../audit.ts'
import type { Certificate } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import { isFor } from '../../core/record.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import type { Settings } from '../../projects/settings.ts'
import type { Audit, CertificateSummary, Goal } from '../../protocol/project.ts'
import type { Project } from '../../stores/project.ts'
import { shellWord } from '../../text/shell-word.ts'
import { Refusal } from '../failures.ts'
import type { AuditOutcome, Loaded } from '../worker/worker-protocol.ts'
import { certificateFiles } from './certificate-files.ts'
import type { Record as Kept, KeptRound } from './record.ts'

/** An audit that was begun and has not come to its certificate. On record, so that a restart goes on with it. */
interface Auditing {
  readonly model: string
  /** "the model after round 10", or the name of a file of predictions. */
  readonly about: string
  readonly options: AuditOptions
}

interface Step {
  readonly interval: AuditRound['interval']
  readonly forecast?: AuditRound['forecast']
  readonly isReached: boolean
}

export type AuditBook = Awaited<ReturnType<typeof auditBook>>

const usualBatch = 10 // the interval moves after every ten answers

interface Book {
  readonly project: Project
  /** As it was named by whoever opened it. */
  readonly name: string
  readonly record: Kept
  /** Predictions of somebody else's model, where these are measured. */
  readonly predictions?: { readonly path: string; readonly options: AuditOptions } | undefined
}

/** The audits of a project: the one under way, and the certificates of those before. */
export async function auditBook({ project, name, record, predictions }: Book) {
  let current = (await project.recall<Auditing | null>('auditing')) ?? undefined
  let certificates = (await project.certificates()).map(({ text, time }) => ({
    certificate: JSON.parse(text) as Certificate,
    time,
  }))
  const files = await certificateFiles(
    project.path,
    (await project.certificates()).map(({ seal, text }) => ({ seal, text, model: JSON.parse(text).model })),
  )
  let steps: Step[] = []
  let finishing: { promise: Promise<string>; resolve(seal: string): void; reject(error: unknown): void } | undefined

  const roundsOf = (model: string) => record.rounds.filter((round) => isFor('audit', round) && round.model === model)
  const own = (): readonly KeptRound[] => (current ? roundsOf(current.model) : [])

  async function set(now: Auditing | undefined): Promise<void> {
    await project.remember('auditing', now ?? null)
    current = now
    steps = []
  }

  return {
    batch: () => current?.options.batch ?? usualBatch,
    current: () => current,
    rounds: own,
    isFinishing: () => finishing !== undefined,

    async start(
      { id, round }: { id: string; round: number },
      { level, ...goal }: Goal,
      { seed, seedChosen }: Settings,
    ): Promise<void> {
      if (current) throw new Refusal(409, 'audit-open', 'audit: none may be under way, got one', 'Finish it, or leave it.')
      const goals = Object.fromEntries(Object.entries(goal).filter(([, value]) => value !== undefined))
      requireInput(Object.keys(goals).length > 0, 'audit: a tolerance, a ceiling or a budget is required, got none')
      const before = roundsOf(id)
      if (before.some(({ revised }) => revised.size > 0)) {
        const hint = 'Answer one more round: the next model can be audited.'
        throw new Refusal(409, 'audit-revised', 'audit: answers as they were given are required, got revised ones', hint)
      }
      const batch = before[0]?.size ?? usualBatch // it goes on as it began
      const options = { metric: 'error', goal: goals, level, batch, strategy: 'alis-audit', seed, seedChosen } as const
      await set({ model: id, about: `the model after round ${round + 1}`, options })
    },
    /** The audit of predictions, which is all that their project is for. */
    async begin({ model }: Loaded): Promise<void> {
      if (!predictions) return
      await set({ model: model!, about: basename(predictions.path), options: predictions.options })
    },
    step({ interval, forecast, isReached }: Pick<AuditRound, 'interval' | 'forecast' | 'isReached'>): void {
      const now = { interval, isReached, ...(forecast && { forecast }) }
      if (steps.at(-1)?.interval.answers === interval.answers) steps.pop()
      steps = [...steps, now]
    },
    async conclude({ seal, text, page, model }: AuditOutcome): Promise<void> {
      await project.keepCertificate({ seal, text })
      await files.write({ seal, text, page, model })
      const time = (await project.certificates()).find((kept) => kept.seal === seal)!.time
      if (!certificates.some(({ certificate }) => certificate.seal === seal))
        certificates = [...certificates, { certificate: JSON.parse(text), time }]
      await set(undefined)
      finishing?.resolve(seal)
      finishing = undefined
    },
    finish(): Promise<string> {
      requireAudit()
      const answered = own().some(({ ids, answers }) => answers.has([...ids][0]!))
      if (!answered) throw new Refusal(409, 'no-answers', 'audit: an answer to the first point is required, got none yet')
      finishing ??= Promise.withResolvers<string>()
      return finishing.promise
    },
    /** Whoever waits for a certificate is told why there is none. */
    fail(error: unknown): void {
      finishing?.reject(error)
      finishing = undefined
    },
    async leave(): Promise<void> {
      requireAudit()
      if (predictions) throw new Refusal(409, 'nothing-else', 'audit: a project that learns is required to go back to, got none')
      await set(undefined)
    },
    requireRevisable(round: KeptRound): void {
      if (!own().includes(round)) return
      const hint = 'The draws since rest on it. Finish the audit or leave it, then revise.'
      throw new Refusal(409, 'audit-open', 'revision: a round of no audit under way is required, got one of this audit', hint)
    },

    shown(): Audit | undefined {
      if (!current) return undefined
      const { model, about, options } = current
      const { metric, positive, goal, level } = options
      const last = steps.at(-1)
      const answers = own().flatMap((round) => [...round.answers.values()])
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
    },
    certificates: (): CertificateSummary[] =>
      certificates.map(({ certificate, time }) => {
        const { seal, metric, value, low, high, level, answers } = certificate
        return {
          seal,
          time,
          metric,
          value,
          low,
          high,
          level,
          answers,
          isRevised: isRevised(certificate, record.rounds),
          verify: verifyCommand(seal),
        }
      }),
  }

  function verifyCommand(seal: string): string {
    const about = predictions ? ['--pool', predictions.path] : ['--project', name]
    return ['alis', 'verify', join(name, files.pathOf(seal)), ...about].map(shellWord).join(' ')
  }

  function requireAudit(): void {
    if (!current) throw new Refusal(409, 'no-audit', 'audit: one must be under way, got none')
  }
}

/** Whether an answer that a certificate rests on is another one now. */
function isRevised({ draws, model }: Certificate, rounds: readonly KeptRound[]): boolean {
  const standing = new Map(
    rounds.filter((round) => isFor('audit', round) && round.model === model).flatMap(({ answers }) => [...answers]),
  )
  return draws.some(({ id, answer }) => standing.has(id) && standing.get(id) !== answer)
}
