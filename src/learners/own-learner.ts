import { requireInput } from '../core/errors.ts'
import { identityOf } from '../core/hash.ts'
import type { ColumnModel } from '../core/model.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import type { Learner, TrainingSet } from './learner.ts'

/** A label that a model of one's own learns from. */
export interface OwnLabel {
  readonly id: string
  readonly label: string
  readonly weight: number
}

/** What a model of one's own is to be fitted to. */
export interface OwnFit {
  readonly labels: readonly OwnLabel[]
  readonly classes: readonly string[]
  /** The round that is drawn next. */
  readonly round: number
}

/** What a model says of a pool. */
export interface OwnScores {
  /** What the model is called: goes on record with it. */
  readonly identity: string
  /** By id, of every point: the probability of each class, in the order of the classes. */
  readonly probabilities: ReadonlyMap<string, readonly number[]>
}

/** Takes in what models say of every point of its pool. */
export interface ScoreKeeper<Scores = OwnScores> {
  readonly classes: readonly string[]
  /** The model of no labels, to which all classes are alike. */
  blank(): Promise<ColumnModel>
  /** The model that was fitted to these labels, by their identity, if it is kept. */
  known(labels: string): Promise<ColumnModel | undefined>
  /** Checks scores, and keeps them: they are the model from now on. */
  keep(scores: Scores, labels: string): Promise<ColumnModel>
}

/**
 * Any model: `fit` gets the ids, labels and weights, and returns the probabilities of every point. It is asked once for the same
 * labels where the keeper is on disk, however often a run is stopped and gone on with.
 */
export function ownLearner<Scores = OwnScores>(
  name: string,
  keeper: ScoreKeeper<Scores>,
  fit: (request: OwnFit) => Scores | Promise<Scores>,
): Learner<ColumnModel> {
  return {
    name,
    loss: keeper.classes.length === 2 ? logistic : crossEntropy,
    async fit(training, classes) {
      requireInput(
        classes.join('\n') === keeper.classes.join('\n'),
        `${name}: the classes of the pool are required, ${keeper.classes.join(', ')}, got ${classes.join(', ')}`,
      )
      if (training.labels.length === 0) return keeper.blank()
      const labels = labelsIn(training, classes)
      const identity = identityOf({ labels, classes })
      const known = await keeper.known(identity)
      return known ?? keeper.keep(await fit({ labels, classes, round: training.round ?? 0 }), identity)
    },
  }
}

function labelsIn({ ids, labels, weights }: TrainingSet, classes: readonly string[]): OwnLabel[] {
  requireInput(ids !== undefined, 'training: the ids of the points are required for a model of your own, got none')
  return ids.map((id, i) => ({ id, label: classes[labels[i]!]!, weight: weights[i]! }))
}
