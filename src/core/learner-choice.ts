/** How the learner of a model was chosen among several, from the labels at hand. On record with the model, and the same until it is chosen again. */
export interface LearnerChoice {
  readonly learner: string
  /** Labels it was chosen by. */
  readonly labels: number
  /** What scores are multiplied by, so that they are right about labels that the model has not seen. */
  readonly scale: number
  /** What each learner that could be chosen came to on labels it had not seen. */
  readonly tried: readonly TriedLearner[]
}

export interface TriedLearner {
  readonly learner: string
  /** Share of the labels that were predicted wrongly. */
  readonly error: number
  readonly logLoss: number
}

export function frozenChoice({ learner, labels, scale, tried }: LearnerChoice): LearnerChoice {
  const each = tried.map(({ learner, error, logLoss }) => Object.freeze({ learner, error, logLoss }))
  return Object.freeze({ learner, labels, scale, tried: Object.freeze(each) })
}
