import type { BeliefFormulas, Reader } from '../core/belief.ts'
import { kernelFor } from '../core/declared-kernel.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import { memoize } from '../core/memoize.ts'
import { predictedClass, predictedClassFormula } from '../core/model.ts'

/** Reads probabilities as the given loss does, and losses as errors: 0 for the predicted class, 1 for every other. One reader for one loss. */
export const errorOf: (reader: Reader) => Reader = memoize(errorReader)

function errorReader(reader: Reader): Reader {
  const { express } = reader
  const kernel = kernelFor(reader.kernel, reader.read)
  const read: Reader['read'] = (scores, into) => {
    reader.read(scores, into)
    into.losses.fill(1)
    into.losses[predictedClass(scores)] = 0
  }
  return {
    name: `error of ${reader.name}`,
    read,
    ...((kernel === 'sigmoid' || kernel === 'softmax') && { kernel: { name: `${kernel}-error`, computes: read } }),
    ...(express && {
      express(scores: readonly Formula[], classes: number): BeliefFormulas {
        const predicted = predictedClassFormula(scores)
        const { probabilities } = express(scores, classes)
        return { probabilities, losses: probabilities.map((_, k) => f.ifEqual(predicted, k, 0, 1)) }
      },
    }),
  }
}
