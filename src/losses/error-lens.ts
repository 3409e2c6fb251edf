import { emptyBelief, type Reader } from '../core/belief.ts'
import type { Lens } from '../core/lens.ts'
import { predictedClass } from '../core/model.ts'
import { clip } from '../core/numbers.ts'

/** Sees a classifier's scores as an audit does: the logit of the chance that its prediction is wrong, and the class it predicts. */
export function errorLens(loss: Reader, classes: number): Lens {
  const belief = emptyBelief(classes)
  const seen = new Float64Array(2)
  return {
    name: `error of ${loss.name}`,
    see(scores) {
      loss.read(scores, belief)
      const predicted = predictedClass(scores)
      const right = clip(belief.probabilities[predicted]!, 0.001, 0.999)
      seen[0] = Math.log((1 - right) / right)
      seen[1] = predicted
      return seen
    },
  }
}
