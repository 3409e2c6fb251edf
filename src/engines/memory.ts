import { type Belief, marginOf } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import { type FeatureRows, requireFeatures, selected } from '../core/features.ts'
import { marginBin, marginBins, noRanks } from '../core/margins.ts'
import { type Model, scoresPerPoint } from '../core/model.ts'
import { hashIds, type PointHashes, type Uniforms, uniformsOf } from '../core/randomness.ts'
import { compensatedSum } from '../core/sums.ts'
import { surveyor } from '../core/survey.ts'
import type { Census, Mass } from '../masses/mass.ts'
import { type DrawRequest, type DrawResult, type Engine, predictionReader, requireWidth, type SurveyRequest } from './engine.ts'
import { type IdIndex, idIndex, rowsOf } from './id-index.ts'
import { type KeptClasses, keptClasses } from './kept-classes.ts'
import { beliefsOf, rowReader, type ScoreBatches, scoreBatches, withForms } from './row-beliefs.ts'
import { classesFrom, compareRows, type RowClasses } from './row-classes.ts'
import { keepLatest, strataFrom, stratifiedRows } from './stratified.ts'

/** A pool held in memory: ids, features in the same order, and the columns to show. */
export interface MemoryPool {
  readonly ids: readonly string[]
  readonly features: FeatureRows
  /** The columns of some rows, for people to see. */
  fields?(rows: readonly number[]): Promise<readonly Readonly<Record<string, string>>[]>
  /** Hashes of the ids, and where to find them, if the caller has these already. */
  readonly hashes?: PointHashes
  readonly index?: IdIndex
  /** The scores of all points, one after another, batch by batch, where the caller computes them faster: those that masses are made of, which may be rough. */
  scores?(model: Model): ScoreBatches | undefined
  /** The same as they are. */
  exactScores?(model: Model): ScoreBatches | undefined
  /** Classes that were kept by an engine over the same rows, for this one to go on with. */
  readonly classes?: KeptClasses<RowClasses>
  /** Called when the engine is closed: `fields` is not called any more. */
  close?(): Promise<void>
}

/** The pool on typed arrays in plain JavaScript: the reference that every other engine is tested against. */
export function memoryEngine(pool: MemoryPool): Engine {
  const { ids, features } = pool
  const points = memoryPoints(pool)
  return {
    name: 'memory',
    size: ids.length,
    columns: features.columns,
    survey: async (request) => (await surveyedRows(points, request)).survey,
    compare: (request) => compareRows(points, request),
    stratified: points.stratified,
    draw: (request) => drawFrom(points, request),
    take: async (wanted) => points.take(wanted),
    features: async (wanted) => features.select(rowsOf(points.index, wanted)),

    async contents(wanted) {
      const fields = await pool.fields?.(rowsOf(points.index, wanted))
      return wanted.map((id, k) => ({ id, fields: fields?.[k] ?? {} }))
    },

    async *predictions(model, loss) {
      requireWidth(model, features.columns)
      const predict = predictionReader(model, loss)
      const width = scoresPerPoint(model)
      let first = 0
      for (const scores of scoreBatches(model, features)) {
        const scoresAt = rowReader(scores, width)
        const batch = ids.slice(first, first + scores.length / width)
        first += batch.length
        yield batch.map((id, i) => predict(id, scoresAt(i)))
      }
    },

    async close() {
      await pool.close?.()
    },
  }
}

/** The points of a pool, and which of them may still be drawn. */
interface MemoryPoints extends Pick<Engine, 'stratified'> {
  readonly pool: MemoryPool
  readonly hashes: PointHashes
  readonly index: IdIndex
  /** Rows that may still be drawn, in order. */
  left(): Int32Array
  take(ids: readonly string[]): void
  readonly classes: KeptClasses<RowClasses>
  /** The classes of the whole pool, to the last bit those of its predictions. */
  classesOf(model: Model): Promise<RowClasses>
  /** Scores of the whole pool, kept until another model comes: an audit surveys one model over and over. */
  scoresOf(model: Model): Promise<Float64Array>
}

function memoryPoints(pool: MemoryPool): MemoryPoints {
  const { ids, features, hashes = hashIds(ids) } = pool
  requireInput(ids.length > 0, 'pool: at least one point is required, got none')
  const index = pool.index ?? idIndex(ids, hashes)
  requireInput(index.repeated === 0, `pool: ids must be unique, got ${index.repeated} repeated`)
  requireInput(features.rows === ids.length, `pool: one row of features for each of ${ids.length} ids, got ${features.rows}`)
  requireFeatures(features)
  const taken = new Uint8Array(ids.length)
  const takenRows: number[] = []
  let left: Int32Array | undefined
  let scored: { readonly model: Model; readonly scores: Float64Array; readonly areExact: boolean } | undefined

  const take = (wanted: readonly string[]) => {
    for (const row of rowsOf(index, wanted)) {
      if (taken[row] === 1) continue
      taken[row] = 1
      takenRows.push(row)
    }
    left = undefined
  }

  return {
    pool,
    hashes,
    index,
    left() {
      if (left) return left
      left = new Int32Array(ids.length - takenRows.length)
      let count = 0
      for (let row = 0; row < taken.length; row++) if (taken[row] === 0) left[count++] = row
      return left
    },
    take,
    classes: pool.classes ?? keptClasses(),
    classesOf(model) {
      const known = scored?.model === model && scored.areExact ? [scored.scores] : undefined
      return classesFrom(model, known ?? scoreBatches(model, features), ids.length)
    },
    async scoresOf(model) {
      requireWidth(model, features.columns)
      if (scored?.model === model) return scored.scores
      const faster = pool.scores?.(model)
      const scores = await joined(faster ?? scoreBatches(model, features), ids.length * scoresPerPoint(model))
      scored = { model, scores, areExact: !faster }
      return scored.scores
    },
    stratified: keepLatest((model, stratify) => {
      requireWidth(model, features.columns)
      const batches = () => pool.exactScores?.(model) ?? scoreBatches(model, features)
      const strata = () => strataFrom(batches(), ids.length, scoresPerPoint(model), stratify)
      return stratifiedRows({ ids, hashes, index, takenRows, take: async (wanted) => take(wanted), strata })
    }),
  }
}

/** One array of all batches. */
async function joined(batches: ScoreBatches, length: number): Promise<Float64Array> {
  const all = new Float64Array(length)
  let at = 0
  for await (const batch of batches) {
    all.set(batch, at)
    at += batch.length
  }
  return all
}

/** Scores and masses of the points that may still be drawn, and their survey. */
async function surveyedRows(points: MemoryPoints, { model, loss, mass, controls, forms = [] }: SurveyRequest) {
  const rows = points.left()
  const scores = await points.scoresOf(model)
  const beliefs = withForms(beliefsOf(model, loss, scores, rows, forms.length), points.pool.features, rows, forms)
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

async function drawFrom(points: MemoryPoints, request: DrawRequest): Promise<DrawResult> {
  const { design, selector, size, stream, model } = request
  const { ids, features } = points.pool
  const { rows, scores, beliefs, masses, survey } = await surveyedRows(points, request)
  const own = uniformsOf(stream, points.hashes)
  const uniforms: Uniforms = (i, repeat) => own(rows[i]!, repeat)
  const view = { features: selected(features, rows), masses, beliefAt: beliefs }
  const drawn = selector ? selector.select(view, size, uniforms) : design.draw(masses, size, uniforms)
  const scoresAt = rowReader(scores, scoresPerPoint(model))
  const draws = drawn.map(({ index, ...draw }) => ({ id: ids[rows[index]!]!, ...draw, scores: [...scoresAt(rows[index]!)] }))
  await points.classes.drawnWith(model, () => points.classesOf(model))
  return { draws, survey }
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
