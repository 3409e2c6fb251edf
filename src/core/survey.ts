import { type Belief, marginOf, worstLoss } from './belief.ts'
import { marginBin, marginBins } from './margins.ts'
import { compensatedSum } from './sums.ts'

/**
 * Totals over the points that may be drawn. Everything adds up or takes the larger, so shards merge in any order.
 * a is the mass, l̂ the pseudo-loss; g is what the model itself expects of the loss that is being measured (the control).
 */
export interface Survey {
  readonly points: number
  /** Σ a */
  readonly mass: number
  readonly largestMass: number
  readonly smallestMass: number
  /** Σ l̂ */
  readonly pseudoLoss: number
  /** Σ √l̂ */
  readonly rootPseudoLoss: number
  readonly largestPseudoLoss: number
  /** Σ l̂/a: with p = a/Σa, the paper's M_p is mass × this. */
  readonly pseudoLossPerMass: number
  /** Σ g */
  readonly predictedLoss: number
  /** Σ Var/a, Var the variance the model expects: g(1 − g) for a loss of 0 or 1. */
  readonly predictedVariance: number
  /** max (g − least)/a and max (most − g)/a, over the losses possible: how far one answer can move an estimate. */
  readonly largestDown: number
  readonly largestUp: number
  /** Counts by margin bin. */
  readonly margins: readonly number[]
}

/** Gathers a survey point by point. A point of mass 0 cannot be drawn and enters no ratio. */
export function surveyor() {
  const sums = Array.from({ length: 6 }, compensatedSum)
  const [mass, pseudoLoss, root, perMass, predicted, variance] = sums as [Sum, Sum, Sum, Sum, Sum, Sum]
  const margins = new Array<number>(marginBins).fill(0)
  const most = { mass: 0, leastMass: Number.POSITIVE_INFINITY, pseudoLoss: 0, down: 0, up: 0 }
  let points = 0

  return {
    /** `control`: the belief about the loss being measured, where that is not the loss behind the mass. */
    add(belief: Belief, a: number, control: Belief): void {
      const worst = worstLoss(belief)
      const { mean: g, variance: spread, least, most: greatest } = lossMoments(control)
      points++
      margins[marginBin(marginOf(belief))]! += 1
      mass.add(a)
      pseudoLoss.add(worst)
      root.add(Math.sqrt(worst))
      predicted.add(g)
      most.mass = Math.max(most.mass, a)
      most.leastMass = Math.min(most.leastMass, a)
      most.pseudoLoss = Math.max(most.pseudoLoss, worst)
      if (a === 0) return
      perMass.add(worst / a)
      variance.add(spread / a)
      most.down = Math.max(most.down, (g - least) / a)
      most.up = Math.max(most.up, (greatest - g) / a)
    },
    survey: (): Survey => ({
      points,
      mass: mass.total(),
      largestMass: most.mass,
      smallestMass: points > 0 ? most.leastMass : 0,
      pseudoLoss: pseudoLoss.total(),
      rootPseudoLoss: root.total(),
      largestPseudoLoss: most.pseudoLoss,
      pseudoLossPerMass: perMass.total(),
      predictedLoss: predicted.total(),
      predictedVariance: variance.total(),
      largestDown: most.down,
      largestUp: most.up,
      margins,
    }),
  }
}

/** Mean, variance and range of the loss under a belief. */
function lossMoments({ probabilities, losses }: Belief) {
  let mean = 0
  let square = 0
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let k = 0; k < losses.length; k++) {
    const loss = losses[k]!
    mean += probabilities[k]! * loss
    square += probabilities[k]! * loss * loss
    least = Math.min(least, loss)
    most = Math.max(most, loss)
  }
  return { mean, variance: Math.max(0, square - mean * mean), least, most }
}

type Sum = ReturnType<typeof compensatedSum>
