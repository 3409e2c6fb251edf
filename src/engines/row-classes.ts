import { emptyBelief, type Reader } from '../core/belief.ts'
import type { FeatureRows } from '../core/features.ts'
import { isLearned, type Model, predictedClass, scoresPerPoint } from '../core/model.ts'
import { compensatedSum } from '../core/sums.ts'
import { type CompareRequest, type Comparison, requireComparable } from './engine.ts'
import type { KeptClasses } from './kept-classes.ts'
import { rowReader, type ScoreBatches } from './row-beliefs.ts'

/** The class that a model gives to each row, by its position. */
export type RowClasses = Uint8Array | Uint16Array

/** The classes of so many rows, read off scores that come batch by batch. */
export async function classesFrom(model: Model, batches: ScoreBatches, rows: number): Promise<RowClasses> {
  const classes = model.classes.length > 256 ? new Uint16Array(rows) : new Uint8Array(rows)
  const width = scoresPerPoint(model)
  let first = 0
  for await (const scores of batches) {
    const scoresAt = rowReader(scores, width)
    const count = scores.length / width
    for (let i = 0; i < count; i++) classes[first + i] = predictedClass(scoresAt(i))
    first += count
  }
  return classes
}

/** Rows in memory whose classes can be found, and which of them may still be drawn. */
export interface ComparableRows {
  readonly pool: { readonly features: FeatureRows }
  readonly classes: KeptClasses<RowClasses>
  left(): Int32Array
  scoresOf(model: Model): Promise<Float64Array>
  classesOf(model: Model): Promise<RowClasses>
}

export async function compareRows(points: ComparableRows, request: CompareRequest): Promise<Comparison> {
  const { model, loss, earlier } = request
  requireComparable(request, points.pool.features.columns)
  const scores = await points.scoresOf(model)
  const own = points.classes.of(model) ?? (await points.classesOf(model))
  const known = new Map([[model.id, own]])
  for (const each of earlier) {
    const kept = known.get(each.id) ?? points.classes.of(each)
    const classes = kept ?? (isLearned(each) ? await points.classesOf(each) : undefined)
    if (classes) known.set(each.id, classes)
  }
  points.classes.comparedWith(known)
  const rows = points.left()
  const differing = earlier.map(({ id }) => (known.has(id) ? differingRows(own, known.get(id)!, rows) : null))
  return { points: rows.length, predictedError: predictedErrorOf(model, loss, scores, rows), differing }
}

/** How many of some rows have different classes. */
function differingRows(a: RowClasses, b: RowClasses, rows: Int32Array): number {
  let differing = 0
  for (let i = 0; i < rows.length; i++) if (a[rows[i]!] !== b[rows[i]!]) differing++
  return differing
}

/** Σ g over some rows, g what a model expects of its own error: the chance that it gives to all classes but the one it predicts. */
function predictedErrorOf(model: Model, loss: Reader, scores: Float64Array, rows: Int32Array): number {
  const belief = emptyBelief(model.classes.length)
  const scoresAt = rowReader(scores, scoresPerPoint(model))
  const total = compensatedSum()
  for (let i = 0; i < rows.length; i++) {
    const own = scoresAt(rows[i]!)
    loss.read(own, belief)
    const predicted = predictedClass(own)
    let error = 0
    for (let k = 0; k < belief.probabilities.length; k++) if (k !== predicted) error += belief.probabilities[k]!
    total.add(error)
  }
  return total.total()
}
