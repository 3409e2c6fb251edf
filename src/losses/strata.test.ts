import { describe, expect, it } from 'vitest'
import { emptyBelief, type Reader } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { predictedClass } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { doubtPlace, sharePlace, stratumCodes } from '../core/strata.ts'
import { losses } from './catalogue.ts'
import { crossEntropy } from './cross-entropy.ts'
import { logistic } from './logistic.ts'
import { stratifyModel } from './strata.ts'

const binary = Object.values(losses).filter((loss) => loss !== crossEntropy)
const cases: [string, Reader, number][] = [
  ...binary.map((loss): [string, Reader, number] => [loss.name, loss, 2]),
  ['three classes', crossEntropy, 3],
  ['twelve classes', crossEntropy, 12],
]

const scoresAt = (i: number, width: number) =>
  Array.from({ length: width }, (_, k) => [0, 1, 8, 900][i % 4]! * (2 * uniform(5, `${k}`, `${i}`) - 1))

/** The places of a point, found by sorting the classes. */
function placesAt(scores: readonly number[], reader: Reader, classes: number) {
  const belief = emptyBelief(classes)
  reader.read(scores, belief)
  const { probabilities } = belief
  const predicted = predictedClass(scores)
  const others = [...probabilities.keys()].filter((k) => k !== predicted)
  const [second] = others.toSorted((a, b) => scores[b]! - scores[a]! || a - b)
  const rest = others.reduce((sum, k) => sum + probabilities[k]!, 0)
  return {
    predicted: [predicted],
    doubt: doubtPlace(1 - probabilities[predicted]!),
    runnerUp: classes > 2 ? second! : classes,
    share: classes > 2 ? sharePlace(rest > 0 ? probabilities[second!]! / rest : 0) : 0,
    grade: 0,
    slices: [],
  }
}

describe.each(cases)('strata of a classifier: %s', (_, reader, classes) => {
  const { axes, stratify } = stratifyModel(reader, classes)
  const codes = stratumCodes(axes)
  const width = classes === 2 ? 1 : classes

  it('are the predicted class, the doubt and the runner-up, with its share', () => {
    for (let i = 0; i < 400; i++) {
      const scores = scoresAt(i, width)
      expect(stratify.code(scores)).toBe(codes.code(placesAt(scores, reader, classes)))
    }
  })

  it('are the same by formula', () => {
    const formula = stratify.express!(Array.from({ length: width }, (_, k) => f.column(`s${k}`)))
    for (let i = 0; i < 400; i++) {
      const scores = scoresAt(i, width)
      const columns = Object.fromEntries(scores.map((score, k) => [`s${k}`, score]))
      expect(f.evaluate(formula, columns)).toBe(stratify.code(scores))
    }
  })
})

it('say what was believed, to a sixteenth of a logit and of a share', () => {
  const { axes, stratify } = stratifyModel(crossEntropy, 4)
  const stratum = stratumCodes(axes).stratum(stratify.code([0.7, 2, -1, 1.2]))
  const [a, b, c, d] = [0.7, 2, -1, 1.2].map(Math.exp) as [number, number, number, number]
  expect(stratum).toMatchObject({ predicted: [1], runnerUp: 3, grade: 0, slices: [] })
  expect(Math.abs(stratum.doubt - Math.log((a + c + d) / b))).toBeLessThanOrEqual(1 / 32)
  expect(Math.abs(stratum.runnerUpShare - d / (a + c + d))).toBeLessThanOrEqual(1 / 16)
  const two = stratifyModel(logistic, 2)
  expect(stratumCodes(two.axes).stratum(two.stratify.code([-3]))).toMatchObject({ predicted: [0], doubt: -3, runnerUp: -1 })
})

it('have no formula where the loss has none', () => {
  const { express: _, ...silent } = logistic
  expect(stratifyModel(silent, 2).stratify.express).toBeUndefined()
})
