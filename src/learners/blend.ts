import { type LinearModel, linearModel, type Model } from '../core/model.ts'
import { type TreesModel, treesModel } from '../core/trees-model.ts'
import type { Learner } from './learner.ts'

/** Trees and a linear model side by side: their scores are means of both, so that chances are geometric means, brought to sum 1.   @see docs/equations.md#blend */
export function blendLearner(linear: Learner, trees: Learner<TreesModel>): Learner<TreesModel> {
  return {
    ...trees,
    ...(linear.l2 !== undefined && { l2: linear.l2 }),
    name: 'blend',
    async fit(training, classes, previous) {
      const { weights, intercepts } = await linear.fit(training, classes, previous && linearPart(previous))
      return treesModel({ ...(await trees.fit(training, classes)), beside: { weights, intercepts } })
    },
  }
}

/** To start from: of another kind, none. */
function linearPart(model: Model): LinearModel | undefined {
  if (model.kind === 'linear') return model
  return model.kind === 'trees' && model.beside
    ? linearModel({ loss: model.loss, classes: model.classes, ...model.beside })
    : undefined
}
