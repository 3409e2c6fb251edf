import type { LearnerChoice } from '../core/learner-choice.ts'
import { isLearned, type LearnedModel, linearModel, type Model } from '../core/model.ts'
import { type TreesModel, treesModel } from '../core/trees-model.ts'
import { blendLearner } from './blend.ts'
import type { Learner, TrainingSet } from './learner.ts'
import { judged, unseenScores, type Validation } from './validation.ts'

/** A linear learner to choose, and what else it could be with another penalty. */
export interface Candidate {
  readonly name: string
  readonly learner: Learner
  readonly variants?: readonly Omit<Candidate, 'variants'>[]
}

/** What there is to choose from: the first is used until there are labels enough. Trees also together with the best of the linear ones. */
export interface Candidates {
  readonly linear: readonly [Candidate, ...Candidate[]]
  readonly trees?: Learner<TreesModel> | undefined
}

/** Labels that a choice is made by, at least; the next is made when there are so many times as many. */
const fewest = 50
const growth = 2

/**
 * Chooses by cross-validation on the labels at hand, now and then as their number grows, and multiplies scores by what makes them right about labels
 * that were not seen. The choice is part of the model, and so on record before the next draw.   @see docs/equations.md#choice
 */
export function autoLearner(candidates: Candidates): Learner<LearnedModel> {
  const [{ learner: first }] = candidates.linear
  const byName = learnersOf(candidates)
  const { loss, l2 } = first
  return {
    name: 'auto',
    loss,
    ...(l2 !== undefined && { l2 }),
    async fit(training, classes, previous) {
      const kept = keptChoice(training, previous)
      const choice = kept && byName.has(kept.learner) ? kept : await newChoice(candidates, training, classes)
      const learner = choice ? byName.get(choice.learner)! : first
      const fitted = await learner.fit(training, classes, previous)
      return choice ? withChoice(fitted, choice) : fitted
    },
  }
}

const onlyTrees = 'trees'
const withTrees = (name: string) => `trees + ${name}`

/** Everything that can be chosen, by name. */
function learnersOf({ linear, trees }: Candidates): ReadonlyMap<string, Learner<LearnedModel>> {
  const plain = linear.flatMap((each) => [each, ...(each.variants ?? [])])
  return new Map<string, Learner<LearnedModel>>([
    ...plain.map(({ name, learner }) => [name, learner] as const),
    ...(trees ? [[onlyTrees, trees] as const] : []),
    ...(trees ? plain.map(({ name, learner }) => [withTrees(name), blendLearner(learner, trees)] as const) : []),
  ])
}

/** The choice of the previous model, while it holds. */
function keptChoice({ labels }: TrainingSet, previous: Model | undefined): LearnerChoice | undefined {
  const choice = previous && isLearned(previous) ? previous.choice : undefined
  return choice && labels.length < growth * choice.labels ? choice : undefined
}

/** None while there are too few labels, or one class alone. Of the best linear learner all variants are tried, and the best of these with trees. */
async function newChoice(
  { linear, trees }: Candidates,
  training: TrainingSet,
  classes: readonly string[],
): Promise<LearnerChoice | undefined> {
  const labels = training.labels.length
  if (labels < fewest || new Set(training.labels).size < 2) return undefined
  const judge = (learner: string, scores: Float64Array): Tried => ({
    learner,
    scores,
    ...judged(scores, training, classes, linear[0].learner.loss),
  })
  const tryOne = async (name: string, learner: Learner<LearnedModel>) =>
    judge(name, await unseenScores(learner, training, classes))

  const tried: Tried[] = []
  for (const { name, learner } of linear) tried.push(await tryOne(name, learner))
  const { variants = [] } = linear.find(({ name }) => name === bestOf(tried).learner)!
  for (const { name, learner } of variants) tried.push(await tryOne(name, learner))
  if (trees) {
    const beside = bestOf(tried)
    const voted = await tryOne(onlyTrees, trees)
    const halfway = voted.scores.map((score, k) => (score + beside.scores[k]!) / 2)
    tried.push(voted, judge(withTrees(beside.learner), halfway))
  }
  const { learner, scale } = bestOf(tried)
  return { learner, labels, scale, tried: tried.map(({ learner, error, logLoss }) => ({ learner, error, logLoss })) }
}

/** `scores`: of labels that it had not seen. */
type Tried = Validation & { readonly learner: string; readonly scores: Float64Array }

/** Errors are what counts, and of few labels they are counted coarsely: the log-loss tells sooner. */
const costOf = ({ error, logLoss }: Validation): number => error + 0.2 * logLoss

const bestOf = (tried: readonly Tried[]): Tried => tried.reduce((best, each) => (costOf(each) < costOf(best) ? each : best))

function withChoice(model: LearnedModel, choice: LearnerChoice): LearnedModel {
  if (model.kind === 'trees') return treesModel({ ...model, choice })
  const { scale } = choice
  const weights = model.weights.map((row) => row.map((weight) => scale * weight))
  return linearModel({ ...model, weights, intercepts: model.intercepts.map((value) => scale * value), choice })
}
