import { type Belief, emptyBelief, type Reader } from '../core/belief.ts'
import type { FeatureRows } from '../core/features.ts'
import { type Model, scorerOf, scoresPerPoint } from '../core/model.ts'
import { formAt, type QuadraticForm } from '../core/quadratic-form.ts'

/** The scores of rows, one after another, in batches of whole rows. A batch is to be read before the next is asked for. */
export type ScoreBatches = AsyncIterable<Float64Array> | Iterable<Float64Array>

/** Rows of a batch: so few that their scores take no room to speak of. */
const batchRows = 4096

/** The scores of all rows, one after another, batch by batch. */
export function* scoreBatches(model: Model, features: FeatureRows): Generator<Float64Array> {
  const score = scorerOf(model)
  const width = scoresPerPoint(model)
  for (let first = 0; first < features.rows; first += batchRows) {
    const rows = Math.min(batchRows, features.rows - first)
    const scores = new Float64Array(rows * width)
    for (let i = 0; i < rows; i++) score(features, first + i, scores, i * width)
    yield scores
  }
}

/** Reads the scores of a row, `width` of them; one array, filled anew at every call. */
export function rowReader(scores: Float64Array, width: number): (row: number) => Float64Array {
  const own = new Float64Array(width)
  return (row) => {
    for (let k = 0; k < width; k++) own[k] = scores[row * width + k]!
    return own
  }
}

/** The belief about the i-th of some rows; one object, filled anew at every call. */
export function beliefsOf(model: Model, loss: Reader, scores: Float64Array, rows: Int32Array, forms = 0): (i: number) => Belief {
  const belief = emptyBelief(model.classes.length, forms)
  const scoresAt = rowReader(scores, scoresPerPoint(model))
  return (i) => {
    loss.read(scoresAt(rows[i]!), belief)
    return belief
  }
}

/** The same beliefs with the quadratic forms of their points. */
export function withForms(
  beliefs: (i: number) => Belief,
  features: FeatureRows,
  rows: Int32Array,
  forms: readonly QuadraticForm[],
): (i: number) => Belief {
  if (forms.length === 0) return beliefs
  const rowAt = leadingRows(features, forms[0]![0]!.length)
  const known = new Float64Array(rows.length * forms.length).fill(Number.NaN) // every point is read twice, and its forms are dear
  return (i) => {
    const belief = beliefs(i)
    for (let f = 0; f < forms.length; f++) {
      const at = i * forms.length + f
      if (Number.isNaN(known[at])) known[at] = formAt(forms[f]!, rowAt(rows[i]!))
      belief.forms[f] = known[at]!
    }
    return belief
  }
}

/** The first features of a row and a 1, `width` numbers in all; one array, filled anew at every call. */
function leadingRows(features: FeatureRows, width: number): (row: number) => Float64Array {
  const all = new Float64Array(Math.max(features.columns + 1, width))
  const x = all.subarray(0, width)
  return (row) => {
    all.fill(0)
    features.addInPlace(row, 1, all)
    x[width - 1] = 1
    return x
  }
}
