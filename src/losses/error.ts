import type { Reader } from '../core/belief.ts'
import { predictedClass } from '../core/model.ts'

/** Reads probabilities as the given loss does, and losses as errors: 0 for the predicted class, 1 for every other. */
export function errorOf(reader: Reader): Reader {
  return {
    name: `error of ${reader.name}`,
    read(scores, into) {
      reader.read(scores, into)
      into.losses.fill(1)
      into.losses[predictedClass(scores)] = 0
    },
  }
}
