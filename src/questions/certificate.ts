import { identityOf } from '../core/hash.ts'
import type { Label, Revision } from '../core/record.ts'
import type { Metric } from '../metrics/catalogue.ts'
import { listed } from '../text/wording.ts'
import type { AskedAnswer } from './ask.ts'
import type { Committed } from './commitment.ts'
import type { Conduct } from './conduct.ts'
import type { CertifiedLearning } from './learned.ts'
import type { BestModel } from './race.ts'
import type { AuditRules, Goal } from './record.ts'
import type { Signature } from './signature.ts'
import { claimOf, claimOfBest, type MachineShare, machinesIn } from './words.ts'

/** What is written now, and what came before it and is verified all the same. */
export type Format = 2 | 3

/**
 * What the parts do that a certificate rests on. A number is raised when a part gives something else for what it was given: what it gave before
 * stays beside it, to verify older certificates.
 */
export const partVersions = { draws: 1, bets: 1, masses: 1 } as const

/** Who can have made predictions: those who answer for them, or others. */
export const makers = ['those-who-answer', 'others'] as const
export type Maker = (typeof makers)[number]

/** What a certificate says of that, in words. */
export const makerWords = (madeBy: Maker | undefined): string =>
  madeBy === undefined
    ? 'Whether those who answered also made the predictions, it does not say.'
    : madeBy === 'others'
      ? 'Whoever audits says that those who answered did not make the predictions.'
      : 'Those who answered also made the predictions.'

/** Everything an audit says and rests on: enough to do all of it again, and to notice any change. */
export interface Certificate {
  readonly format: Format
  /** What it says, in words; of several questions, the first. */
  readonly claim: string
  /** The first question and what is said of it. Numbers are null where there is nothing to divide by. */
  readonly metric: Metric
  readonly positive?: string
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  readonly level: number
  /** Answers that it rests on. */
  readonly answers: number
  /** Those of "cannot tell": each limit takes them at their worst. */
  readonly unknown: number
  /** Every question, each at its own level. */
  readonly questions: readonly CertifiedQuestion[]
  /** Which of several models is the best, where that was asked. */
  readonly best?: BestModel
  readonly goal: Goal
  /** Whether the goal was reached; a budget that ran out is no reason to doubt the intervals, only their width. */
  readonly reached: boolean
  readonly pool: { readonly size: number; readonly hash: string }
  /** Where the file has what was read. */
  readonly columns: Columns
  /** Identity of the predictions and confidences. */
  readonly model: string
  readonly classes: readonly string[]
  readonly seed: number
  /** Whether a person chose the seed. A chosen seed can be shopped for. */
  readonly seedChosen: boolean
  /** What was fixed before the seed could be known, and the value that it was made from. Without it the seed is only declared to be fresh. */
  readonly committed?: Committed
  /** Who made the predictions, as whoever audits them says. */
  readonly madeBy?: Maker
  /** For the model of a project: rounds on record before the first of these draws. Points drawn in them are not part of the claim. */
  readonly after?: number
  /** The same: what the answers of these rounds say of the model, where bets and beliefs start from that. */
  readonly learned?: CertifiedLearning
  readonly rounds: readonly CertifiedRound[]
  /** Answers that were changed after their round, in order. */
  readonly revisions: readonly Revision[]
  /** By whom and when, where it is on record. */
  readonly conduct?: Conduct
  /** The release that wrote it, and the versions of its parts; format 2 has none. */
  readonly versions: { readonly alis: string } & Partial<Readonly<Record<keyof typeof partVersions, number>>>
  /** SHA-256 of everything above. */
  readonly seal: string
  /** Who vouches for it. */
  readonly signature?: Signature
}

export interface CertifiedQuestion extends AskedAnswer {
  readonly claim: string
  /** Limits that hold together with those of all other questions, where that was asked for. */
  readonly together?: { readonly low: number | null; readonly high: number | null }
}

/** A round with its rules; `round` as the record numbers it. */
export interface CertifiedRound {
  readonly round: number
  readonly stream: string
  readonly strategy: string
  readonly size: number
  readonly rules: AuditRules
  /** Points whose answers were known without a draw by then. */
  readonly given: readonly GivenAnswer[]
  readonly draws: readonly CertifiedDraw[]
}

export interface GivenAnswer {
  readonly id: string
  readonly answer: Label
  /** The machine that gave it, where one did. */
  readonly machine?: string
}

export interface CertifiedDraw extends GivenAnswer {
  readonly order: number
  readonly probability: number
}

export interface Columns {
  readonly id?: string
  readonly prediction?: string
  readonly confidence?: string
  readonly probabilities?: readonly string[]
  /** Another model's predictions, for a difference. */
  readonly against?: string
  /** Predictions of several models, to find the best of. */
  readonly models?: readonly string[]
  /** Grades that were given, and the least and the largest that can be. */
  readonly score?: string
  readonly range?: readonly [number, number]
  /** What slices are made of. */
  readonly by?: readonly string[]
}

export type CertificateContent = Omit<
  Certificate,
  'format' | 'claim' | 'seal' | 'signature' | 'metric' | 'positive' | 'value' | 'low' | 'high' | 'level' | 'questions'
> & { readonly questions: readonly Omit<CertifiedQuestion, 'claim'>[] }

/** Puts the claims into words and the seal under them. */
export function certificateOf({ questions, ...content }: CertificateContent, format: Format = 3): Certificate {
  const given = content.rounds.flatMap((round) => round.given).filter(({ answer }) => answer !== null).length
  const machines = machinesIn(content.rounds)
  const certified = questions.map((asked) => ({ claim: claimOf(asked, content.answers, given, machines), ...asked }))
  const unsealed = {
    format,
    ...headline(certified[0], content.best, content.answers, machines),
    questions: certified,
    ...content,
  }
  return { ...unsealed, seal: identityOf(unsealed) }
}

/** The first question and what is said of it; or which model is the best. */
function headline(
  first: CertifiedQuestion | undefined,
  best: BestModel | undefined,
  answers: number,
  machines: readonly MachineShare[],
) {
  if (best && !first)
    return {
      claim: claimOfBest(best, answers, machines),
      metric: 'accuracy',
      value: null,
      low: null,
      high: null,
      level: best.level,
    } as const
  const { question, value, low, high, level, claim } = first!
  const { metric, positive } = question
  return { claim, metric, ...(positive !== undefined && { positive }), value, low, high, level }
}

/** The one way a certificate is written: equal certificates are equal files. */
export function certificateText(certificate: Certificate): string {
  return `${JSON.stringify(certificate, null, 2)}\n`
}

/** Every answered draw, in draw order. */
export const drawsOf = ({ rounds }: Certificate): readonly CertifiedDraw[] => rounds.flatMap(({ draws }) => draws)

/** What a record does not say, for wherever it is shown. */
export function limitsOfClaim(rounds: readonly Pick<CertifiedRound, 'draws'>[]): readonly string[] {
  const machines = machinesIn(rounds)
  const truth =
    machines.length === 0
      ? ''
      : `, also those of ${listed(
          machines.map(({ name }) => name),
          'and',
        )}, which may err like any machine`
  return [
    'It is about these predictions on this pool, not about new data.',
    `It takes the answers for the truth${truth}.`,
    'It holds for the draws as recorded, which the seed decides.',
  ]
}

/** Whether the seal of a certificate is that of its content. */
export function isSealed({ seal, signature: _, ...unsealed }: Certificate): boolean {
  return seal === identityOf(unsealed)
}

/**
 * The first place where two certificates differ, as a path and both values; undefined if they do not. Fractions may
 * differ by the tolerance: engines add up the same numbers in another order, and compute logarithms to another last bit. Below `smallest` they may
 * differ as much as one of that size.
 */
export function firstDifference(
  given: unknown,
  expected: unknown,
  path = '',
  tolerance = 0,
  smallest = 1e-12,
): string | undefined {
  if (Object.is(given, expected) || isSameFraction(given, expected, tolerance, smallest)) return undefined
  if (typeof given === 'object' && typeof expected === 'object' && given !== null && expected !== null) {
    const left = given as Record<string, unknown>
    const right = expected as Record<string, unknown>
    for (const key of new Set([...Object.keys(right), ...Object.keys(left)])) {
      const difference = firstDifference(left[key], right[key], path === '' ? key : `${path}.${key}`, tolerance, smallest)
      if (difference) return difference
    }
    return undefined
  }
  return `${path}: must be ${JSON.stringify(expected) ?? 'absent'}, got ${JSON.stringify(given) ?? 'nothing'}`
}

function isSameFraction(a: unknown, b: unknown, tolerance: number, smallest: number): boolean {
  if (typeof a !== 'number' || typeof b !== 'number' || (Number.isInteger(a) && Number.isInteger(b))) return false
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(b), smallest)
}
