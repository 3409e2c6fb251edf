import type { AnswerRow, Exported, ModelChoice, PredictionPage } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { count, revisionWords } from '../../text/wording.ts'
import { certifiedOf } from './now.ts'

export const words = {
  read: 'Read',
  whose: 'Whose predictions',
  models: (after: number | undefined) => [
    { value: 'certified' as const, text: `The certified model, after round ${after}` },
    { value: 'newest' as const, text: 'The newest, not certified' },
  ],
  exported: 'Answers with their chances and weights, predictions, the model, and every certificate.',
}

/** Which model an export delivers. */
export function exportedModel(project: Project, choice: ModelChoice): string {
  const certified = certifiedOf(project)
  const newest = project.model
  if (!certified) return `The model after round ${newest?.after}. No certificate is about it.`
  if (certified.model === newest?.id) return `The certified model, the one after round ${certified.after}.`
  if (choice === 'newest')
    return `The model after round ${newest?.after}. It has learned since the certificate and is not certified.`
  return `The certified model, the one after round ${certified.after}. A newer one has learned since; it is not certified.`
}

/** Which model was written. */
export function writtenModel({ after, certificate }: NonNullable<Exported['model']>): string {
  return certificate === null ? `The model after round ${after}, not certified.` : `The model after round ${after}, certified.`
}

type Place = Pick<AnswerRow, 'number' | 'purpose'>

/** "6", or "audit 2": rounds of learning and of auditing are counted apart. */
export function roundName({ number, purpose }: Place): string {
  return purpose === 'audit' ? `audit ${number}` : String(number)
}

/** What becomes of an answer that is changed now. */
export function consequence({ number, purpose, isOpen }: Place & Pick<AnswerRow, 'isOpen'>): string {
  const isAudit = purpose === 'audit'
  return revisionWords(`${isAudit ? 'Audit round' : 'Round'} ${number}`, { isOpen, isAudit })
}

/** Whose predictions these are, and what is not among them. */
export function aboutPredictions(
  { after, hidden, certificate }: Pick<PredictionPage, 'after' | 'hidden' | 'certificate'>,
  { phase, purpose, pool }: Pick<Project, 'phase' | 'purpose' | 'pool'>,
): string {
  const source =
    purpose === 'audit'
      ? `As they are in ${pool}.`
      : `By the model after round ${after}, ${certificate === undefined ? 'not certified' : 'certified'}.`
  if (hidden === 0) return source
  const round = phase.kind === 'asking' ? ` in ${phase.purpose === 'audit' ? 'audit ' : ''}round ${phase.number}` : ''
  const which = purpose === 'audit' ? 'without an answer' : `still to be answered${round}`
  const points = hidden === 1 ? `The 1 point ${which} is` : `The ${count(hidden)} points ${which} are`
  return `${source} ${points} hidden, so that no answer leans on a prediction.`
}

/** The time of day today, the date before: what one needs to tell answers apart. */
export function whenOf(time: string, now: Date): string {
  const then = new Date(time)
  if (then.toDateString() === now.toDateString()) return then.toLocaleTimeString('en-GB')
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })
}

/** Three figures that count: 0.0041, 0.12, 1. */
export function probabilityText(probability: number): string {
  return probability >= 0.0001 || probability === 0
    ? probability.toFixed(4).replace(/^1\.0+$/, '1')
    : probability.toExponential(1)
}

/** What an answer counts for; known when its round closes, and where the strategy draws at random. */
export function weightText({ weight, isOpen }: Pick<AnswerRow, 'weight' | 'isOpen'>): string {
  if (weight !== undefined) return weight.toFixed(2)
  return isOpen ? 'at close' : 'none'
}
