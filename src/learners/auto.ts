import { requireInput } from '../core/errors.ts'
import type { LearnerChoice } from '../core/learner-choice.ts'
import { isLearned, type LearnedModel, linearModel, type Model } from '../core/model.ts'
import { treesModel } from '../core/trees-model.ts'
import type { Learner, TrainingSet } from './learner.ts'
import { type Validation, validate } from './validation.ts'

/** A learner to choose, and what else it could be with another penalty. */
export interface Candidate {
  readonly name: string
  readonly learner: Learner<LearnedModel>
  readonly variants?: readonly Omit<Candidate, 'variants'>[]
}

/** Labels that a choice is made by, at least; the next is made when there are so many times as many. */
const fewest = 50
const growth = 2

/**
 * Chooses by cross-validation on the labels at hand, now and then as their number grows, and multiplies scores by what makes them right about labels
 * that were not seen. The choice is part of the model, and so on record before the next draw. The first candidate is used until there are labels
 * enough.   @see docs/equations.md#choice
 */
export function autoLearner(candidates: readonly Candidate[]): Learner<LearnedModel> {
  const [first] = candidates
  requireInput(first !== undefined, 'auto: at least one learner to choose is required, got none')
  const byName = new Map(
    candidates.flatMap((each) => [each, ...(each.variants ?? [])]).map(({ name, learner }) => [name, learner]),
  )
  const { loss, l2 } = first.learner
  return {
    name: 'auto',
    loss,
    ...(l2 !== undefined && { l2 }),
    async fit(training, classes, previous) {
      const kept = keptChoice(training, previous)
      const choice = kept && byName.has(kept.learner) ? kept : await newChoice(candidates, training, classes)
      const learner = choice ? byName.get(choice.learner)! : first.learner
      const fitted = await learner.fit(training, classes, previous)
      return choice ? withChoice(fitted, choice) : fitted
    },
  }
}

/** The choice of the previous model, while it holds. */
function keptChoice({ labels }: TrainingSet, previous: Model | undefined): LearnerChoice | undefined {
  const choice = previous && isLearned(previous) ? previous.choice : undefined
  return choice && labels.length < growth * choice.labels ? choice : undefined
}

/** None while there are too few labels, or one class alone. Of the best candidate all variants are tried. */
async function newChoice(
  candidates: readonly Candidate[],
  training: TrainingSet,
  classes: readonly string[],
): Promise<LearnerChoice | undefined> {
  const labels = training.labels.length
  if (labels < fewest || new Set(training.labels).size < 2) return undefined
  const tried = await tryAll(candidates, training, classes)
  const { variants = [] } = candidates.find(({ name }) => name === bestOf(tried).learner)!
  tried.push(...(await tryAll(variants, training, classes)))
  const { learner, scale } = bestOf(tried)
  return { learner, labels, scale, tried: tried.map(({ learner, error, logLoss }) => ({ learner, error, logLoss })) }
}

type Tried = Validation & { readonly learner: string }

async function tryAll(candidates: readonly Candidate[], training: TrainingSet, classes: readonly string[]): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const { name, learner } of candidates) tried.push({ learner: name, ...(await validate(learner, training, classes)) })
  return tried
}

/** Errors are what counts, and of few labels they are counted coarsely: the log-loss tells sooner. */
const costOf = ({ error, logLoss }: Validation): number => error + 0.2 * logLoss

const bestOf = (tried: readonly Tried[]): Tried => tried.reduce((best, each) => (costOf(each) < costOf(best) ? each : best))

function withChoice(model: LearnedModel, choice: LearnerChoice): LearnedModel {
  if (model.kind === 'trees') return treesModel({ ...model, choice })
  const { scale } = choice
  const weights = model.weights.map((row) => row.map((weight) => scale * weight))
  return linearModel({ ...model, weights, intercepts: model.intercepts.map((value) => scale * value), choice })
}
