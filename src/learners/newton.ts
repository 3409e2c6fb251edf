import { requireInput } from '../core/errors.ts'
import { stepLength } from './step-length.ts'
import { addInPlace, dot, largest } from './vectors.ts'

/**
 * A function of scores that are linear in the parameters, with a ridge:
 *
 *   f(v) = φ(Av) + (λ/2) ‖v‖²,   φ convex with a continuous slope, λ > 0
 *
 * Its gradient is Aᵀφ′(Av) + λv, and its curvature along d is Aᵀφ″(Av)Ad + λd. φ″ may jump (squared hinge): any limit
 * of it near the point will do.
 */
export interface RidgeProblem {
  /** How many parameters v, and how many scores Av. */
  readonly parameters: number
  readonly scores: number
  /** λ */
  readonly l2: number
  /** scores ← A · point */
  project(point: Float64Array, scores: Float64Array): void
  /** point ← point + Aᵀ · scores */
  addBackInPlace(scores: Float64Array, point: Float64Array): void
  /** φ(scores) */
  value(scores: Float64Array): number
  /** slopes ← φ′(scores) */
  slopes(scores: Float64Array, slopes: Float64Array): void
  /**
   * The map  bent ← Aᵀφ″A · direction,  prepared once and applied many times, at the scores whose slopes were asked for last. It only steers, so it
   * may be rough if that is quicker.
   */
  curvature(mayBeRough: boolean): (direction: Float64Array, bent: Float64Array) => void
  readonly preconditioner: Preconditioner
  /** φ″ is the same everywhere, so that one exact step is the solution. */
  readonly isQuadratic?: boolean
  /** The solution is taken when no entry of the gradient exceeds this share of the largest entry at v = 0. Default 10⁻¹⁰. */
  readonly tolerance?: number
}

/** A matrix M like ∇²f that can be solved with directly: the nearer to it, the fewer conjugate gradient steps. */
export interface Preconditioner {
  /** What making it costs, in such steps. ∞: never make it. */
  readonly cost: number
  /** The map  vector ← M⁻¹ vector,  with M ≈ ∇²f at the scores whose slopes were asked for last. */
  make(mayBeRough: boolean): (vector: Float64Array) => void
}

const GRADIENT_TOLERANCE = 1e-10

// Well-posed problems end within 5 to 20 steps and 20 to 400 passes over the rows. These limits are for the others.
const MOST_PASSES = 5000
const MOST_PASSES_A_STEP = 1000
const MOST_ROUGH_PASSES = 500
const MOST_IDLE_STEPS = 3

/**
 * The v where f is smallest, by truncated Newton: each step solves  ∇²f · step = −∇f  roughly by conjugate gradients,
 * the more exactly the nearer the end (so convergence is superlinear), then goes as far along it as `stepLength` allows.
 * A preconditioner is made when half as much work has gone into conjugate gradients as it costs, and made anew each time as much
 * has: so the work is at most about twice that of having known in advance when to make it. Whatever only steers may be rough, as
 * steps are judged by slopes and gradients that are not; if it leads nowhere, it is done exactly.
 *
 * Ends when  ‖∇f(v)‖∞ ≤ 10⁻¹⁰ ‖∇f(0)‖∞,  or, where sums of doubles cannot get that close, after three steps that could
 * lower f by no more than its own rounding, or after 5,000 passes. Deterministic, and always finite. `start`: where the
 * solution may be; it is the same from everywhere, up to that tolerance.
 */
export function minimise(problem: RidgeProblem, start?: Float64Array): Float64Array {
  const state = emptyState(problem)
  const { point, scores, stepScores, slopes, gradient, step } = state
  problem.slopes(scores, slopes)
  refreshGradient(state)
  const scale = Math.sqrt(dot(gradient, gradient))
  requireInput(
    Number.isFinite(scale),
    `newton: the gradient at 0 must have a finite length, got ${scale}`,
    'Rescale the features.',
  )
  const tolerance = (problem.tolerance ?? GRADIENT_TOLERANCE) * largest(gradient)

  const isNear = start !== undefined && moveTo(state, start)
  const heightAtStart = heightOf(state)
  const inner = innerSolver(state, isNear)
  let mayBeRough = true
  for (let passes = 0, idle = 0; passes < MOST_PASSES && idle < MOST_IDLE_STEPS && largest(gradient) > tolerance; ) {
    const size = Math.sqrt(dot(gradient, gradient))
    const share = Math.min(0.5, Math.sqrt(size / scale)) // → 0 with the gradient: superlinear
    passes += 1 + inner({ length: share * size, largest: tolerance / 2 }, mayBeRough)

    // f never rises: while a step can lower it by more than rounding at the start, nothing else needs to be known of it.
    const fall = -dot(gradient, step)
    if (fall <= Number.EPSILON * heightAtStart && fall <= Number.EPSILON * heightOf(state)) idle++
    const { slopeAt, isFresh } = slopeAlong(state)
    const length = stepLength(slopeAt)
    if (length === 0 && !mayBeRough) break
    if (length === 0 || passes > MOST_ROUGH_PASSES) mayBeRough = false
    addInPlace(point, length, step)
    addInPlace(scores, length, stepScores)
    if (!isFresh(length)) problem.slopes(scores, slopes)
    refreshGradient(state)
  }
  return point
}

/** Moves to a start that is given, if the gradient is less than half as large there as at 0; otherwise stays at 0. */
function moveTo(state: State, start: Float64Array): boolean {
  const { problem, point, scores, slopes, gradient } = state
  const atZero = largest(gradient)
  const go = () => {
    problem.project(point, scores)
    problem.slopes(scores, slopes)
    refreshGradient(state)
  }
  point.set(start)
  go()
  const isNear = largest(gradient) < atZero / 2
  if (!isNear) {
    point.fill(0)
    go()
  }
  return isNear
}

/** f(v) */
function heightOf({ problem, point, scores }: State): number {
  return problem.value(scores) + (problem.l2 / 2) * dot(point, point)
}

/** When a residual is small enough: by its length, or by its largest entry. */
interface Enough {
  readonly length: number
  readonly largest: number
}

/** Solves for the next step, and makes the preconditioner when it is due. Returns the passes it took. */
function innerSolver(state: State, isNear: boolean): (enough: Enough, mayBeRough: boolean) => number {
  const { isQuadratic = false, preconditioner } = state.problem
  const { cost } = preconditioner
  const none = (_vector: Float64Array) => {}
  let made = { isRough: true, precondition: none }
  let spent = cost === Number.POSITIVE_INFINITY ? 0 : cost / 2
  if (isQuadratic || isNear) spent *= 2 // then M ≈ ∇²f at once: it will stay so, and of a quadratic is the closed form
  return (enough, mayBeRough) => {
    if (made.isRough && !mayBeRough) made = { isRough: false, precondition: none }
    const isDue = spent >= cost
    if (isDue) made = { isRough: mayBeRough, precondition: preconditioner.make(mayBeRough) }
    const limit = Math.min(MOST_PASSES_A_STEP, isDue ? Number.POSITIVE_INFINITY : Math.max(cost - spent, cost / 3))
    const used = solveNewton(state, made.precondition, state.problem.curvature(mayBeRough), enough, limit)
    spent = isDue ? used : spent + used
    return used
  }
}

type State = ReturnType<typeof emptyState>

/** Where the search stands, with the working memory of a step. */
function emptyState(problem: RidgeProblem) {
  const parameters = () => new Float64Array(problem.parameters)
  const scores = () => new Float64Array(problem.scores)
  return {
    problem,
    point: parameters(),
    /** A · point and A · step, carried along so that nothing is projected twice. */
    scores: scores(),
    stepScores: scores(),
    gradient: parameters(),
    step: parameters(),
    residual: parameters(),
    solved: parameters(),
    direction: parameters(),
    bent: parameters(),
    movedScores: scores(),
    slopes: scores(),
  }
}

/** gradient ← Aᵀ · slopes + λ · point */
function refreshGradient({ problem, point, gradient, slopes }: State): void {
  for (let j = 0; j < point.length; j++) gradient[j] = problem.l2 * point[j]!
  problem.addBackInPlace(slopes, gradient)
}

/** Conjugate gradients for  ∇²f · step = −∇f,  until the residual is small enough. Returns the passes it took. */
function solveNewton(
  { problem, gradient, step, stepScores, residual, solved, direction, bent }: State,
  precondition: (vector: Float64Array) => void,
  bend: (direction: Float64Array, bent: Float64Array) => void,
  enough: Enough,
  limit: number,
): number {
  step.fill(0)
  direction.fill(0)
  for (let j = 0; j < gradient.length; j++) residual[j] = -gradient[j]!

  let product = 1
  let passes = 0
  for (; passes < limit && !isWithin(residual, enough); passes++) {
    solved.set(residual)
    precondition(solved)
    const next = dot(residual, solved)
    for (let j = 0; j < direction.length; j++) direction[j] = solved[j]! + (next / product) * direction[j]!
    product = next

    bend(direction, bent)
    addInPlace(bent, problem.l2, direction)

    const length = product / dot(direction, bent)
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) break // rounding has eaten the curvature: keep what we have
    addInPlace(step, length, direction)
    addInPlace(residual, -length, bent)
  }
  problem.project(step, stepScores)
  return passes
}

function isWithin(residual: Float64Array, enough: Enough): boolean {
  return Math.sqrt(dot(residual, residual)) <= enough.length || largest(residual) <= enough.largest
}

/** t ↦ d/dt f(v + t·step): costs no projection, because A(v + t·step) = Av + t·A·step. Slopes are those of the last t that was asked for. */
function slopeAlong({ problem, point, scores, gradient, step, stepScores, slopes, movedScores: moved }: State) {
  const linear = problem.l2 * dot(point, step)
  const quadratic = problem.l2 * dot(step, step)
  let last = 0
  return {
    slopeAt(t: number): number {
      if (t === 0) return dot(gradient, step)
      for (let i = 0; i < moved.length; i++) moved[i] = scores[i]! + t * stepScores[i]!
      problem.slopes(moved, slopes)
      last = t
      return dot(slopes, stepScores) + linear + t * quadratic
    },
    isFresh: (t: number) => t === last,
  }
}
