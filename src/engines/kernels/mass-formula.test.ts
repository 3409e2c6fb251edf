import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import { kernelFor } from '../../core/declared-kernel.ts'
import { dense } from '../../core/features.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import type { LinearModel } from '../../core/model.ts'
import { formAt } from '../../core/quadratic-form.ts'
import { hashIds, uniform } from '../../core/randomness.ts'
import { lossMoments } from '../../core/survey.ts'
import { crossEntropy } from '../../losses/cross-entropy.ts'
import { errorOf } from '../../losses/error.ts'
import { logistic } from '../../losses/logistic.ts'
import { marginLoss } from '../../losses/loss.ts'
import { doubt } from '../../masses/doubt.ts'
import { entropy } from '../../masses/entropy.ts'
import { marginRank } from '../../masses/margin-rank.ts'
import { type Census, type Ingredient, type Mass, mixture, pure, withKernel } from '../../masses/mass.ts'
import { uniformMass } from '../../masses/uniform.ts'
import { variance } from '../../masses/variance.ts'
import { alisStrategy } from '../../strategies/alis.ts'
import { boundary } from '../../strategies/boundary-forms.ts'
import { suitedTo } from '../../strategies/strategy.ts'
import { kernelBuild } from './kernels.ts'
import { formulaCount, formulasOf, isSoftmax, isSoftmaxError, settledFormula } from './mass-formula.ts'
import { SlabPasses } from './slab-passes.ts'
import { floatSlabs } from './slabs.ts'

// Every declaration of a kernel is a promise: the kernel gives what the function gives, at many random points.

const rows = 2000
const isDeclared = (thing: unknown): thing is Ingredient => typeof thing === 'object' && thing !== null && 'kernel' in thing
const files = readdirSync(new URL('../../masses', import.meta.url)).flatMap((name) => /^([a-z-]+)\.ts$/.exec(name)?.[1] ?? [])
const modules: object[] = await Promise.all(files.map((name) => import(`../../masses/${name}.ts`)))
const declared = [...modules.flatMap((each) => Object.values(each)).filter(isDeclared), boundary]

/** Points with a feature for each class, which is its score (of two classes, the first has a score of 0), and what is believed of them. */
async function pointsOf(classes: number, hasForms: boolean) {
  const values = Float32Array.from({ length: rows * classes }, (_, k) => 8 * uniform(4, `${classes}`, `${k}`) - 4)
  const features = dense(values, classes)
  const names = Array.from({ length: classes }, (_, k) => `${k}`)
  const weights = names.map((_, k) => names.map((_, j) => (j === k && (classes > 2 || k > 0) ? 1 : 0)))
  const model: LinearModel = { kind: 'linear', id: '', loss: '', classes: names, weights, intercepts: names.map(() => 0) }
  const width = classes + 1
  const form = (scale: number) =>
    Array.from({ length: width }, (_, k) => Float64Array.from({ length: width }, (_, j) => scale * (k === j ? 1 : 0.1 / width)))
  const forms = hasForms ? [form(1), form(0.2)] : []
  const slabs = floatSlabs(features, hashIds(Array.from({ length: rows }, (_, row) => `${row}`)))!
  const passes = new SlabPasses(kernelBuild!, { slabs })
  await passes.makeStatistics({ model, areFloats: false, ...(hasForms && { forms }) })
  const beliefs = Array.from({ length: rows }, (_, row) => {
    const belief = emptyBelief(classes, forms.length)
    const x = Float64Array.of(...values.subarray(row * classes, (row + 1) * classes), 1)
    if (classes === 2) logistic.read([x[1]!], belief)
    else crossEntropy.read(x.subarray(0, classes), belief)
    belief.forms.set(forms.map((form) => formAt(form, x)))
    return belief
  })
  return { passes, beliefs, forms: forms.length }
}

const known = new Map<string, ReturnType<typeof pointsOf>>()

/** How far what the kernels make of a mass is from what it says itself, where that is farthest: as a share of it, or of the mean. */
async function farthest(mass: Mass, classes: number): Promise<number> {
  const hasForms = mass.parts.some(({ of }) => of.name === variance.name)
  const key = `${classes} ${hasForms}`
  if (!known.has(key)) known.set(key, pointsOf(classes, hasForms))
  const { passes, beliefs, forms } = await known.get(key)!
  const margins = Float64Array.from({ length: marginBins }, (_, bin) => bin + 1)
  const census: Census = { points: rows, margins, totals: mass.parts.map((_, j) => 100 + j) }
  await passes.massTotals(settledFormula(mass, formulasOf(mass, forms)!, census)!)
  const wanted = beliefs.map(mass.settle(census))
  const mean = wanted.reduce((sum, value) => sum + value, 0) / rows
  const off = wanted.map((value, row) => {
    const margin = marginOf(beliefs[row]!)
    const isAtEdge = marginBin(margin * (1 + 1e-5)) !== marginBin(margin * (1 - 1e-5)) // in 32 bits it may lie beyond
    return isAtEdge ? 0 : Math.abs(passes.massAt(row) - value) / Math.max(value, mean)
  })
  return Math.max(...off)
}

it('some ingredient declares each of the kernels', () => {
  expect(new Set(declared.map(({ kernel }) => kernel!.name)).size).toBe(formulaCount + 1) // ranks are no formula
})

describe.each([2, 5])('with %i classes', (classes) => {
  it.each(declared)('the kernel of $name gives its value', async (ingredient) => {
    expect(await farthest(pure(ingredient), classes)).toBeLessThan(1e-6)
  })

  it('the kernel of a mixture gives its mass', async () => {
    const parts = [entropy, doubt, marginRank, uniformMass].map((of) => ({ share: 0.25, of }))
    expect(await farthest(mixture('four', parts), classes)).toBeLessThan(1e-6)
  })

  it.each([0.1, 0.2, 0.25, 0.3, 1])(
    'the default has a kernel for its mass in every pool, with a uniform share of %s',
    async (know) => {
      const strategy = alisStrategy({ know })
      const [small, large] = [1000, 500_000].map((size) => suitedTo(strategy, { size, columns: 20 }).mass) as [Mass, Mass]
      expect(await farthest(small, classes)).toBeLessThan(1e-6)
      expect(await farthest(large, classes)).toBeLessThan(1e-6)
    },
  )

  it('no ingredient passes that declares the kernel of another', async () => {
    const plain = declared.filter((each) => !each.rankPower && each !== variance)
    for (const { value, name } of plain)
      for (const { kernel } of plain.filter((each) => each.value !== value))
        expect(await farthest(pure(withKernel(kernel!.name, { name, value })), classes)).toBeGreaterThan(1e-3)
  })
})

it('a copy with another function has no kernel', () => {
  const value: Ingredient['value'] = (belief, ranks) => 2 * entropy.value(belief, ranks)
  expect(formulasOf(pure(entropy), 0)).toHaveLength(1)
  expect(formulasOf(pure({ ...entropy, value }), 0)).toBeUndefined()
  const steeper = marginLoss({ ...logistic, value: (label, score) => 2 * logistic.value(label, score) })
  expect(isSoftmax(logistic, 2)).toBe(true)
  expect(isSoftmax(steeper, 2)).toBe(false)
  expect(isSoftmaxError(errorOf(steeper), 2)).toBe(false)
  const census = { points: 1, margins: new Float64Array(marginBins), totals: [1] }
  const doubled: Mass = { ...pure(entropy), settle: () => () => 2 }
  expect(settledFormula(doubled, [1], census)).toBeUndefined()
})

it('what needs quadratic forms has no kernel without them', () => {
  expect(formulasOf(pure(variance), 0)).toBeUndefined()
  expect(formulasOf(pure(variance), 2)).toHaveLength(1)
})

describe('readers that declare a kernel read as it does', () => {
  it.each([
    ['logistic', logistic, 2],
    ['cross-entropy', crossEntropy, 5],
  ] as const)('%s', (_, loss: Reader, classes) => {
    expect(kernelFor(loss.kernel, loss.read)).toBe(classes === 2 ? 'sigmoid' : 'softmax')
    expect(isSoftmaxError(errorOf(loss), classes)).toBe(true)
    const [own, error] = [emptyBelief(classes), emptyBelief(classes)]
    for (let k = 0; k < 1000; k++) {
      const scores = Array.from({ length: classes === 2 ? 1 : classes }, (_, j) => 12 * uniform(6, `${j}`, `${k}`) - 6)
      const all = classes === 2 ? [0, ...scores] : scores
      const total = all.reduce((sum, z) => sum + Math.exp(z), 0)
      loss.read(scores, own)
      errorOf(loss).read(scores, error)
      for (const [j, z] of all.entries()) {
        const p = Math.exp(z) / total
        expect(Math.abs(own.probabilities[j]! - p)).toBeLessThan(1e-9)
        expect(Math.abs(own.losses[j]! + Math.log(p))).toBeLessThan(1e-9)
      }
      const { mean, least, most } = lossMoments(error)
      expect([least, most]).toEqual([0, 1])
      expect(mean).toBeCloseTo(1 - Math.max(...own.probabilities), 9)
    }
  })
})
