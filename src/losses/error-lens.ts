import { emptyBelief, type Reader } from '../core/belief.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import { predictedClass, predictedClassFormula } from '../core/model.ts'
import { clip } from '../core/numbers.ts'
import type { ScoreTransform } from '../core/score-transform.ts'

/** A classifier's scores as an audit needs them: the logit of the chance that its prediction is wrong, and the class it predicts. */
export function errorLens(loss: Reader, classes: number): ScoreTransform {
  const belief = emptyBelief(classes)
  const seen = new Float64Array(2)
  const { express } = loss
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
    ...(express && {
      express(scores: readonly Formula[]): readonly Formula[] {
        // The predicted class is the likeliest wherever scores are read by a loss.
        const right = f.clip(f.largest(...express(scores, classes).probabilities), 0.001, 0.999)
        return [f.log(f.quotient(f.difference(1, right), right)), predictedClassFormula(scores)]
      },
    }),
  }
}
