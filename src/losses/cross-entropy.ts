import type { Belief, Reader } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { logSumExp } from '../core/numbers.ts'

/** A loss over K classes, given K scores; a label is the position of its class. */
export interface ClassLoss extends Reader {
  value(label: number, scores: ArrayLike<number>): number
  /** The loss of the worst label.   @see docs/equations.md#pseudo-loss-classes */
  pseudoLoss(scores: ArrayLike<number>): number
  /** Σₖ Pₖ ℓ(k): what the model itself expects to lose.   @see docs/equations.md#expected-loss */
  expectedLoss(scores: ArrayLike<number>): number
}

/** Cross-entropy  ℓ(k, z) = log Σⱼ exp(zⱼ) − zₖ.  Pseudo-loss −log minₖ Pₖ.   @see docs/equations.md#pseudo-loss-classes */
export const crossEntropy: ClassLoss = {
  name: 'cross-entropy',
  value: (label, scores) => logSumExp(scores) - scores[label]!,
  pseudoLoss(scores) {
    let smallest = Number.POSITIVE_INFINITY
    for (let k = 0; k < scores.length; k++) smallest = Math.min(smallest, scores[k]!)
    return logSumExp(scores) - smallest
  },
  expectedLoss(scores) {
    const total = logSumExp(scores)
    let sum = 0
    for (let k = 0; k < scores.length; k++) sum += Math.exp(scores[k]! - total) * (total - scores[k]!)
    return sum
  },
  read: readSoftmax,
  kernel: { name: 'softmax', computes: readSoftmax },
  express(scores) {
    const total = f.logSumExp(scores)
    return {
      probabilities: scores.map((score) => f.exp(f.difference(score, total))),
      losses: scores.map((score) => f.difference(total, score)),
    }
  },
}

function readSoftmax(scores: ArrayLike<number>, { probabilities, losses }: Belief): void {
  const total = logSumExp(scores)
  for (let k = 0; k < scores.length; k++) {
    losses[k] = total - scores[k]!
    probabilities[k] = Math.exp(scores[k]! - total)
  }
}
