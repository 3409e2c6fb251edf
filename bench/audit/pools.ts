import { logit } from '../../src/certificates/calibrated.ts'
import { dense, type FeatureRows } from '../../src/core/features.ts'
import { sigmoid } from '../../src/core/numbers.ts'
import { hashIds, type Uniforms, uniformsOf } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'

/** How the predicted chances of error relate to the true ones. */
export type Kind = 'calibrated' | 'overconfident' | 'underconfident' | 'shuffled'

export interface PoolRecipe {
  readonly seed: number
  readonly size: number
  readonly kind: Kind
  /** a of Beta(a, ·): the smaller, the better the chances tell errors apart. 0.2 is an AUC of .91 at 5 % errors. */
  readonly shape: number
  /** Mean chance of error. Default 0.05. */
  readonly rate?: number
}

/** Points with a prediction each, of which some are wrong, and what a model would have said about that. */
export interface MadePool {
  readonly ids: readonly string[]
  /** Logit of the predicted chance of error. */
  readonly scores: Float64Array
  /** 1 where the prediction is wrong. */
  readonly losses: Float64Array
  /** Mean loss: what an audit looks for. */
  readonly error: number
}

export const classes = ['a', 'b'] // every prediction is a; the truth is b where that is wrong

/**
 * A pool with  chanceᵢ ~ Beta(a, a(1 − rate)/rate),  lossᵢ ~ Bernoulli(chanceᵢ). All kinds of one seed have the same chances and
 * losses; only what the model says about them differs.
 */
export function makePool({ seed, size, kind, shape, rate = 0.05 }: PoolRecipe): MadePool {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const hashes = hashIds(ids)
  const uniforms = (name: string) => uniformsOf({ seed, name: `pool/${name}` }, hashes)
  const [ofChance, ofLoss, ofOrder] = [uniforms('chance'), uniforms('loss'), uniforms('order')]
  const chances = Float64Array.from(ids, (_, i) => beta(shape, (shape * (1 - rate)) / rate, ofChance, i))
  const losses = chances.map((chance, i) => (ofLoss(i) <= chance ? 1 : 0))
  const error = losses.reduce((a, b) => a + b, 0) / size
  return { ids, scores: told(kind, chances.map(logit), logit(rate), ofOrder), losses, error }
}

/** The pool as an audit wants it: columns, and the answers. */
export function auditColumns({ ids, scores, losses }: MadePool): { features: FeatureRows; truth: Map<string, Label> } {
  const columns = Float32Array.from({ length: 2 * ids.length }, (_, k) => (k % 2 === 0 ? scores[k / 2]! : 0))
  return { features: dense(columns, 2), truth: new Map(ids.map((id, i) => [id, classes[losses[i]!]!])) }
}

/** What the model says: logits twice as far from their centre, half as far, or those of some other point. */
function told(kind: Kind, logits: Float64Array, centre: number, order: Uniforms): Float64Array {
  if (kind === 'shuffled') {
    const keys = logits.map((_, i) => order(i))
    return Float64Array.from(
      Array.from(logits.keys()).sort((i, j) => keys[i]! - keys[j]!),
      (i) => logits[i]!,
    )
  }
  const stretch = { calibrated: 1, overconfident: 2, underconfident: 0.5 }[kind]
  return logits.map((z) => logit(sigmoid(centre + stretch * (z - centre))))
}

/** Beta(a, b) of the i-th point:  G/(G + G′),  G ~ Gamma(a), G′ ~ Gamma(b). */
function beta(a: number, b: number, uniforms: Uniforms, i: number): number {
  let used = 0
  const next = () => uniforms(i, used++)
  const one = gamma(a, next)
  return one / (one + gamma(b, next))
}

/** Gamma(shape) by Marsaglia & Tsang (2000); below 1 by  Gamma(a) = Gamma(a + 1) · u^(1/a). */
function gamma(shape: number, next: () => number): number {
  if (shape < 1) return gamma(shape + 1, next) * next() ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(next()) < (x * x) / 2 + d * (1 - v + Math.log(v))) return d * v
  }
}
