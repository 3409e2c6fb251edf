import { clip, sigmoid } from '../core/numbers.ts'
import type { Calibration } from './recalibrate.ts'

/**
 * Predictions of loss as an audit sees them. A point's score z is the logit of the chance that its prediction is wrong, as
 * the model's own confidence has it; a reading turns it into a chance by an intercept and a slope.
 */
export interface Line {
  readonly intercept: number
  readonly slope: number
}

/** The chance of a wrong prediction, kept away from 0 and 1. */
export function chanceAt({ intercept, slope }: Line, z: number): number {
  return clip(sigmoid(intercept + slope * z), 0.001, 0.95)
}

/** The score of a raw prediction of loss. */
export function logit(chance: number): number {
  const inside = clip(chance, 0.001, 0.999)
  return Math.log(inside / (1 - inside))
}

/** Where calibration turns: the logit of the mean prediction. */
export function centreOf(meanChance: number): number {
  const inside = clip(meanChance, 0.005, 0.95)
  return Math.log(inside / (1 - inside))
}

export function calibratedLine({ shift, slope }: Calibration, centre: number): Line {
  return { intercept: centre + shift - slope * centre, slope }
}

/** Scores, and how many points have each. */
export interface ScoreCounts {
  readonly scores: Float64Array
  readonly counts: Float64Array
}

/**
 * The line to draw by: one standard error flatter than the calibration, with the same mean chance. Masses that trust a
 * slope too much pay for it in range; a little flatness costs almost nothing.   @see docs/equations.md#flattened
 */
export function flattened({ scores, counts }: ScoreCounts, calibration: Calibration, centre: number): Line {
  const line = calibratedLine(calibration, centre)
  const slope = Math.max(calibration.slope - calibration.slopeError, 0)
  let target = 0
  for (let i = 0; i < scores.length; i++) target += counts[i]! * chanceAt(line, scores[i]!)
  let low = -12
  let high = 12
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    let sum = 0
    for (let i = 0; i < scores.length; i++) sum += counts[i]! * sigmoid(middle + slope * scores[i]!)
    if (sum < target) low = middle
    else high = middle
  }
  return { intercept: high, slope }
}
