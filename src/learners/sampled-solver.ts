import { INTERCEPT_COLUMN, squaredNorms } from '../core/features.ts'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import type { LearnableLoss } from '../losses/loss.ts'
import type { TrainingSet } from './learner.ts'
import { dot } from './vectors.ts'

export interface SampledOptions {
  /** Whether rows that can move the solution more are visited more often. Default `importance`. */
  readonly sampling?: 'importance' | 'uniform'
  /** The solution is taken when its objective is proven to be within this share of the least one. Default 10⁻⁹. */
  readonly tolerance?: number
  /** Rows visited at most, in multiples of their number. Default 5000. */
  readonly passes?: number
}

export interface SampledSolution {
  /** (β, b/10) */
  readonly parameters: Float64Array
  readonly passes: number
  /** How far above the least value the objective can be at most. */
  readonly gap: number
}

/**
 * Stochastic dual coordinate ascent with importance sampling (Shalev-Shwartz & Zhang 2013; Zhao & Zhang 2015): minimises
 *
 *   f(v) = Σᵢ wᵢ ℓ(yᵢ, xᵢ·v) + (λ/2) ‖v‖²,    v = (1/λ) Σ αᵢ xᵢ,    αᵢ = −wᵢ ℓ′(yᵢ, uᵢ)
 *
 * by visiting one row at a time and making its αᵢ as good as it can be. Row i is visited in proportion to 1 + wᵢ ‖xᵢ‖² max ℓ″ / λ. A visit costs
 * two motions along one row, however many there are.   @see docs/equations.md#sampled-solver
 */
export function sampledMinimum(
  loss: LearnableLoss,
  training: TrainingSet,
  l2: number,
  { sampling = 'importance', tolerance = 1e-9, passes: most = 5000 }: SampledOptions = {},
): SampledSolution {
  const { rows } = training.features
  const dual = dualOf(loss, training, l2)
  const draw = drawsOf(sampling === 'uniform' ? new Float64Array(rows).fill(1) : dual.chances)
  for (let passes = 0; ; passes++) {
    if (passes % 4 === 0 || passes >= most) {
      const { gap, value } = dual.gap() // costs about half a pass
      if (gap <= tolerance * value || passes >= most) return { parameters: dual.parameters, passes, gap }
    }
    for (let k = 0; k < rows; k++) dual.visit(draw(k, passes))
  }
}

/** The state of the ascent: v, and for every row the score uᵢ that its αᵢ belongs to. */
function dualOf(loss: LearnableLoss, { features, labels, weights }: TrainingSet, l2: number) {
  const { rows, columns } = features
  const signs = Float64Array.from(labels, (label) => 2 * label - 1)
  const norms = squaredNorms(features).map((norm) => norm + INTERCEPT_COLUMN ** 2)
  const anchors = new Float64Array(rows)
  const parameters = new Float64Array(columns + 1)
  const score = (i: number) => features.dot(i, parameters) + INTERCEPT_COLUMN * parameters[columns]!
  const alpha = (i: number) => -weights[i]! * loss.slope(signs[i]!, anchors[i]!)
  const add = (i: number, amount: number) => {
    features.addInPlace(i, amount / l2, parameters)
    parameters[columns]! += (INTERCEPT_COLUMN * amount) / l2
  }
  for (let i = 0; i < rows; i++) add(i, alpha(i))

  return {
    parameters,
    chances: norms.map((norm, i) => 1 + (weights[i]! * norm * loss.curvature.largest) / l2),

    /** The best αᵢ moves the score to the z with  z + (wᵢ‖xᵢ‖²/λ) ℓ′(z) = score − (‖xᵢ‖²/λ) αᵢ. */
    visit(i: number): void {
      const before = alpha(i)
      const reach = norms[i]! / l2
      const own = score(i)
      anchors[i] = settled(own, own - reach * before, reach * weights[i]!, {
        slope: (z) => loss.slope(signs[i]!, z),
        curvature: (z, slope) => loss.curvature.at(signs[i]!, z, slope),
      })
      add(i, alpha(i) - before)
    },

    /** f, and how far it is above its dual: by Fenchel's equality  Σ wᵢ (ℓ(z) − ℓ(u) − ℓ′(u)(z − u)). */
    gap(): { gap: number; value: number } {
      let gap = 0
      let value = (l2 / 2) * dot(parameters, parameters)
      for (let i = 0; i < rows; i++) {
        const [z, u, y, w] = [score(i), anchors[i]!, signs[i]!, weights[i]!]
        const own = loss.value(y, z)
        value += w * own
        gap += w * (own - loss.value(y, u) - loss.slope(y, u) * (z - u))
      }
      return { gap: Math.max(gap, 0), value }
    },
  }
}

/** The root of  g(z) = z + reach · ℓ′(z) − target,  by Newton's method; g increases with slope 1 or more, which brackets the root. */
function settled(
  start: number,
  target: number,
  reach: number,
  { slope, curvature }: { slope(z: number): number; curvature(z: number, slope: number): number },
): number {
  const first = start + reach * slope(start) - target
  let [low, high] = first > 0 ? [start - first, start] : [start, start - first]
  let z = start
  for (let step = 0; step < 50; step++) {
    const own = slope(z)
    const value = z + reach * own - target
    if (value > 0) high = z
    else low = z
    const next = z - value / (1 + reach * curvature(z, own))
    const inside = next > low && next < high ? next : (low + high) / 2
    if (Math.abs(inside - z) <= 1e-15 * (1 + Math.abs(z))) return inside
    z = inside
  }
  return z
}

/**
 * Independent draws in proportion to the chances, each from one hashed uniform (Walker's alias method): slot k keeps its own index with
 * some probability and otherwise gives another.
 */
function drawsOf(chances: Float64Array): (k: number, pass: number) => number {
  const n = chances.length
  const total = chances.reduce((a, b) => a + b, 0)
  const kept = chances.map((chance) => (chance * n) / total)
  const others = Int32Array.from(kept.keys())
  const poor = [...kept.keys()].filter((i) => kept[i]! < 1)
  const rich = [...kept.keys()].filter((i) => kept[i]! >= 1)
  while (poor.length > 0 && rich.length > 0) {
    const [from, to] = [rich.at(-1)!, poor.pop()!]
    others[to] = from
    kept[from]! -= 1 - kept[to]!
    if (kept[from]! < 1) poor.push(rich.pop()!)
  }
  // What rounding leaves over on either side keeps to itself: `others` is then the slot's own index.
  const uniforms = uniformsOf({ seed: 0, name: 'sampled-solver' }, hashIds(Array.from({ length: n }, (_, k) => `${k}`)))
  return (k, pass) => {
    const place = n * (1 - uniforms(k, pass)) // in [0, n)
    const slot = Math.floor(place)
    return place - slot < kept[slot]! ? slot : others[slot]!
  }
}
