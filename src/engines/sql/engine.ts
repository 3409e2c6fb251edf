import { requireInput } from '../../core/errors.ts'
import { gathered, type RowAddress } from '../../core/features.ts'
import type { Formula } from '../../core/formula.ts'
import type { Model } from '../../core/model.ts'
import type { QuadraticForm } from '../../core/quadratic-form.ts'
import type { Signal } from '../../core/signal.ts'
import type { Survey } from '../../core/survey.ts'
import {
  type CompareRequest,
  type DrawRequest,
  type DrawResult,
  type Engine,
  predictionReader,
  requireComparable,
  requireWidth,
} from '../engine.ts'
import { keepLatest } from '../stratified.ts'
import { compareScored, scoredTogether } from './compare.ts'
import { wantedBy } from './draws.ts'
import { columnsOf, requireBase, requireNarrow, rowsFrom, type TableFeatures, widthOfAll } from './features.ts'
import { type StrataPoints, type StrataRequest, stratifiedInDatabase } from './strata.ts'
import {
  type Aggregates,
  type Aggregation,
  requireFormula,
  type SurveyTerms,
  scoreColumns,
  surveyFrom,
  surveyTerms,
} from './survey-formulas.ts'

/** A pool in a database: what an engine over it needs, each database in its own way. */
export interface SqlPool extends TableFeatures {
  readonly name: string
  /** Where the pool lies, as messages say it. */
  readonly place: string
  readonly size: number
  /** A draw must be of fewer points. */
  readonly mostDraws: number
  /** Work on the points that may still be drawn, with their scores by a model. */
  withScores<T>(request: ScoreRequest, work: (points: ScoredPoints) => Promise<T>): Promise<T>
  /** The same with the classes of models that are compared, by model, where a pool keeps them from one time to the next. Others score all models together. */
  withClasses?<T>(
    request: CompareRequest,
    work: (points: ScoredPoints, classes: ReadonlyMap<string, Formula>) => Promise<T>,
    signal?: Signal,
  ): Promise<T>
  strata(request: StrataRequest): StrataPoints
  /** The id and the scores of every point, drawn or not, batch by batch. */
  scores(model: Model): AsyncIterable<readonly ScoredRow[]>
  /** Expressions of some rows, by the ids of their points, which must all be there. */
  rowsOf(ids: readonly string[], expressions: readonly string[], step: string): Promise<ReadonlyMap<string, readonly unknown[]>>
  take(ids: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** What points are scored by. */
export interface ScoreRequest {
  readonly model: Model
  readonly forms?: readonly QuadraticForm[] | undefined
  readonly signal?: Signal | undefined
}

export type ScoredRow = readonly [id: string, ...scores: number[]]

/** Points that may still be drawn, with the columns `scoreName` and `formName` that formulas are made of. */
export interface ScoredPoints {
  /** One row for each bin that has points, in order of the bins; without bins, one row. */
  aggregates(aggregation: Aggregation): Promise<readonly Aggregates[]>
  draw(terms: DrawTerms): Promise<DrawResult>
}

export interface DrawTerms extends SurveyTerms {
  readonly request: DrawRequest
}

export function sqlEngine(pool: SqlPool): Engine {
  const columns = columnsOf(pool)
  const base = widthOfAll(pool.blocks)
  const taken = new Set<string>()
  const take = async (ids: readonly string[]) => {
    await pool.take(ids)
    for (const id of ids) taken.add(id)
  }

  async function withScores<T>(request: ScoreRequest, work: (points: ScoredPoints) => Promise<T>): Promise<T> {
    requireWidth(request.model, columns)
    for (const [vector] of request.forms ?? []) requireBase(vector!.length - 1, base)
    if ((request.forms?.length ?? 0) > 0) requireNarrow(base)
    return pool.withScores(request, work)
  }

  return {
    name: pool.name,
    size: pool.size,
    columns,

    async survey(request, signal) {
      requireFormula(request.mass.express, request.mass.name)
      return withScores({ ...request, signal }, async (points) => surveyBy(points, await surveyTerms(request, points.aggregates)))
    },

    async compare(request, signal) {
      requireComparable(request, columns)
      if (pool.withClasses) return pool.withClasses(request, (points, kept) => compareScored(request, kept, points), signal)
      const { all, classes } = scoredTogether(request)
      return pool.withScores({ model: all, signal }, (points) => compareScored(request, classes, points))
    },

    requireDrawable: (request) => requireDrawable(pool, request),

    async draw(request, signal) {
      requireDrawable(pool, request)
      return withScores({ ...request, signal }, async (points) => {
        const terms = await surveyTerms(request, points.aggregates)
        if (terms.census.points === 0) return { draws: [], survey: await surveyBy(points, terms) }
        return points.draw({ ...terms, request })
      })
    },

    stratified: keepLatest((model, stratify) => {
      requireWidth(model, columns)
      const code = requireFormula(stratify.express, stratify.name)(scoreColumns(model))
      return stratifiedInDatabase({ size: pool.size, points: pool.strata({ model, code }), taken, take })
    }),

    take,

    features: featuresKept(pool, columns),

    async contents(ids) {
      const names = Object.keys(pool.fields)
      const rows = await textsOf(pool.rowsOf, ids, Object.values(pool.fields))
      return ids.map((id, i) => {
        const filled = names.flatMap((name, k) => (rows[i]![k] === null ? [] : [[name, rows[i]![k]!] as const]))
        return { id, fields: Object.fromEntries(filled) }
      })
    },

    async *predictions(model, loss) {
      requireWidth(model, columns)
      const predict = predictionReader(model, loss)
      for await (const rows of pool.scores(model)) yield rows.map(([id, ...scores]) => predict(id, scores))
    },

    close: pool.close,
  }
}

/** Features of labelled points: few, and needed in every round. */
function featuresKept({ blocks, steps, rowsOf }: SqlPool, columns: number): Engine['features'] {
  const expressions = blocks.map(({ sql }) => sql)
  const known = new Map<string, RowAddress>()
  return async (ids) => {
    const open = [...new Set(ids)].filter((id) => !known.has(id))
    if (open.length > 0) {
      const rows = await rowsOf(open, expressions, 'fetching features')
      const own = rowsFrom([...rows.values()], blocks)
      const block = steps ? steps.extend(own) : own
      for (const [row, id] of [...rows.keys()].entries()) known.set(id, { block, row })
    }
    return gathered(
      ids.map((id) => known.get(id)!),
      columns,
    )
  }
}

/** Refuses what no query can draw, before any work is done. */
function requireDrawable(
  { place, mostDraws }: SqlPool,
  { selector, size, mass, design }: Parameters<NonNullable<Engine['requireDrawable']>>[0],
): void {
  requireInput(
    selector === undefined,
    `strategy: one that draws by masses is required for a pool ${place}, got ${selector?.name}, which compares points with each other`,
    'Use the strategy alis, or a pool that fits into memory.',
  )
  requireInput(size < mostDraws, `draws: fewer than ${mostDraws} at a time are possible for a pool ${place}, got ${size}`)
  requireFormula(mass.express, mass.name)
  wantedBy(design)
}

/** Some texts or NULLs of some points, in their order. */
export async function textsOf(
  rowsOf: SqlPool['rowsOf'],
  ids: readonly string[],
  expressions: readonly string[],
): Promise<(string | null)[][]> {
  if (ids.length === 0) return []
  const rows = await rowsOf(ids, expressions, 'looking up')
  return ids.map((id) => rows.get(id)!.map((cell) => (cell === null ? null : String(cell))))
}

async function surveyBy(points: ScoredPoints, { measured, census }: SurveyTerms): Promise<Survey> {
  const [all] = await points.aggregates({ of: measured, step: 'survey' })
  return surveyFrom(all!.values, census)
}
