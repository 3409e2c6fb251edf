import type { Belief } from '../core/belief.ts'
import type { Draw } from '../core/draw.ts'
import type { FeatureRows } from '../core/features.ts'
import type { Uniforms } from '../core/randomness.ts'

/** What a selector sees of the pool: the points that may still be drawn, numbered from 0 on. */
export interface PoolView {
  readonly features: FeatureRows
  readonly masses: Float64Array
  /** What the model believes about a point. One object, filled anew at every call. */
  beliefAt(i: number): Belief
}

/**
 * Chooses a batch as a whole, from the features of the pool. It is sent to the engine, as a mass is: the pool does not come to it. The
 * design of its strategy says what the probabilities of its draws mean: those of `top` were certain.
 */
export interface Selector {
  readonly name: string
  select(view: PoolView, size: number, uniforms: Uniforms): readonly Draw[]
}
