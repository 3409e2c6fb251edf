import type { Look, Now, RunningGoal } from '../../protocol/now.ts'
import type { CertificateSummary, Project } from '../../protocol/project.ts'
import { enoughAnswers, isTooEarly } from '../../text/now.ts'
import { pageTexts, unbroken } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'

/** What people answer, as they call it. */
export function unitOf({ view }: Pick<Project, 'view'>): string {
  return view.kind === 'image' || view.kind === 'bitmap' ? 'pictures' : 'rows'
}

/** What a sentence says of a model. */
type Said = Pick<Look, 'value' | 'low' | 'high'>

export type NowState =
  /** The newest model has a certificate that stands: that is what is known of it. */
  | { readonly kind: 'certified'; readonly look: Said & { readonly points: number } }
  /** There is a range, or it is too early for one. */
  | { readonly kind: 'range' | 'early'; readonly look: Look }
  /** Nothing can be said; `words` say why. */
  | { readonly kind: 'none'; readonly words: string }

/** The sentence of the moment, in its parts. */
export const said = {
  now: 'Right now {who} is wrong on {about} of the {rows} nobody has answered yet',
  certified: 'The certified model is wrong on {about} of the {rows} nobody had answered or been asked about',
  about: (value: string) => `about ${value}`,
  early: `. Too early for a guarantee: the first range stands here at ${enoughAnswers} answers.`,
  range: ', {surely} between {low} and {high}.',
  surely: 'surely',
  reached: 'reached',
  unknown: 'too early to guess',
  budget: 'budget',
}

export const notByLot = 'No range: these were not drawn by lot.'

/** What can be said of the model of the moment. */
export function nowStateOf(project: Project): NowState {
  const { now, answers, points, strategy } = project
  const look = now?.looks.at(-1)
  const certified = certifiedOf(project)
  if (points > 0 && answers >= points) return { kind: 'none', words: `Every one of the ${unitOf(project)} has an answer.` }
  if (certified && certified.model === project.model?.id)
    return { kind: 'certified', look: { ...certified, points: certified.questions[0]?.points ?? points - answers } }
  if (look) return { kind: isTooEarly({ answers: look.counted }) ? 'early' : 'range', look }
  if (!strategy.isRandom) return { kind: 'none', words: notByLot }
  return {
    kind: 'none',
    words: `No range yet: too early for a guarantee. The first one stands here at ${enoughAnswers} answers.`,
  }
}

/** Value and limits as the sentence has them: limits outward, whole per cent while the range is four points or wider. */
export function lookTexts(look: Pick<Look, 'value' | 'low' | 'high'>) {
  const { value, low, high } = pageTexts(look)
  return { value, low, high }
}

/** "±6 %": half of the range as it is, rounded up. */
export function halfText({ low, high }: Pick<Look, 'low' | 'high'>): string {
  return `±${unbroken(`${Math.ceil(50 * (high - low) - 1e-9)} %`)}`
}

/** For ears and for the reading of a plot: "about 6 %, surely between 2 % and 14 %". */
export function lookWords(look: Said & { readonly counted?: number }): string {
  const { value, low, high } = lookTexts(look)
  if (look.counted !== undefined && isTooEarly({ answers: look.counted })) return `about ${value}, too early for a guarantee`
  return `about ${value}, surely between ${low} and ${high}`
}

export const goalText = ({ tolerance }: RunningGoal) => unbroken(`±${Math.round(100 * tolerance)} %`)

/** The next goal that is not reached. */
export const nextGoal = ({ goals }: Pick<Now, 'goals'>) => goals.find(({ isReached }) => !isReached)

/** A guess at what a goal takes, in answers to ten and minutes to five; "nearly all of them" where little would be left. */
export function costOf({ more }: RunningGoal, { pace, left }: { pace: number; left: number }) {
  if (!more) return undefined
  if (more.low >= 0.9 * left) return { answers: 'nearly all of them', time: undefined }
  const [low, high] = [more.low, more.high].map((n) => Math.max(10, 10 * Math.round(n / 10))) as [number, number]
  const answers = low === high ? count(low) : `${count(low)} to ${count(high)}`
  return { answers: `about ${answers} more`, time: durationRange(low * pace, high * pace) }
}

/** "about 40 min", "about 10 to 25 min", "about 40 min to 2 h": minutes to five. */
function durationRange(low: number, high: number): string {
  const [soon, late] = [low, high].map(minutesOf) as [number, number]
  if (soon === late) return `about ${durationText(late)}`
  return `about ${late < 60 ? soon : durationText(soon)} to ${durationText(late)}`
}

/** "about 10 min", to five minutes. */
export const aboutTime = (seconds: number) => `about ${durationText(minutesOf(seconds))}`

const minutesOf = (seconds: number) => (seconds < 300 ? Math.max(1, Math.round(seconds / 60)) : 5 * Math.round(seconds / 300))

function durationText(minutes: number): string {
  if (minutes < 60) return `${minutes}\u00a0min`
  const hours = Math.floor(minutes / 60)
  const rest = hours < 10 && minutes % 60 > 0 ? ` ${minutes % 60}\u00a0min` : ''
  return `${count(hours)}\u00a0h${rest}`
}

/** The newest certificate of a model's error that stands. */
export function certifiedOf({
  certificates,
}: Project): (CertificateSummary & { low: number; high: number; value: number }) | undefined {
  return certificates.findLast(
    (one): one is CertificateSummary & { low: number; high: number; value: number } =>
      !one.isRevised &&
      !one.isEarlier &&
      one.metric === 'error' &&
      one.after !== undefined &&
      one.low !== null &&
      one.high !== null &&
      one.value !== null,
  )
}

/** Which model the sentence of the moment is about, once one is certified. */
export function whoOf(project: Project): string {
  const certified = certifiedOf(project)
  if (!certified) return 'the model'
  return certified.model === project.model?.id ? 'the certified model' : 'the model of the moment'
}
