import { leadingColumns } from '../core/features.ts'
import { type LearnedModel, type LinearModel, linearModel, type Model } from '../core/model.ts'
import { type LinearScores, type TreesModel, treesModel } from '../core/trees-model.ts'
import type { Learner } from './learner.ts'

/** The learner on the first columns alone: what it makes of them is a model of all, which does not look at the others. */
export function overLeading<M extends LearnedModel>(learner: Learner<M>, columns: number): Learner<M> {
  return {
    ...learner,
    async fit(training, classes, previous) {
      if (training.features.columns === columns) return learner.fit(training, classes, previous)
      const features = leadingColumns(training.features, columns)
      const fitted = await learner.fit({ ...training, features }, classes, previous && narrowed(previous, columns))
      return widened(fitted, training.features.columns) as M
    },
  }
}

/** To start from, and for nothing else: its identity is that of the whole. */
function narrowed(model: Model, columns: number): Model {
  return model.kind === 'linear' ? { ...model, weights: model.weights.map((row) => row.slice(0, columns)) } : model
}

function widened(model: LinearModel | TreesModel, width: number): LearnedModel {
  const wide = (rows: LinearScores['weights']) => rows.map((row) => [...row, ...new Array<number>(width - row.length).fill(0)])
  if (model.kind === 'trees') {
    const { beside } = model
    return treesModel({ ...model, width, ...(beside && { beside: { ...beside, weights: wide(beside.weights) } }) })
  }
  const weights = wide(model.weights)
  return linearModel({ ...model, weights })
}
