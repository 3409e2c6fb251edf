import { sigmoid, softplus } from '../core/numbers.ts'

/** A recalibrated prediction of loss:  p = σ(centre + shift + slope · (z − centre)),  z the logit of the raw prediction. */
export interface Calibration {
  readonly shift: number
  readonly slope: number
  /** Standard error of the slope. */
  readonly slopeError: number
}

const shiftPrior = 1 / 1.5 ** 2
const slopePrior = 1 / 0.5 ** 2

/**
 * Fits shift and slope to the losses seen so far, by maximum a posteriori with priors N(0, 1.5²) and N(1, 0.5²). Newton with
 * halved steps: plain Newton cycles for ever when the predictions say nothing. Before any loss the predictions are taken as they are.   @see docs/equations.md#recalibration
 */
export function recalibrate(logits: ArrayLike<number>, losses: ArrayLike<number>, centre: number): Calibration {
  let shift = 0
  let slope = 1
  const objective = (c: number, b: number) => {
    let sum = -0.5 * (shiftPrior * c * c + slopePrior * (b - 1) ** 2)
    for (let i = 0; i < logits.length; i++) {
      const e = centre + c + b * (logits[i]! - centre)
      sum += losses[i]! * e - softplus(e)
    }
    return sum
  }
  const curvature = (c: number, b: number) => {
    let [g0, g1, h00, h01, h11] = [-shiftPrior * c, -slopePrior * (b - 1), shiftPrior, 0, slopePrior]
    for (let i = 0; i < logits.length; i++) {
      const x = logits[i]! - centre
      const p = sigmoid(centre + c + b * x)
      const w = p * (1 - p)
      g0 += losses[i]! - p
      g1 += (losses[i]! - p) * x
      h00 += w
      h01 += w * x
      h11 += w * x * x
    }
    return { g0, g1, h00, h01, h11, determinant: h00 * h11 - h01 * h01 }
  }

  let value = objective(shift, slope)
  for (let iteration = 0; iteration < 25; iteration++) {
    const { g0, g1, h00, h01, h11, determinant } = curvature(shift, slope)
    const stepShift = (h11 * g0 - h01 * g1) / determinant
    const stepSlope = (h00 * g1 - h01 * g0) / determinant
    let share = 1
    while (share > 1e-6 && objective(shift + share * stepShift, slope + share * stepSlope) < value) share /= 2
    shift += share * stepShift
    slope += share * stepSlope
    value = objective(shift, slope)
    if (Math.max(Math.abs(share * stepShift), Math.abs(share * stepSlope)) < 1e-8) break
  }
  const { h00, determinant } = curvature(shift, slope)
  return { shift, slope, slopeError: Math.sqrt(h00 / determinant) }
}
