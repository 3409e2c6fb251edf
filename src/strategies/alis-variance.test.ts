import { expect, it } from 'vitest'
import { dense, type FeatureRows } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import { formAt } from '../core/quadratic-form.ts'
import { uniform } from '../core/randomness.ts'
import { logistic } from '../losses/logistic.ts'
import { alisVariance } from './alis-variance.ts'
import { factorOfCurvature, inverseForm } from './curvature.ts'

const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[2]], intercepts: [0.5] })

/** Three points along the boundary, whatever is drawn by. */
const along = dense(Float64Array.of(1, 3, -0.5), 1)
const drawnOf = (features: FeatureRows) => ({ features, shares: new Float64Array(features.rows).fill(1 / features.rows) })
const drawBy = async () => drawnOf(along)

it('makes B = H⁻¹AH⁻¹ and H⁻¹ by the formulas, in one dimension and the constant', async () => {
  const trained = { features: dense(Float64Array.of(1, -2), 1), labels: [0, 1], weights: [1, 1] }
  const forms = await alisVariance.forms!({ model, loss: logistic, l2: 0.5, trained, plain: trained.features, drawBy })
  const v = [2.5, -3.5].map((z) => 1 / (1 + Math.exp(-z)) / (1 + Math.exp(z))) // p(1 − p)
  const h = [0.5 + v[0]! + 4 * v[1]!, v[0]! - 2 * v[1]!, 0.005 + v[0]! + v[1]!] as const // xx, x1, 11
  const determinant = h[0] * h[2] - h[1] ** 2
  const product = (x: number, y: number) => (h[2] * x * y - h[1] * (x + y) + h[0]) / determinant // (x, 1)·H⁻¹(y, 1)
  for (const x of [-1, 0.3, 4]) {
    const [b, inverted] = forms.map((form) => formAt(form, Float64Array.of(x, 1)))
    expect(b).toBeCloseTo([1, 3, -0.5].reduce((sum, a) => sum + product(x, a) ** 2, 0) / 3, 9)
    expect(inverted).toBeCloseTo(product(x, x), 9)
  }
})

it('takes few vectors for rows that are wide: H⁻¹ is then right on average', async () => {
  const columns = 200
  const cells = (stream: string, rows: number) =>
    dense(
      Float32Array.from({ length: rows * columns }, (_, k) => 2 * uniform(5, stream, `${k}`) - 1),
      columns,
    )
  const trained = { features: cells('trained', 30), labels: new Array(30).fill(0), weights: new Array(30).fill(1) }
  const wide = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [new Array(columns).fill(0)], intercepts: [0] })
  const points = cells('points', 48)
  const context = { model: wide, loss: logistic, l2: 1, trained, plain: trained.features, drawBy: async () => drawnOf(points) }
  const [b, inverted] = await alisVariance.forms!(context)
  const factor = factorOfCurvature('alis-variance', context)
  const exact = inverseForm(factor, columns + 1)
  expect([b!.length, inverted!.length, exact.length]).toEqual([48, 48, 201])
  const ratios = Array.from({ length: 200 }, (_, i) => {
    const x = Float64Array.from({ length: columns + 1 }, (_, j) => uniform(6, `${i}`, `${j}`) - 0.5)
    return formAt(inverted!, x) / formAt(exact, x)
  })
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const spread = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / ratios.length)
  // Over random signs the mean is 1 and the variance of a ratio at most 2/48; these have one set of signs for all points.
  expect(Math.abs(mean - 1)).toBeLessThan(4.9 * Math.sqrt(2 / 48))
  expect(spread).toBeLessThan(2 * Math.sqrt(2 / 48))
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
      drawBy,
    }),
  ).rejects.toThrow('alis-variance: at most 1000 features are possible, got 1001')
})
