import type { Reader } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import { isLearned, type Model } from '../core/model.ts'
import type { Engine } from '../engines/engine.ts'
import { losses } from '../losses/catalogue.ts'
import { stratifyModel } from '../losses/strata.ts'
import type { AuditSubject } from '../questions/subject.ts'
import { learnedBefore } from './learned.ts'

/**
 * A model that was learned as something to audit, over the pool of an engine. On the record of its learning, an audit of its error starts from
 * what the answers there say. `loss`: how its scores are read as probabilities; default: by
 * the loss that it was fitted with, and as logits or logarithms of chances where they are columns of the pool.
 *
 * @example audit({ subject: modelSubject(engine, model), questions: [question('error')], … })
 */
export function modelSubject(
  engine: Pick<Engine, 'stratified' | 'compare' | 'features' | 'take'>,
  model: Model,
  loss: Reader = lossOf(model),
): AuditSubject {
  const { id, classes } = model
  const { stratify } = stratifyModel(loss, classes.length)
  return {
    pool: engine.stratified(model, stratify),
    frame: { classes, models: ['model'], slices: [] },
    model: id,
    learned: (record) => learnedBefore({ engine, model, loss }, record),
  }
}

function lossOf(model: Model): Reader {
  if (!isLearned(model)) return model.classes.length === 2 ? losses.logistic : losses['cross-entropy']
  const names = Object.keys(losses) as (keyof typeof losses)[]
  const name = names.find((one) => one === model.loss)
  requireInput(
    name !== undefined,
    `model: a loss among ${names.join(', ')} is required, got ${model.loss}`,
    'Give the loss that its scores are read by.',
  )
  return losses[name]
}
