import { identityOf } from '../core/hash.ts'
import type { Label } from '../core/record.ts'
import type { Metric } from '../metrics/catalogue.ts'
import { claimAround, unitOf } from '../metrics/metric-labels.ts'
import { betweenText, levelText, withDecimals } from '../text/limits.ts'
import { count } from '../text/wording.ts'

/** Everything an audit says and rests on: enough to do all of it again, and to notice any change. */
export interface Certificate {
  readonly format: 'alis-certificate/1'
  /** What it says, in words. */
  readonly claim: string
  readonly metric: Metric
  /** The class in question, for a metric that needs one. */
  readonly positive?: string
  readonly value: number
  readonly low: number
  readonly high: number
  readonly level: number
  readonly answers: number
  /** Answers of "cannot tell": counted as right for the lower limit of the error and as wrong for the upper. */
  readonly unknown: number
  readonly goal: Goal
  /** Whether the goal was reached; a budget that ran out is no reason to doubt the interval, only its width. */
  readonly reached: boolean
  readonly pool: { readonly size: number; readonly hash: string }
  /** Where the file has what was read. */
  readonly columns: Columns
  /** Identity of the predictions and confidences. */
  readonly model: string
  readonly classes: readonly string[]
  readonly strategy: string
  readonly seed: number
  /** Whether a person chose the seed. A chosen seed can be shopped for. */
  readonly seedChosen: boolean
  readonly batch: number
  /** For the model of a project: rounds on record before the first of these draws. Points drawn in them are not part of the claim. */
  readonly after?: number
  readonly draws: readonly CertifiedDraw[]
  readonly versions: { readonly alis: string }
  /** SHA-256 of everything above. */
  readonly seal: string
}

export interface Columns {
  readonly id?: string
  readonly prediction?: string
  readonly confidence?: string
  readonly probabilities?: readonly string[]
  /** Another model's predictions, for a difference. */
  readonly against?: string
}

export interface Goal {
  readonly tolerance?: number
  readonly below?: number
  readonly budget?: number
}

export interface CertifiedDraw {
  readonly round: number
  readonly order: number
  readonly id: string
  readonly probability: number
  readonly answer: Label
}

export type CertificateContent = Omit<Certificate, 'format' | 'claim' | 'seal'>

/** Puts the claim into words and the seal under it. */
export function certificateOf(content: CertificateContent): Certificate {
  const unsealed = { format: 'alis-certificate/1' as const, claim: claimOf(content), ...content }
  return { ...unsealed, seal: identityOf(unsealed) }
}

/** The one way a certificate is written: equal certificates are equal files. */
export function certificateText(certificate: Certificate): string {
  return `${JSON.stringify(certificate, null, 2)}\n`
}

function claimOf({ metric, positive, low, high, level, answers, pool }: CertificateContent): string {
  const [before, after] = claimAround({ metric, positive }, count(pool.size))
  const limits = betweenText({ low, high }, withDecimals({ low, high }, unitOf({ metric })))
  return (
    `With ${levelText(level)} confidence, ${before}${limits}${after}. ` +
    `This rests on ${count(answers)} answers, drawn at random with recorded probabilities, and holds however often the audit was looked at.`
  )
}

/** What a certificate does not say, for wherever it is shown. */
export const limitsOfClaim = [
  'It is about these predictions on this pool, not about new data.',
  'It takes the answers for the truth.',
  'It holds for the draws as recorded; the seed decides them, and a seed that a person chose can be shopped for.',
]

/** Whether the seal of a certificate is that of its content. */
export function isSealed({ seal, ...unsealed }: Certificate): boolean {
  return seal === identityOf(unsealed)
}

/**
 * The first place where two certificates differ, as a path and both values; undefined if they do not. Fractions may
 * differ by the tolerance: engines add up the same numbers in another order, and compute logarithms to another last bit.
 */
export function firstDifference(given: unknown, expected: unknown, path = '', tolerance = 0): string | undefined {
  if (Object.is(given, expected) || isSameFraction(given, expected, tolerance)) return undefined
  if (typeof given === 'object' && typeof expected === 'object' && given !== null && expected !== null) {
    const left = given as Record<string, unknown>
    const right = expected as Record<string, unknown>
    for (const key of new Set([...Object.keys(right), ...Object.keys(left)])) {
      const difference = firstDifference(left[key], right[key], path === '' ? key : `${path}.${key}`, tolerance)
      if (difference) return difference
    }
    return undefined
  }
  return `${path}: must be ${JSON.stringify(expected) ?? 'absent'}, got ${JSON.stringify(given) ?? 'nothing'}`
}

function isSameFraction(a: unknown, b: unknown, tolerance: number): boolean {
  if (typeof a !== 'number' || typeof b !== 'number' || Number.isInteger(a) || Number.isInteger(b)) return false
  return Math.abs(a - b) <= tolerance * Math.abs(b)
}
