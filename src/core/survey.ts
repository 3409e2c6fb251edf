import { type Belief, marginOf, predictedError, worstLoss } from './belief.ts'
import { marginBin, marginBins } from './margins.ts'
import { compensatedSum } from './sums.ts'

/**
 * Totals over the points that may be drawn. Everything adds up or takes the larger, so shards merge in any order.
 * a is the mass, l̂ the pseudo-loss, g the error the model itself predicts.
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
  readonly predictedError: number
  /** Σ g(1 − g)/a */
  readonly predictedVariance: number
  /** max g/a and max (1 − g)/a: how far one answer can move an estimate down or up. */
  readonly largestDown: number
  readonly largestUp: number
  /** Counts by margin bin. */
  readonly margins: readonly number[]
}

/** Gathers a survey point by point. A point of mass 0 cannot be drawn and enters no ratio. */
export function surveyor() {
  const sums = Array.from({ length: 6 }, compensatedSum)
  const [mass, pseudoLoss, root, perMass, error, variance] = sums as [Sum, Sum, Sum, Sum, Sum, Sum]
  const margins = new Array<number>(marginBins).fill(0)
  const most = { mass: 0, leastMass: Number.POSITIVE_INFINITY, pseudoLoss: 0, down: 0, up: 0 }
  let points = 0

  return {
    add(belief: Belief, a: number): void {
      const worst = worstLoss(belief)
      const g = predictedError(belief)
      points++
      margins[marginBin(marginOf(belief))]! += 1
      mass.add(a)
      pseudoLoss.add(worst)
      root.add(Math.sqrt(worst))
      error.add(g)
      most.mass = Math.max(most.mass, a)
      most.leastMass = Math.min(most.leastMass, a)
      most.pseudoLoss = Math.max(most.pseudoLoss, worst)
      if (a === 0) return
      perMass.add(worst / a)
      variance.add((g * (1 - g)) / a)
      most.down = Math.max(most.down, g / a)
      most.up = Math.max(most.up, (1 - g) / a)
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
      predictedError: error.total(),
      predictedVariance: variance.total(),
      largestDown: most.down,
      largestUp: most.up,
      margins,
    }),
  }
}

type Sum = ReturnType<typeof compensatedSum>
