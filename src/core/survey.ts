import { type Belief, worstLoss } from './belief.ts'
import { compensatedSum } from './sums.ts'

/**
 * Totals over the points that may be drawn. Everything adds up or takes the larger, so shards merge in any order.
 * a is the mass, l̂ the pseudo-loss.   @see docs/equations.md#survey
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
  /** Counts by margin bin. */
  readonly margins: readonly number[]
  /** What is expected of each value being measured, in the order they were asked for. */
  readonly controls: readonly ControlTotals[]
}

/** Of a round that was drawn from strata: what else there is to know of it is in its rules. */
export function strataSurvey(points: number, mass: number): Survey {
  const nothing = {
    largestMass: 0,
    smallestMass: 0,
    pseudoLoss: 0,
    rootPseudoLoss: 0,
    largestPseudoLoss: 0,
    pseudoLossPerMass: 0,
  }
  return { points, mass, ...nothing, margins: [], controls: [] }
}

/** What the model itself expects of a value that is being measured (a control). g: the expectation for one point. */
export interface ControlTotals {
  /** Σ g */
  readonly predictedLoss: number
  /** Σ Var/a, Var the variance the model expects: g(1 − g) for a loss of 0 or 1. */
  readonly predictedVariance: number
  /** max (g − least)/a and max (most − g)/a, over the values possible: how far one answer can move an estimate. */
  readonly largestDown: number
  readonly largestUp: number
}

/** Gathers a survey point by point. A point of mass 0 cannot be drawn and enters no ratio. */
export function surveyor(controls: number) {
  const [mass, pseudoLoss, root, perMass] = [compensatedSum(), compensatedSum(), compensatedSum(), compensatedSum()]
  const most = { mass: 0, leastMass: Number.POSITIVE_INFINITY, pseudoLoss: 0 }
  const measured = Array.from({ length: controls }, controlTotals)
  let points = 0

  return {
    /** A point's mass, and the belief behind it. */
    add(belief: Belief, a: number): void {
      const worst = worstLoss(belief)
      points++
      mass.add(a)
      pseudoLoss.add(worst)
      root.add(Math.sqrt(worst))
      if (a > 0) perMass.add(worst / a)
      most.mass = Math.max(most.mass, a)
      most.leastMass = Math.min(most.leastMass, a)
      most.pseudoLoss = Math.max(most.pseudoLoss, worst)
    },
    /** The same point's belief about the k-th value that is being measured. */
    addControl(k: number, belief: Belief, a: number): void {
      measured[k]!.add(belief, a)
    },
    /** `margins`: counts by margin bin, as the census has them. */
    survey: (margins: ArrayLike<number> = []): Survey => ({
      points,
      mass: mass.total(),
      largestMass: most.mass,
      smallestMass: points > 0 ? most.leastMass : 0,
      pseudoLoss: pseudoLoss.total(),
      rootPseudoLoss: root.total(),
      largestPseudoLoss: most.pseudoLoss,
      pseudoLossPerMass: perMass.total(),
      margins: Array.from(margins),
      controls: measured.map((control) => control.totals()),
    }),
  }
}

function controlTotals() {
  const predicted = compensatedSum()
  const variance = compensatedSum()
  const largest = { down: 0, up: 0 }
  return {
    add(belief: Belief, a: number): void {
      const { mean, variance: spread, least, most } = lossMoments(belief)
      predicted.add(mean)
      if (a === 0) return
      variance.add(spread / a)
      largest.down = Math.max(largest.down, (mean - least) / a)
      largest.up = Math.max(largest.up, (most - mean) / a)
    },
    totals: (): ControlTotals => ({
      predictedLoss: predicted.total(),
      predictedVariance: variance.total(),
      largestDown: largest.down,
      largestUp: largest.up,
    }),
  }
}

/** Mean, variance and range of the loss under a belief. */
export function lossMoments({ probabilities, losses }: Belief) {
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
