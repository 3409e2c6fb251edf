import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import { logistic } from '../losses/logistic.ts'
import { alisVariance } from './alis-variance.ts'

const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[2]], intercepts: [0.5] })

it('makes B = H⁻¹AH⁻¹ and H⁻¹ by the formulas, in one dimension and the constant', async () => {
  const trained = { features: dense(Float64Array.of(1, -2), 1), labels: [0, 1], weights: [1, 1] }
  const moment = Float64Array.of(3, 1, 1, 2)
  const [b, inverted] = (await alisVariance.forms!({
    model,
    loss: logistic,
    l2: 0.5,
    trained,
    plain: trained.features,
    momentOf: async () => moment,
  })) as [Float64Array, Float64Array]
  const v = [2.5, -3.5].map((z) => 1 / (1 + Math.exp(-z)) / (1 + Math.exp(z))) // p(1 − p)
  const h = [0.5 + v[0]! + 4 * v[1]!, v[0]! - 2 * v[1]!, 0.005 + v[0]! + v[1]!] as const // xx, x1, 11
  const determinant = h[0] * h[2] - h[1] ** 2
  const expected = [h[2] / determinant, -h[1] / determinant, -h[1] / determinant, h[0] / determinant]
  for (const [k, entry] of expected.entries()) expect(inverted[k]).toBeCloseTo(entry, 9)
  const at = (m: ArrayLike<number>, i: number, j: number) => m[2 * i + j]!
  for (const i of [0, 1])
    for (const j of [0, 1]) {
      let sum = 0
      for (const k of [0, 1]) for (const l of [0, 1]) sum += at(expected, i, k) * at(moment, k, l) * at(expected, l, j)
      expect(at(b, i, j)).toBeCloseTo(sum, 8)
    }
})

it('refuses more features than it can afford', async () => {
  const trained = { features: dense(new Float64Array(1001), 1001), labels: [0], weights: [1] }
  const wide = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [new Array(1001).fill(0)], intercepts: [0] })
  await expect(
    alisVariance.forms!({
      model: wide,
      loss: logistic,
      l2: 1,
      trained,
      plain: trained.features,
      momentOf: async () => new Float64Array(0),
    }),
  ).rejects.toThrow('alis-variance: at most 1000 features are possible, got 1001')
})
