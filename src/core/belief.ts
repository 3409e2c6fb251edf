import type { DeclaredKernel } from './declared-kernel.ts'
import type { Formula } from './formula.ts'
import * as f from './formula.ts'

/**
 * What a model believes about the label of one point, before it is known: the probability of each class and the
 * loss the model would suffer if that class were true. Two classes or K, it is the same; masses read nothing else.
 *
 * An engine fills one belief over and over while it walks the pool: read it at once, do not keep it.
 */
export interface Belief {
  readonly probabilities: Float64Array
  readonly losses: Float64Array
  /** x·Mx for each quadratic form that was asked for. */
  readonly forms: Float64Array
}

export function emptyBelief(classes: number, forms = 0): Belief {
  return { probabilities: new Float64Array(classes), losses: new Float64Array(classes), forms: new Float64Array(forms) }
}

/** Reads raw scores (one number for two classes, K numbers for K) as a belief. Every loss can do this. */
export interface Reader {
  readonly name: string
  read(scores: ArrayLike<number>, into: Belief): void
  /** The same as formulas, for engines that read where the pool lies. */
  express?(scores: readonly Formula[], classes: number): BeliefFormulas
  /** The kernel that reads the same. */
  readonly kernel?: DeclaredKernel<ReaderKernel, Reader['read']>
}

/** Readings that engines have kernels for: one score or K as probabilities, with cross-entropy as the loss, or with the zero-one loss. */
export type ReaderKernel = 'sigmoid' | 'softmax' | 'sigmoid-error' | 'softmax-error'

/** A belief as formulas of a point's scores. */
export interface BeliefFormulas {
  readonly probabilities: readonly Formula[]
  readonly losses: readonly Formula[]
}

/** p₍₁₎ − p₍₂₎: how far the likeliest class is ahead of the next. 0 is a tie, 1 is certainty. */
export function marginOf({ probabilities }: Belief): number {
  let first = 0
  let second = 0
  for (let k = 0; k < probabilities.length; k++) {
    const p = probabilities[k]!
    if (p > first) {
      second = first
      first = p
    } else if (p > second) second = p
  }
  return first - second
}

export function marginFormula({ probabilities }: BeliefFormulas): Formula {
  return f.difference(f.largest(...probabilities), f.second(...probabilities))
}

/** The chance the model itself gives to being wrong: 1 − p₍₁₎. */
export function predictedError({ probabilities }: Belief): number {
  let first = 0
  for (const p of probabilities) if (p > first) first = p
  return 1 - first
}

export function predictedErrorFormula({ probabilities }: BeliefFormulas): Formula {
  return f.difference(1, f.largest(...probabilities))
}

/** Σₖ Pₖ ℓₖ: what a reading of these scores expects to lose.   @see docs/equations.md#expected-loss */
export function expectedLossOf(reader: Reader, scores: ArrayLike<number>): number {
  const belief = emptyBelief(Math.max(2, scores.length))
  reader.read(scores, belief)
  return belief.losses.reduce((sum, loss, k) => sum + belief.probabilities[k]! * loss, 0)
}

/** The loss of the worst label: the paper's pseudo-loss, for two classes or K.   @see docs/equations.md#pseudo-loss */
export function worstLoss({ losses }: Belief): number {
  let worst = 0
  for (const loss of losses) if (loss > worst) worst = loss
  return worst
}

export function worstLossFormula({ losses }: BeliefFormulas): Formula {
  return f.largest(0, ...losses)
}
