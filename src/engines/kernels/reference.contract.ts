import { expect, vi } from 'vitest'
import type { Reader } from '../../core/belief.ts'
import type { PoolDraw } from '../../core/draw.ts'
import { dense, type FeatureRows, sparse } from '../../core/features.ts'
import { type LinearModel, linearModel } from '../../core/model.ts'
import { uniform } from '../../core/randomness.ts'
import type { Survey } from '../../core/survey.ts'
import type { fastEngine } from './engine.ts'

// What the tests of this engine share: a pool, models, and what it means to do as the reference does.

export const size = 40_000
export const columns = 33 // 5 MB: all threads work on it
export const ids = Array.from({ length: size }, (_, row) => `p${row}`)
export const values = Float32Array.from({ length: size * columns }, (_, k) => 4 * uniform(3, 'x', `${k}`) - 2)
export const modelOf = (scale: number, shift = 0.3) =>
  linearModel({
    loss: 'logistic',
    classes: ['no', 'yes'],
    weights: [Array.from({ length: columns }, (_, j) => (scale * Math.sin(j + 1)) / Math.sqrt(columns))],
    intercepts: [shift],
  })

/** Five classes. */
export const manyOf = (scale: number, shift: number) =>
  linearModel({
    loss: 'cross-entropy',
    classes: ['a', 'b', 'c', 'd', 'e'],
    weights: Array.from({ length: 5 }, (_, k) =>
      Array.from({ length: columns }, (_, j) => (scale * Math.sin(j + k * k)) / Math.sqrt(columns)),
    ),
    intercepts: [shift, 0.1, 0, -0.2, 0.05],
  })

/** The pool with so many of its columns. */
export function narrowPool(count: number) {
  return {
    ids,
    features: dense(
      values.filter((_, k) => k % columns < count),
      count,
    ),
  }
}

/** A model for it. */
export function narrowed(model: LinearModel, count: number): LinearModel {
  return linearModel({ ...model, weights: model.weights.map((row) => row.slice(0, count)) })
}

/** The same rows with the zeros left out. */
export function sparseOf(values: Float32Array, columns: number): FeatureRows {
  const starts = new Uint32Array(values.length / columns + 1)
  const [indices, entries] = [new Uint32Array(values.length), new Float32Array(values.length)]
  let count = 0
  for (let k = 0; k < values.length; k++) {
    if (values[k] !== 0) {
      indices[count] = k % columns
      entries[count++] = values[k]!
    }
    if ((k + 1) % columns === 0) starts[(k + 1) / columns] = count
  }
  return sparse({ starts, indices: indices.slice(0, count), values: entries.slice(0, count) }, columns)
}

/**
 * The same points, with probabilities right to five digits. A few may be less so: where a score in 32 bits falls on the other side of an edge of margin bins,
 * ranks in its bin are half a place off, and scores are exact up to about the hundredth place.
 */
export function expectSameDraws(draws: readonly PoolDraw[], expected: readonly PoolDraw[]): void {
  expect(draws.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  const off = draws.map(({ probability }, i) => Math.abs(probability / expected[i]!.probability - 1))
  expect(Math.max(...off)).toBeLessThan(5e-3)
  expect(off.filter((share) => share > 1e-5).length).toBeLessThanOrEqual(draws.length / 6)
}

export function expectSameSurvey({ margins, controls, ...totals }: Survey, expected: Survey): void {
  // A score in 32 bits may fall on the other side of an edge.
  const moved = margins.reduce((sum, count, bin) => sum + Math.abs(count - expected.margins[bin]!), 0) / 2
  expect(moved).toBeLessThanOrEqual(3)
  const close = (value: number, wanted: number) => expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-6 * Math.abs(wanted))
  const { margins: _, controls: wanted, ...others } = expected
  for (const key of ['points', 'mass', 'pseudoLoss', 'rootPseudoLoss', 'pseudoLossPerMass'] as const)
    close(totals[key], others[key])
  // Never too small, for intervals rest on it; where the largest lies among others in its cell, a trifle too large.
  const reaches = (value: number, largest: number) => {
    expect(value / largest).toBeGreaterThanOrEqual(1 - 1e-6) // as large as those of the scores in 32 bits
    expect(value / largest).toBeLessThan(1.01)
  }
  reaches(totals.largestMass, others.largestMass)
  for (const [k, control] of controls.entries()) {
    close(control.predictedLoss, wanted[k]!.predictedLoss)
    close(control.predictedVariance, wanted[k]!.predictedVariance)
    reaches(control.largestDown, wanted[k]!.largestDown)
    reaches(control.largestUp, wanted[k]!.largestUp)
  }
}

/** What comes out with so many threads, each with modules of its own: threads are started once. */
export async function onThreads<T>(
  numbers: readonly string[],
  work: (makeEngine: typeof fastEngine) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (const threads of numbers) {
    vi.stubEnv('ALIS_THREADS', threads)
    vi.resetModules()
    const { fastEngine: own } = await import('./engine.ts')
    await (await import('./threads.ts')).allThreads()
    results.push(await work(own))
  }
  vi.unstubAllEnvs()
  return results
}

/** A reader, and how often it has read. */
export function countedReader(own: Reader): { reader: Reader; reads(): number } {
  let reads = 0
  const read: Reader['read'] = (scores, into) => {
    reads++
    own.read(scores, into)
  }
  const kernel = own.kernel && { ...own.kernel, computes: read }
  return { reader: { name: 'counted', read, ...(kernel && { kernel }) }, reads: () => reads }
}
