import type { AnswerRow, Exported, ModelChoice, PredictionPage } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { count, revisionWords } from '../../text/wording.ts'
import { certifiedOf } from './now.ts'

export const words = {
  blind:
    'What the model says is measured now, so nobody who answers may see it: predictions and exports are back with the certificate.',
  read: 'Read',
  whose: 'Whose predictions',
  models: (after: number | undefined) => [
    { value: 'certified' as const, text: `The certified model, after round ${after}` },
    { value: 'newest' as const, text: 'The newest, not certified' },
  ],
  title: 'Data',
  export: 'Export',
  show: 'What to show',
  answers: 'Answers',
  predictions: 'Predictions',
  search: 'Search by id or answer',
  noAnswers: 'No answers yet. They appear here as you give them.',
  hiddenYet: 'Predictions stay hidden until there is an answer, so that no answer leans on one.',
  noModel: 'No predictions yet. The first model learns when round 1 closes.',
  answersTable: 'Answers, newest first',
  columns: {
    thing: 'What was read',
    id: 'id',
    answer: 'Answer',
    round: 'Round',
    order: 'Order',
    chance: 'Chance',
    counts: 'Counts',
    by: 'By',
    time: 'Time',
    change: 'Change',
    prediction: 'Prediction',
    confidence: 'Confidence',
    source: 'Source',
  },
  unknown: 'cannot tell',
  revised: 'revised',
  open: 'open',
  wrong: 'wrong',
  answered: 'answered',
  revise: 'Revise',
  reviseOf: (id: string) => `Revise ${id}`,
  keep: 'Keep it',
  said: (id: string, label: string | null) => `Revised ${id}: ${label ?? 'cannot tell'}.`,
  unknownChoice: 'Cannot tell',
  again: 'Try again',
  noMatch: (kind: string, search: string) => `No ${kind} matches “${search}”.`,
  label: 'Label',
  pages: 'Pages',
  frame: (first: number, last: number, found: number) => `${count(first)} to ${count(last)} of ${count(found)}`,
  previous: 'Previous',
  next: 'Next',
  exported: 'Answers with their chances and what each counts for, predictions, the model, and every certificate.',
  formats: [
    { value: 'csv', text: 'CSV' },
    { value: 'jsonl', text: 'JSONL' },
    { value: 'parquet', text: 'Parquet' },
  ] as const,
  format: 'Format of answers and predictions',
  writing: 'Writing',
  write: 'Write the files',
  command: 'The same as a command',
  writtenTo: 'Written to',
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
  const points = hidden === 1 ? `The 1 row ${which} is` : `The ${count(hidden)} rows ${which} are`
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
