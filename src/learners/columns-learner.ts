import type { ColumnModel } from '../core/model.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import type { Learner } from './learner.ts'

/**
 * Learns nothing: the model is fitted elsewhere, and its chances are kept in columns of the pool. What is there before a round is the model of
 * that round. `look` gives its identity, and makes sure that the engine has the same.
 */
export function columnsLearner(classes: number, look: () => Promise<ColumnModel>): Learner<ColumnModel> {
  return { name: 'columns', loss: classes === 2 ? logistic : crossEntropy, fit: () => look() }
}
