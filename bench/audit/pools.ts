import { logit } from '../../src/certificates/calibrated.ts'
import { sigmoid } from '../../src/core/numbers.ts'
import { hashIds, type Uniforms, uniformsOf } from '../../src/core/randomness.ts'

/** How the predicted chances relate to the true ones. */
export type Kind = 'calibrated' | 'overconfident' | 'underconfident' | 'shuffled'

export interface PoolRecipe {
  readonly seed: number
  readonly size: number
  readonly kind: Kind
  /** a of Beta(a, ·): the smaller, the better the chances tell points apart. 0.2 is an AUC of .91 at a rate of 5 %. */
  readonly shape: number
  /** Mean chance of being positive. Default 0.05. */
  readonly rate?: number
  /** Positive is predicted where the chance is above it. Default 1: nowhere, so that whatever is positive is an error. */
  readonly threshold?: number
}

/** Points that are positive or not, what two models predict of them, and how sure the first of them says it is. */
export interface MadePool {
  readonly ids: readonly string[]
  /** True chance of being positive. */
  readonly chances: Float64Array
  /** Logit of the same, as the model has it. */
  readonly scores: Float64Array
  /** 1 or 0: what is true, what the model predicts, and what another one does. */
  readonly truths: Float64Array
  readonly predictions: Float64Array
  readonly rivals: Float64Array
  /** 1 where the prediction is wrong, and their mean. */
  readonly losses: Float64Array
  readonly error: number
}

/**
 * A pool with  chanceᵢ ~ Beta(a, a(1 − rate)/rate),  truthᵢ ~ Bernoulli(chanceᵢ). All kinds of one seed have the same chances,
 * truths and predictions; only what the model says about its chances differs.
 */
export function makePool({ seed, size, kind, shape, rate = 0.05, threshold = 1 }: PoolRecipe): MadePool {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const hashes = hashIds(ids)
  const uniforms = (name: string) => uniformsOf({ seed, name: `pool/${name}` }, hashes)
  const [ofChance, ofTruth, ofOrder, ofRival] = [uniforms('chance'), uniforms('loss'), uniforms('order'), uniforms('rival')]
  const chances = Float64Array.from(ids, (_, i) => beta(shape, (shape * (1 - rate)) / rate, ofChance, i))
  const truths = chances.map((chance, i) => (ofTruth(i) <= chance ? 1 : 0))
  const predictions = chances.map((chance) => (chance > threshold ? 1 : 0))
  const rivals = chances.map((chance, i) => (chance + ofRival(i) - 0.5 > threshold ? 1 : 0))
  const losses = truths.map((truth, i) => Math.abs(truth - predictions[i]!))
  const error = losses.reduce((a, b) => a + b, 0) / size
  const scores = told(kind, chances.map(logit), logit(rate), ofOrder)
  return { ids, chances, scores, truths, predictions, rivals, losses, error }
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
