import type { Reader } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import type { StepWish } from '../core/feature-blocks.ts'
import type { Model } from '../core/model.ts'
import { elsewhereLearner, type Fitting, isElsewhere } from '../elsewhere/elsewhere-learner.ts'
import { blocksOf } from '../features/steps.ts'
import { type LearnerName, learnerFor, learners, plainLearner, stepsFor } from '../learners/catalogue.ts'
import { columnsLearner } from '../learners/columns-learner.ts'
import type { Learner } from '../learners/learner.ts'
import type { LossName } from '../losses/catalogue.ts'
import { alis } from '../strategies/alis.ts'
import { type EngineName, memoryFor } from './pools/engine-choice.ts'
import type { Bits, PoolData } from './pools/pool-data.ts'

interface LearnerWish {
  readonly strategy: string
  readonly learner?: LearnerName | undefined
  readonly scores?: readonly string[] | undefined
  readonly elsewhere?: boolean | undefined
  readonly memory?: number | undefined
}

/**
 * What goes on record of a learner: its name, also where none was chosen, and what further features it needs. The default strategy goes with any
 * model, and so with the best. The others are there to be compared by how they draw: with the plain learner, as they are known.
 */
export function learnerSettings(wish: LearnerWish): { readonly learner?: LearnerName; readonly steps?: StepWish } {
  const { strategy, scores, elsewhere = false } = wish
  if (scores !== undefined || elsewhere) {
    const hint = 'Leave it out, or what else makes the scores.'
    requireInput(
      wish.learner === undefined,
      `--learner: none is possible where scores come from elsewhere, got ${wish.learner}`,
      hint,
    )
    return {}
  }
  const learner = wish.learner ?? (strategy === alis.name ? 'auto' : plainLearner)
  const steps = stepsFor(learner, Math.min(memoryFor(wish), mostBytes))
  return { learner, ...(steps && { steps }) }
}

/** Bytes of features with which a round takes a tenth of a second or two. */
const mostBytes = 2 ** 31

interface LearnerSettings {
  readonly learner?: LearnerName | undefined
  readonly loss: LossName
  readonly l2: number
  readonly bits?: Bits | undefined
}

type LearnedPool = Pick<PoolData, 'classes' | 'look' | 'elsewhere' | 'recipe'> & {
  readonly engineName?: EngineName | 'clickhouse'
}

/** What makes the models of a pool: a learner by name, a program or service, or one that takes over the scores that another program keeps in columns. */
export function learnerOf(
  { classes, look, elsewhere, recipe, engineName = 'memory' }: LearnedPool,
  { learner = plainLearner, loss, l2, bits = 32 }: LearnerSettings,
  wish: Fitting = {},
): Learner<Model> {
  if (elsewhere) return elsewhereLearner(elsewhere, wish)
  requireInput(
    !isElsewhere(wish),
    '--learner-command: a project that began with it is required, got one whose models are fitted here',
    'Leave it out, or begin another project.',
  )
  if (look) return columnsLearner(classes.length, look)
  requireInput(
    engineName !== 'clickhouse' || recipe.steps !== undefined || learner === 'auto' || stepsFor(learner, 0) === undefined,
    `--learner: linear or auto is required where no further features can be made, got ${learner}`,
    'On ClickHouse they are made by servers that know dotProduct (23 and later), of pools up to some million points.',
  )
  const hasTrees = engineName === 'memory' && bits === 32
  return learners[learner].make({ loss, classes: classes.length, l2, blocks: blocksOf(recipe), hasTrees })
}

/** How the scores of its models are read, whichever learner made them. */
export const readerOf = (
  { classes, look }: Pick<PoolData, 'classes' | 'look'>,
  { loss, l2 }: Pick<LearnerSettings, 'loss' | 'l2'>,
): Reader => (look ? columnsLearner(classes.length, look) : learnerFor(loss, classes.length, l2)).loss
