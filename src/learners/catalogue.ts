import { AlisError, requireInput } from '../core/errors.ts'
import type { FeatureBlocks, StepWish } from '../core/feature-blocks.ts'
import type { LearnedModel } from '../core/model.ts'
import type { TreesModel } from '../core/trees-model.ts'
import { defaultLoss, type LossName, losses } from '../losses/catalogue.ts'
import { autoLearner, type Candidate, type Candidates } from './auto.ts'
import { overLeading } from './leading-columns.ts'
import type { Learner } from './learner.ts'
import { marginLearner } from './margin-learner.ts'
import { multinomialLearner } from './multinomial.ts'
import { treesLearner } from './trees.ts'

/** What a learner is to be made for. */
export interface LearnerRequest {
  readonly loss: LossName
  readonly classes: number
  readonly l2: number
  /** The features of the pool. */
  readonly blocks: FeatureBlocks
  /** Whether trees can be scored where the pool lies. */
  readonly hasTrees: boolean
}

interface LearnerEntry {
  /** One line for help and tables. */
  readonly summary: string
  /** Further features that it needs of a pool. */
  readonly steps?: Pick<StepWish, 'landmarks' | 'cuts'>
  make(request: LearnerRequest): Learner<LearnedModel>
}

/** Every learner by name. */
export const learners = {
  linear: {
    summary: 'weights for the columns as they are',
    make: (request) => overBase(request, linearOver(request, request.blocks.base)),
  },
  landmarks: {
    summary: 'weights for the columns and for how alike a point is to some points of the pool',
    steps: { landmarks: 256, cuts: 0 },
    make: (request) => overBase(request, linearOver(request, request.blocks.base + request.blocks.landmarks)),
  },
  thermometer: {
    summary: 'weights for the columns, landmarks, and which of some cuts each column is above',
    steps: { landmarks: 256, cuts: 16 },
    make: (request) => overBase(request, linearOver(request, widthOf(request.blocks))),
  },
  trees: {
    summary: 'extremely randomised trees, for pools in memory',
    make: (request) => overBase(request, treesOver(request)),
  },
  auto: {
    summary:
      'the default: the best of linear, landmarks and trees and of their penalties, chosen now and then by cross-validation on the labels at hand',
    steps: { landmarks: 256, cuts: 0 },
    make: (request) => overBase(request, autoLearner(candidatesFor(request))),
  },
} as const satisfies Record<string, LearnerEntry>

export type LearnerName = keyof typeof learners

/** What fits models where nothing else is said: what projects keep to that do not say. */
export const plainLearner = 'linear' satisfies LearnerName

export const learnerNames = Object.keys(learners) as readonly LearnerName[]

/** What further features a pool needs for a learner; undefined for none. */
export function stepsFor(name: LearnerName, bytes: number): StepWish | undefined {
  const { steps }: LearnerEntry = learners[name]
  return steps && { ...steps, bytes }
}

/** Boundaries between classes are looked at in the columns alone: what is made of them would only be more of the same. */
const overBase = ({ blocks }: LearnerRequest, learner: Learner<LearnedModel>): Learner<LearnedModel> => ({
  ...learner,
  plainColumns: blocks.base,
})

/** What minimises a loss over so many classes. */
export function learnerFor(loss: LossName, classes: number, l2: number): Learner {
  if (classes === 2) return marginLearner(losses[loss], { l2 })
  if (loss === defaultLoss) return multinomialLearner({ l2 })
  throw new AlisError(
    'bad-input',
    `loss: for ${classes} classes it must be ${defaultLoss}, got ${loss}`,
    'Choose one class with --positive.',
  )
}

/** On the first features alone. */
const linearOver = ({ loss, classes, l2 }: LearnerRequest, columns: number): Learner =>
  overLeading(learnerFor(loss, classes, l2), columns)

function treesOver({ loss, classes, blocks, hasTrees }: LearnerRequest): Learner<TreesModel> {
  requireInput(
    hasTrees && !blocks.isSparse,
    `learner: one that is linear in the features is required ${blocks.isSparse ? 'for texts' : 'where the pool lies'}, got trees`,
    blocks.isSparse ? 'Use --learner linear.' : 'Keep the pool in memory, in 32 bits: --engine memory.',
  )
  requireInput(loss === defaultLoss, `loss: it must be ${defaultLoss} for trees, got ${loss}`)
  return overLeading(treesLearner(classes), blocks.base)
}

const widthOf = ({ base, landmarks, cuts }: FeatureBlocks): number => base + landmarks + cuts

/** Features from which on trees take too long to be tried. */
const mostForTrees = 1024

/** What `auto` chooses from: the plain learner first, each with penalties that may suit it better. */
function candidatesFor(request: LearnerRequest): Candidates {
  const { blocks, l2, loss } = request
  const { base, landmarks } = blocks
  const penalised = (name: string, columns: number): Candidate => ({
    name,
    learner: linearOver(request, columns),
    variants: [10, 0.1].map((factor) => ({
      name: `${name} (penalty ${factor * l2})`,
      learner: linearOver({ ...request, l2: factor * l2 }, columns),
    })),
  })
  const linear: Candidates['linear'] = [
    penalised('linear', base),
    ...(landmarks > 0 ? [penalised('landmarks', base + landmarks)] : []),
  ]
  const canVote = request.hasTrees && !blocks.isSparse && base <= mostForTrees && loss === defaultLoss
  return { linear, ...(canVote && { trees: treesOver(request) }) }
}
