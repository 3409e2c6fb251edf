import type { Reader } from '../core/belief.ts'
import type { FeatureRows } from '../core/features.ts'
import type { LinearModel, Model } from '../core/model.ts'

/** The labelled points a model learns from: row i has class labels[i] and counts weights[i]. */
export interface TrainingSet {
  readonly features: FeatureRows
  readonly labels: readonly number[]
  readonly weights: readonly number[]
  /** Whose rows these are, where that is known. */
  readonly ids?: readonly string[]
  /** The round that is drawn next, where that is known: 0 is the start. */
  readonly round?: number
  /** Whether the model is only wanted to see how good a learner is: it may then be as rough as does not show. */
  readonly isTrial?: boolean
}

/**
 * Fits a linear model by weighted empirical risk minimisation:
 *
 *   minimise  Σᵢ wᵢ ℓ(yᵢ, xᵢ·β + b)  +  (λ/2) (‖β‖² + b²/100)
 *
 * The intercept is penalised a hundredth as strongly as the weights, so that a finite best model exists even when
 * every label so far is of one class.   @see docs/equations.md#training
 */
export interface Learner<M extends Model = LinearModel> {
  readonly name: string
  /** How the scores of its models are read: the loss it minimises. */
  readonly loss: Reader
  /** λ, for strategies that reckon with it. */
  readonly l2?: number
  /** Features that boundaries are looked at in, for strategies that do: the first so many. All, if left out. */
  readonly plainColumns?: number
  /**
   * Deterministic: equal labels and an equal previous model give equal models, to the last bit. No labels give the model
   * whose every score is 0. `previous`: of fewer labels, to start from; what it leads to is the same, up to rounding.
   */
  fit(training: TrainingSet, classes: readonly string[], previous?: Model): M | Promise<M>
  /** Of a learner that holds something open. */
  close?(): Promise<void>
}

export interface LearnerOptions {
  /** Strength λ of the penalty. Default 1. */
  readonly l2?: number
}
