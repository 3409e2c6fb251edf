import { type Belief, emptyBelief, marginOf, type Reader } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import { type FeatureRows, selected } from '../core/features.ts'
import { marginBin, marginBins, noRanks } from '../core/margins.ts'
import { addOuterInPlace, quadratic } from '../core/matrices.ts'
import { type Model, predictedClass, scorerOf, scoresPerPoint } from '../core/model.ts'
import { profileOf } from '../core/profile.ts'
import { hashIds, type PointHashes, type Uniforms, uniformsOf } from '../core/randomness.ts'
import { compensatedSum } from '../core/sums.ts'
import { type Survey, surveyor } from '../core/survey.ts'
import type { Census, Mass } from '../masses/mass.ts'
import type { Engine, Prediction, SurveyRequest } from './engine.ts'
import { type IdIndex, idIndex } from './id-index.ts'

/** A pool held in memory: ids, features in the same order, and the columns to show. */
export interface MemoryPool {
  readonly ids: readonly string[]
  readonly features: FeatureRows
  /** The columns of some rows, for people to see. */
  fields?(rows: readonly number[]): Promise<readonly Readonly<Record<string, string>>[]>
  /** Hashes of the ids, and where to find them, where somebody has these already. */
  readonly hashes?: PointHashes
  readonly index?: IdIndex
  /** The scores of all points, one after another, from whoever is faster at it. */
  scores?(model: Model): Promise<Float64Array>
  /** Called when the engine is closed: `fields` will not be asked any more. */
  close?(): Promise<void>
}

/** The pool on typed arrays in plain JavaScript: the reference that every other engine is tested against. */
export function memoryEngine(pool: MemoryPool): Engine {
  const { ids, features, hashes = hashIds(ids) } = pool
  requireInput(ids.length > 0, 'pool: at least one point is required, got none')
  const { rowOf, repeated } = pool.index ?? idIndex(ids, hashes)
  requireInput(repeated === 0, `pool: ids must be unique, got ${repeated} repeated`)
  requireInput(features.rows === ids.length, `pool: one row of features for each of ${ids.length} ids, got ${features.rows}`)
  const taken = new Uint8Array(ids.length)
  let known: Int32Array | undefined
  let scored: { readonly model: Model; readonly scores: Float64Array } | undefined

  const rowsOf = (wanted: readonly string[]) =>
    wanted.map((id) => {
      const row = rowOf(id)
      requireInput(row >= 0, `pool: a point named ${JSON.stringify(id)} is required, got none`)
      return row
    })

  /** Rows that may still be drawn, in order. */
  function left(): Int32Array {
    if (known) return known
    known = new Int32Array(ids.length - taken.reduce((sum, one) => sum + one, 0))
    let count = 0
    for (let row = 0; row < taken.length; row++) if (taken[row] === 0) known[count++] = row
    return known
  }

  /** Scores of the whole pool, kept until another model comes: an audit looks at one model over and over. */
  async function scoresOf(model: Model): Promise<Float64Array> {
    requireWidth(model, features.columns)
    if (scored?.model !== model)
      scored = { model, scores: (await pool.scores?.(model)) ?? scoresBetween(model, features, 0, ids.length) }
    return scored.scores
  }

  /** Scores and masses of the points that may still be drawn, and their survey. */
  async function look({ model, loss, mass, controls, forms = [] }: SurveyRequest) {
    const rows = left()
    const scores = await scoresOf(model)
    const beliefs = withForms(beliefsOf(model, loss, scores, rows, forms.length), features, rows, forms)
    const readings = controls.map((control) => beliefsOf(model, control, scores, rows))
    const census = censusOf(mass, rows.length, beliefs)
    const massOf = mass.settle(census)
    const masses = new Float64Array(rows.length)
    const totals = surveyor(controls.length)
    for (let i = 0; i < rows.length; i++) {
      const belief = beliefs(i)
      masses[i] = massOf(belief)
      totals.add(belief, masses[i]!)
      for (let k = 0; k < readings.length; k++) totals.addControl(k, readings[k]!(i), masses[i]!)
    }
    return { rows, scores, beliefs, masses, survey: totals.survey(census.margins) }
  }

  return {
    name: 'memory',
    size: ids.length,
    columns: features.columns,

    async survey(question): Promise<Survey> {
      return (await look(question)).survey
    },

    async moment({ model, loss }, weight) {
      const rows = left()
      const beliefs = beliefsOf(model, loss, await scoresOf(model), rows)
      const x = new Float64Array(features.columns + 1)
      const sum = new Float64Array(x.length ** 2)
      let total = 0
      for (let i = 0; i < rows.length; i++) {
        const value = weight.value(beliefs(i), noRanks)
        writeRow(features, rows[i]!, x)
        addOuterInPlace(sum, x, value)
        total += value
      }
      return total > 0 ? sum.map((entry) => entry / total) : sum
    },

    async profile(model, lens) {
      const width = scoresPerPoint(model)
      const rows = left()
      const scores = await scoresOf(model)
      const own = new Float64Array(width)
      const seen = new Float64Array(rows.length)
      for (let i = 0; i < rows.length; i++) {
        for (let k = 0; k < width; k++) own[k] = scores[rows[i]! * width + k]!
        seen[i] = lens.see(own)[0]!
      }
      return profileOf(seen)
    },

    async draw({ design, selector, size, stream, ...question }) {
      const { rows, scores, beliefs, masses, survey } = await look(question)
      const own = uniformsOf(stream, hashes)
      const uniforms: Uniforms = (i, repeat) => own(rows[i]!, repeat)
      const view = { features: selected(features, rows), masses, beliefAt: beliefs }
      const drawn = selector ? selector.select(view, size, uniforms) : design(masses, size, uniforms)
      const width = scoresPerPoint(question.model)
      const draws = drawn.map(({ index, ...draw }) => ({
        id: ids[rows[index]!]!,
        ...draw,
        scores: [...scores.subarray(rows[index]! * width, (rows[index]! + 1) * width)],
      }))
      return { draws, survey }
    },

    async take(wanted) {
      for (const row of rowsOf(wanted)) taken[row] = 1
      known = undefined
    },

    async features(wanted) {
      return features.select(rowsOf(wanted))
    },

    async contents(wanted) {
      const fields = await pool.fields?.(rowsOf(wanted))
      return wanted.map((id, k) => ({ id, fields: fields?.[k] ?? {} }))
    },

    async *predictions(model, loss) {
      const batch = 4096
      for (let start = 0; start < ids.length; start += batch) {
        requireWidth(model, features.columns)
        const scores = scoresBetween(model, features, start, Math.min(start + batch, ids.length))
        const beliefs = beliefsOf(model, loss, scores)
        const k = scoresPerPoint(model)
        yield ids.slice(start, start + batch).map((id, i): Prediction => {
          const label = predictedClass(scores.subarray(i * k, (i + 1) * k))
          return { id, label, probabilities: [...beliefs(i).probabilities] }
        })
      }
    },

    async close() {
      await pool.close?.()
    },
  }
}

/** Refuses a model made for other features. */
export function requireWidth(model: Model, columns: number): void {
  const needed = model.kind === 'linear' ? model.weights[0]?.length : model.columns
  requireInput(needed === columns, `model: ${columns} weights are required, one for each feature of the pool, got ${needed}`)
}

/** Scores of consecutive rows. */
function scoresBetween(model: Model, features: FeatureRows, start: number, end: number): Float64Array {
  const score = scorerOf(model)
  const width = scoresPerPoint(model)
  const scores = new Float64Array((end - start) * width)
  for (let row = start; row < end; row++) score(features, row, scores, (row - start) * width)
  return scores
}

/** The belief about the i-th of some rows, or of all; one object, filled anew at every call. */
function beliefsOf(model: Model, loss: Reader, scores: Float64Array, rows?: Int32Array, forms = 0): (i: number) => Belief {
  const belief = emptyBelief(model.classes.length, forms)
  const width = scoresPerPoint(model)
  const own = new Float64Array(width)
  return (i) => {
    const start = (rows ? rows[i]! : i) * width
    for (let k = 0; k < width; k++) own[k] = scores[start + k]!
    loss.read(own, belief)
    return belief
  }
}

/** The same beliefs with the quadratic forms of their points. */
function withForms(
  beliefs: (i: number) => Belief,
  features: FeatureRows,
  rows: Int32Array,
  forms: readonly Float64Array[],
): (i: number) => Belief {
  if (forms.length === 0) return beliefs
  const x = new Float64Array(features.columns + 1)
  const known = new Float64Array(rows.length * forms.length).fill(Number.NaN) // a point is looked at twice; its forms are dear
  return (i) => {
    const belief = beliefs(i)
    for (let f = 0; f < forms.length; f++) {
      const at = i * forms.length + f
      if (Number.isNaN(known[at])) {
        writeRow(features, rows[i]!, x)
        known[at] = quadratic(forms[f]!, x)
      }
      belief.forms[f] = known[at]!
    }
    return belief
  }
}

/** x ← the features of a row, and a 1 */
function writeRow(features: FeatureRows, row: number, x: Float64Array): void {
  x.fill(0)
  features.addInPlace(row, 1, x)
  x[x.length - 1] = 1
}

function censusOf({ parts }: Mass, points: number, beliefs: (i: number) => Belief): Census {
  const margins = new Float64Array(marginBins)
  const totals = parts.map(() => compensatedSum())
  for (let i = 0; i < points; i++) {
    const belief = beliefs(i)
    margins[marginBin(marginOf(belief))]! += 1
    for (let j = 0; j < parts.length; j++) {
      const { of } = parts[j]!
      if (!of.rankPower) totals[j]!.add(of.value(belief, noRanks))
    }
  }
  return { points, margins, totals: totals.map((total) => total.total()) }
}
