import type { Design } from '../designs/design.ts'
import type { Mass } from '../masses/mass.ts'

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
}
