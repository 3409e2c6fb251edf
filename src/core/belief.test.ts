import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Belief,
  expectedLossOf,
  marginFormula,
  marginOf,
  predictedError,
  predictedErrorFormula,
  type Reader,
  worstLoss,
  worstLossFormula,
} from './belief.ts'
import { evaluate, type Formula } from './formula.ts'

const beliefs = fc
  .array(fc.record({ mass: fc.double({ min: 1e-3, max: 1, noNaN: true }), loss: fc.double({ min: 0, max: 9, noNaN: true }) }), {
    minLength: 2,
    maxLength: 5,
  })
  .map((classes): Belief => {
    const total = classes.reduce((sum, { mass }) => sum + mass, 0)
    const [probabilities, losses] = [classes.map(({ mass }) => mass / total), classes.map(({ loss }) => loss)]
    return { probabilities: Float64Array.from(probabilities), losses: Float64Array.from(losses), forms: new Float64Array(0) }
  })
const columns = (name: string, values: Float64Array): Formula[] => [...values.keys()].map((k) => ({ column: `${name}${k}` }))

it('a margin, a chance to be wrong and the worst loss are those of the sorted classes, as numbers and as formulas', () => {
  fc.assert(
    fc.property(beliefs, (belief) => {
      const { probabilities, losses } = belief
      const [first, second] = [...probabilities].sort((a, b) => b - a) as [number, number]
      expect(marginOf(belief)).toBe(first - second)
      expect(predictedError(belief)).toBe(1 - first)
      expect(worstLoss(belief)).toBe(Math.max(...losses))
      const row = Object.fromEntries(
        [...probabilities].map((p, k) => [`p${k}`, p]).concat([...losses].map((l, k) => [`l${k}`, l])),
      )
      const formulas = { probabilities: columns('p', probabilities), losses: columns('l', losses) }
      expect(evaluate(marginFormula(formulas), row)).toBe(marginOf(belief))
      expect(evaluate(predictedErrorFormula(formulas), row)).toBe(predictedError(belief))
      expect(evaluate(worstLossFormula(formulas), row)).toBe(worstLoss(belief))
    }),
  )
})

it('what is expected to be lost is the mean loss by the chances, of two classes by one score', () => {
  const reader: Reader = {
    name: 'test',
    read(scores, { probabilities, losses }) {
      const all = scores.length === 1 ? [1 - scores[0]!, scores[0]!] : Array.from(scores)
      probabilities.set(all)
      losses.set(all.map((p) => 10 * (1 - p)))
    },
  }
  expect(expectedLossOf(reader, [0.25])).toBeCloseTo(0.75 * 2.5 + 0.25 * 7.5, 12)
  expect(expectedLossOf(reader, [0.5, 0.3, 0.2])).toBeCloseTo(0.5 * 5 + 0.3 * 7 + 0.2 * 8, 12)
})
