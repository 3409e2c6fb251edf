import { addInPlace } from '../learners/vectors.ts'

/** minimise  ½ α·Qα + c·α  over  0 ≤ α ≤ 1,  Σ α = size,  Q positive semidefinite. */
export interface CappedProblem {
  /** A row of Q. Of most it is never asked, of some again and again. */
  quadratic(i: number): Float64Array
  /** c */
  readonly linear: Float64Array
  /** A whole number, at most as many as there are entries. */
  readonly size: number
}

/**
 * The best shares α, by exchange: raise the entry with the smallest gradient, lower the one where that gains most, by exactly as much as is best
 * (as solvers of support vector machines do). The sum never changes and the objective falls with every step; at the end the gradient of what
 * can still be lowered is nowhere above that of what can still be raised, which is the condition for a minimum. It ends when no exchange
 * promises more than the tolerance, as a share of what the first one did, per unit.
 */
export function cappedMinimum(problem: CappedProblem, { tolerance = 1e-9, steps = 200_000 } = {}): Float64Array {
  const { quadratic, linear, size } = problem
  const shares = startAt(linear, size)
  const gradient = linear.slice()
  for (const [i, share] of shares.entries()) if (share > 0) addInPlace(gradient, share, quadratic(i))

  let enough = 0
  for (let step = 0; step < steps; step++) {
    const up = bestToRaise(gradient, shares)
    if (up < 0) break // everything is chosen
    const { down, violation } = bestToLower(problem, gradient, shares, up)
    if (step === 0) enough = tolerance * violation
    if (violation <= enough) break
    const amount = Math.min(1 - shares[up]!, shares[down]!, (gradient[down]! - gradient[up]!) / bend(quadratic, up, down))
    shares[up] = amount === 1 - shares[up]! ? 1 : shares[up]! + amount
    shares[down]! -= amount
    addInPlace(gradient, amount, quadratic(up))
    addInPlace(gradient, -amount, quadratic(down))
  }
  return shares
}

/** 1 for the smallest of the linear terms, equal ones in order. */
function startAt(linear: Float64Array, size: number): Float64Array {
  const order = Array.from(linear.keys()).sort((a, b) => linear[a]! - linear[b]! || a - b)
  const shares = new Float64Array(linear.length)
  for (const i of order.slice(0, size)) shares[i] = 1
  return shares
}

function bestToRaise(gradient: Float64Array, shares: Float64Array): number {
  let best = -1
  for (let i = 0; i < shares.length; i++) if (shares[i]! < 1 && (best < 0 || gradient[i]! < gradient[best]!)) best = i
  return best
}

/** The entry whose exchange with `up` lowers the objective most if no limit binds; and the largest difference of gradients there is. */
function bestToLower({ quadratic }: CappedProblem, gradient: Float64Array, shares: Float64Array, up: number) {
  let [down, most, violation] = [up, 0, 0]
  for (let j = 0; j < shares.length; j++) {
    const difference = gradient[j]! - gradient[up]!
    if (shares[j]! === 0 || difference <= 0) continue
    violation = Math.max(violation, difference)
    const gain = difference ** 2 / bend(quadratic, up, j)
    if (gain > most) [down, most] = [j, gain]
  }
  return { down, violation }
}

/** The curvature along the exchange of two entries; a little above 0 where they are the same point, so that it can be divided by. */
function bend(quadratic: CappedProblem['quadratic'], i: number, j: number): number {
  return Math.max(quadratic(i)[i]! + quadratic(j)[j]! - 2 * quadratic(i)[j]!, 1e-300)
}
