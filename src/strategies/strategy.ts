import type { Reader } from '../core/belief.ts'
import type { FeatureRows } from '../core/features.ts'
import type { LearnedModel } from '../core/model.ts'
import type { QuadraticForm } from '../core/quadratic-form.ts'
import type { RoundFacts } from '../core/record.ts'
import type { Design } from '../designs/design.ts'
import type { TrainingSet } from '../learners/learner.ts'
import type { Mass } from '../masses/mass.ts'
import type { Selector } from './selector.ts'

/** A named choice of mass, design and weights: what a user picks. */
export interface Strategy {
  readonly name: string
  /** One line for help and tables. */
  readonly summary: string
  readonly mass: Mass
  readonly design: Design
  /** What the next model learns from: every label so far, or only those of the latest round (the paper). */
  readonly trainsOn: 'all' | 'batch'
  /** Default exponent of the training weights: 1 in full, 0 none. */
  readonly weighting: number
  /** Features that it can work with at most; any number if left out. */
  readonly mostFeatures?: number
  /** What it does otherwise in pools of some size. */
  readonly suited?: Suited
  /** The mass, where it depends on the record so far. */
  massAfter?(rounds: readonly RoundFacts[]): Mass
  /** Quadratic forms of the features that the mass needs, made anew before each draw. */
  forms?(context: FormContext): Promise<readonly QuadraticForm[]>
  /** Chooses the points in place of the design, where a batch must be looked at as a whole. */
  selector?(trained: TrainingSet): Selector
}

/** Changes for pools of some size: what pays in a small one may be too dear in a large one. Made for one mass, and for no other. */
export interface Suited {
  readonly mass: Mass
  to(pool: PoolShape): Partial<Pick<Strategy, 'mass' | 'forms'>>
}

interface PoolShape {
  readonly size: number
  readonly columns: number
}

/**
 * The strategy as it suits a pool. Changes are made to the mass they were made for and stand in for what is left unsaid: a strategy that
 * is spread from another and brings a mass or forms of its own keeps them.
 */
export function suitedTo(strategy: Strategy, pool: PoolShape): Strategy {
  const { suited, mass, massAfter, forms } = strategy
  if (!suited || suited.mass !== mass || massAfter || forms) return strategy
  const changes = suited.to(pool)
  return { ...changes, ...strategy, mass: changes.mass ?? mass }
}

/** The features x of some points, and the share of all mass that each stands for: 1 together. */
export interface DrawnRows {
  readonly features: FeatureRows
  readonly shares: Float64Array
}

/** What forms can be made from. */
export interface FormContext {
  readonly model: LearnedModel
  readonly loss: Reader
  /** The learner's penalty. */
  readonly l2: number
  /** What the model was fitted to. */
  readonly trained: TrainingSet
  /** The same rows, with the features x that forms are of. */
  readonly plain: FeatureRows
  /** So many points, or all that are left, drawn by a mass: not to be asked, and not on record. */
  drawBy(mass: Mass, size: number): Promise<DrawnRows>
}
