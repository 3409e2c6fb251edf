import type { BeliefFormulas, Reader, ReaderKernel } from '../core/belief.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'

/** A loss ℓ(y, z) between a label y ∈ {−1, +1} and a raw score z.   @see docs/equations.md#loss */
export interface Loss extends Reader {
  value(label: number, score: number): number
  /** ∂ℓ/∂z. Where ℓ has a kink, the limit from the side where the loss is greater. */
  slope(label: number, score: number): number
  /** The loss of the worst label, ℓ(−sign z, z) with sign(0) = +1.   @see docs/equations.md#pseudo-loss */
  pseudoLoss(score: number): number
  /** P(y = +1 | z) as the loss understands scores: where its expected value is smallest. */
  probability(score: number): number
  /** For learners: of losses without, only the hinge can be minimised here. */
  readonly curvature?: Curvature
  /** Value and probability as formulas, for engines that read where the pool lies. */
  readonly formulas?: {
    value(label: -1 | 1, score: Formula): Formula
    probability(score: Formula): Formula
  }
}

export interface Curvature {
  /** ∂²ℓ/∂z²,  where ∂ℓ/∂z is `slope` */
  at(label: number, score: number, slope: number): number
  /** max ∂²ℓ/∂z² */
  readonly largest: number
  readonly isConstant?: true
}

/** A loss that Newton's method can minimise. */
export type LearnableLoss = Loss & { readonly curvature: Curvature }

/**
 * Completes a loss with the reading of its score as a belief: class 0 is y = −1, class 1 is y = +1. `kernel`: the name of the kernel that
 * reads the same.
 */
export function marginLoss<Parts extends Omit<Loss, 'read' | 'express' | 'kernel'>>(
  parts: Parts,
  kernel?: ReaderKernel,
): Parts & Loss {
  const { value, probability, formulas } = parts
  const read: Loss['read'] = (scores, { probabilities, losses }) => {
    const score = scores[0]!
    const positive = probability(score)
    probabilities[0] = 1 - positive
    probabilities[1] = positive
    losses[0] = value(-1, score)
    losses[1] = value(+1, score)
  }
  return {
    ...parts,
    read,
    ...(kernel && { kernel: { name: kernel, computes: read } }),
    ...(formulas && {
      express([score]: readonly Formula[]): BeliefFormulas {
        const positive = formulas.probability(score!)
        return {
          probabilities: [f.difference(1, positive), positive],
          losses: [formulas.value(-1, score!), formulas.value(+1, score!)],
        }
      },
    }),
  }
}
