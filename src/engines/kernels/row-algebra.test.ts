import { expect, it, vi } from 'vitest'
import { dense, type FeatureRows, sparse } from '../../core/features.ts'
import { uniform } from '../../core/randomness.ts'
import type { Learner } from '../../learners/learner.ts'
import { logisticLearner, squaredHingeLearner, squaredLearner } from '../../learners/margin-learner.ts'
import { multinomialLearner } from '../../learners/multinomial.ts'
import { bentRows, blocksOf, takeOutMean } from '../../learners/training.ts'
import { withRowAlgebra } from './row-algebra.ts'

const [rows, columns] = [1003, 37] // no multiples of anything
const rowsOf = (stream: string) =>
  dense(
    Float32Array.from({ length: rows * columns }, (_, k) => 4 * uniform(1, stream, `${k}`) - 2),
    columns,
  )
const features = rowsOf('x')
const quick = withRowAlgebra(features)
const column = (stream: string, length: number) => Float64Array.from({ length }, (_, k) => uniform(1, stream, `${k}`) - 0.5)

const ten = (i: number, vector: Float64Array) => features.dot(i, vector) + 10 * vector[columns]!
const addTen = (i: number, factor: number, vector: Float64Array) => {
  features.addInPlace(i, factor, vector)
  vector[columns]! += 10 * factor
}

/** The same rows, but for every third number and all of some rows, which are 0. */
function sparseRows() {
  const isThere = (k: number) => k % 3 > 0 && Math.floor(k / columns) % 7 > 0
  const kept = [...features.layout!.values.keys()].filter(isThere)
  const starts = new Uint32Array(rows + 1)
  for (const k of kept) starts[Math.floor(k / columns) + 1]! += 1
  for (let i = 0; i < rows; i++) starts[i + 1]! += starts[i]!
  const values = Float32Array.from(kept, (k) => features.layout!.values[k]!)
  return sparse({ starts, indices: Uint32Array.from(kept, (k) => k % columns), values }, columns)
}

it.each([
  ['dense', features, 2],
  ['sparse', sparseRows(), 1],
  ['sparse', sparseRows(), 8],
  ['sparse', sparseRows(), 11],
] as const)('goes through all rows as one goes through each: %s, %#', (_, features, count) => {
  const quick = withRowAlgebra(features)
  const vectorsOf = (stream: string) => Array.from({ length: count }, (_, k) => column(`${stream}${k}`, columns + 1))
  const vectors = vectorsOf('a')
  const scores = new Float64Array(count * rows)
  quick.algebra!.project(vectors, scores)
  for (let i = 0; i < rows; i++)
    for (const [k, vector] of vectors.entries())
      expect(scores[count * i + k]).toBeCloseTo(features.dot(i, vector) + 10 * vector[columns]!, 12)

  const factors = column('c', count * rows)
  const [quickly, slowly] = [vectorsOf('d'), vectorsOf('d')]
  quick.algebra!.addInPlace(factors, quickly)
  for (let i = 0; i < rows; i++)
    for (const [k, vector] of slowly.entries()) {
      features.addInPlace(i, factors[count * i + k]!, vector)
      vector[columns]! += 10 * factors[count * i + k]!
    }
  for (const [k, vector] of slowly!.entries()) for (const [j, x] of vector.entries()) expect(quickly![k]![j]).toBeCloseTo(x, 10)
})

it.each([1, 3])('bends to the precision of floats, however long the vectors are: %i of them', (count) => {
  const own = column('w', rows * count).map(Math.abs)
  const curvatures = count > 1 ? { own, shares: column('s', rows * count).map(Math.abs) } : { own }
  const exact = bentRows(features, curvatures, true) // without kernels
  const rough = bentRows(quick, curvatures, true)
  for (const scale of [1, 1e-200, 1e200]) {
    const direction = column('v', count * (columns + 1)).map((x) => scale * x)
    const [slowly, quickly] = [exact, rough].map((bend) => {
      const bent = new Float64Array(direction.length).fill(7)
      bend(direction, bent)
      if (count > 1) takeOutMean(blocksOf(bent, count))
      return bent
    })
    const most = Math.max(...slowly!.map(Math.abs))
    expect(most).toBeGreaterThan(0)
    for (const [j, x] of slowly!.entries()) expect(Math.abs(quickly![j]! - x)).toBeLessThan(1e-5 * most)
  }
})

it('solves with sums of squares to the precision of floats, for several weights side by side', () => {
  const weights = ['w', 'z'].map((stream) => column(stream, rows).map(Math.abs))
  const wanted = [column('a', columns + 1), column('b', columns + 1)]
  const vectors = wanted.map((vector, k) => {
    const product = vector.map((x) => 0.5 * x)
    for (let i = 0; i < rows; i++) addTen(i, weights[k]![i]! * ten(i, vector), product)
    return product
  })
  const solve = quick.algebra!.solver!(weights, 0.5)
  withRowAlgebra(rowsOf('y')).algebra!.project([wanted[0]!], new Float64Array(rows)) // other rows take their place in between
  solve(vectors)
  for (const [k, vector] of wanted.entries()) for (const [j, x] of vector.entries()) expect(vectors[k]![j]).toBeCloseTo(x, 4)
})

it('finds the model also where floats overflow', async () => {
  const large = features.select([...Array(rows).keys()])
  const values = Float32Array.from({ length: rows * columns }, (_, k) => 1e25 * large.layout!.values[k]!)
  const labels = Array.from({ length: rows }, (_, i) => (features.dot(i, column('t', columns)) > 0.5 * Math.sin(i) ? 1 : 0))
  const fit = (given: typeof features) =>
    logisticLearner({ l2: 1e50 }).fit({ features: given, labels, weights: labels.map(() => 1) }, ['no', 'yes'])
  const [a, b] = [await fit(withRowAlgebra(dense(values, columns))), await fit(dense(values, columns))]
  for (const [j, x] of a.weights[0]!.entries()) expect(1e25 * x).toBeCloseTo(1e25 * b.weights[0]![j]!, 8)
  expect(Math.max(...b.weights[0]!.map((x) => Math.abs(1e25 * x)))).toBeGreaterThan(0.1)
})

it.each([
  ['logistic', logisticLearner({ l2: 0.1 }), 2],
  ['squared hinge', squaredHingeLearner(), 2],
  ['squared', squaredLearner(), 2],
  ['multinomial', multinomialLearner(), 4],
])('gives the same model: %s', async (_, learner, count) => {
  for (const rows of [features, sparseRows()]) await expectSame(rows, learner, count)
})

async function expectSame(features: FeatureRows, learner: Learner, count: number): Promise<void> {
  const quick = withRowAlgebra(features)
  const classes = Array.from({ length: count }, (_, k) => `${k}`)
  const labels = Array.from({ length: rows }, (_, i) => Math.floor(count * uniform(2, 'label', `${i}`)))
  const fit = (given: typeof features) => learner.fit({ features: given, labels, weights: labels.map(() => 1) }, classes)
  const [a, b, other] = [await fit(quick), await fit(features), await fit(withRowAlgebra(rowsOf('y')))]
  for (const [k, row] of a.weights.entries()) for (const [j, x] of row.entries()) expect(x).toBeCloseTo(b.weights[k]![j]!, 8)
  expect((await fit(quick)).id).toBe(a.id) // to the last bit, whatever the memory was used for in between
  expect(other.id).not.toBe(a.id)
}

it('fits to the last bit alike on one thread and on three', async () => {
  const [many, wide] = [1200, 200] // worth sharing
  const values = Float32Array.from({ length: many * wide }, (_, k) => 4 * uniform(3, 'x', `${k}`) - 2)
  const given = { labels: Array.from({ length: many }, (_, i) => i % 3), weights: column('w', many).map((x) => 1 + x) }
  const found = new Set<string>()
  for (const threads of ['1', '3']) {
    vi.stubEnv('ALIS_THREADS', threads)
    vi.resetModules() // threads are started once
    const features = (await import('./row-algebra.ts')).withRowAlgebra(dense(values, wide))
    await (await import('./threads.ts')).allThreads()
    for (let k = 0; k < 10; k++) {
      const training = { ...given, features, weights: [...given.weights] }
      const two = await logisticLearner().fit({ ...training, labels: given.labels.map((label) => label % 2) }, ['a', 'b'])
      const three = await multinomialLearner().fit(training, ['a', 'b', 'c'])
      found.add(`${two.id} ${three.id}`)
      await new Promise((resolve) => setTimeout(resolve, k)) // helpers are still serving, or have stopped
    }
  }
  vi.unstubAllEnvs()
  expect(found.size).toBe(1)
})

it('mixes nothing up where passes follow each other closely, on one thread and on three', async () => {
  const [many, wide] = [1200, 200]
  const values = Float32Array.from({ length: many * wide }, (_, k) => 4 * uniform(3, 'x', `${k}`) - 2)
  const [one, two] = [column('a', wide + 1), column('b', wide + 1)]
  const factors = column('c', 2 * many)
  const found = new Set<string>()
  for (const threads of ['1', '3']) {
    vi.stubEnv('ALIS_THREADS', threads)
    vi.resetModules()
    const algebra = (await import('./row-algebra.ts')).withRowAlgebra(dense(values, wide)).algebra!
    await (await import('./threads.ts')).allThreads()
    const bend = algebra.bend!({ own: factors.map(Math.abs), shares: factors.map(Math.abs) })
    for (let k = 0; k < 200; k++) {
      const scores = new Float64Array(2 * many)
      const [added, bent] = [0, 1].map(() => [new Float64Array(wide + 1), new Float64Array(wide + 1)] as const)
      algebra.project([one, two], scores)
      algebra.addInPlace(factors, added!)
      bend([one, two], bent!)
      found.add([scores, ...added!, ...bent!].map((numbers) => numbers.reduce((sum, x, i) => sum + x * Math.cos(i), 0)).join())
      if (k % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 2)) // helpers have stopped
    }
  }
  vi.unstubAllEnvs()
  expect(found.size).toBe(1)
})
