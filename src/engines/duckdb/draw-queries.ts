import { requireInput } from '../../core/errors.ts'
import { scoresPerPoint } from '../../core/model.ts'
import type { Stream } from '../../core/randomness.ts'
import type { Signal } from '../../core/signal.ts'
import type { Survey } from '../../core/survey.ts'
import type { DrawRequest, DrawResult, SurveyRequest } from '../engine.ts'
import { bernoulliDraws, bernoulliPlace, bernoulliScale, type Candidate, drawsAmong, massOf, wantedBy } from '../sql/draws.ts'
import {
  beliefOf,
  censusFormulas,
  censusFrom,
  massFormula,
  readingOf,
  requireFormula,
  scoreName,
  surveyFormulas,
  surveyFrom,
} from '../sql/question.ts'
import { type Named, selectFormulas } from '../sql/select.ts'
import type { WorkingDatabase } from './database.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import type { ScoredPoints, WorkingPoints } from './points.ts'
import { ofAll, ofStretch } from './row-ranges.ts'

/** What there is to draw from. */
export interface DrawnPool {
  readonly database: WorkingDatabase
  readonly points: WorkingPoints
  /** Those of some rows that may still be drawn. */
  leftOf(rows: string): string
}

export interface DuckdbDrawing {
  survey(question: SurveyRequest, signal: Signal | undefined): Promise<Survey>
  draw(request: DrawRequest, signal: Signal | undefined): Promise<DrawResult>
}

/**
 * A round on disk. The features are read once, for the scores of the model; what they are is kept, eight bytes each. A census goes over the
 * scores, then one pass for masses, survey and keys; of each stretch it keeps the points that come first, and nothing is ever sorted.
 */
export function duckdbDrawing({ database, points, leftOf }: DrawnPool): DuckdbDrawing {
  const numbers = async (sql: string, step: string, signal?: Signal) =>
    (await database.rows(sql, { step, signal })).map((row) => row.map((value) => (value === null ? null : Number(value))))

  /** The points that may be drawn, with a census of them and what their masses are. */
  async function look(scored: ScoredPoints, question: SurveyRequest, signal: Signal | undefined) {
    const { model, mass, controls } = question
    const belief = beliefOf(question)
    const readings = controls.map((control) => readingOf(model, control))
    const rows = leftOf(scored.inStretches(mostStretches))
    const formulas = censusFormulas(belief, mass)
    const sums = mass.parts.map((_, j) => `v${j}`)
    const [own, all] = [ofStretch, ofAll].map((total) => sums.map((v) => (v in formulas ? total('total', v) : 'NULL')))
    const binned = selectFormulas(rows, ['g'], formulas, dialect)
    const counted = `SELECT g, bin, count(*) AS points, ${own!.map((sum, j) => `${sum} AS ${sums[j]}`)} FROM (${binned}) GROUP BY g, bin`
    const answer = await numbers(
      `SELECT bin::INTEGER, sum(points), ${all} FROM (${counted}) GROUP BY bin ORDER BY bin`,
      'census',
      signal,
    )
    const census = censusFrom(
      answer.map(([bin, count, ...sums]) => ({ bin: bin!, points: count!, totals: sums })),
      mass,
    )
    const settled = massFormula(belief, mass, census)
    return { scored, rows, census, mass: settled, measured: surveyFormulas(belief, readings, settled) }
  }

  /** One pass over the scores: what a survey needs and, for a design, the rows that come first in its order, stretch by stretch. */
  async function pass({ rows, census, measured, mass }: Looked, first: First | undefined, signal: Signal | undefined) {
    const names = measured.map((_, k) => `m${k}`)
    const formulas = { mass, ...Object.fromEntries(measured.map(({ of }, k) => [names[k], of])) }
    const table = database.newName('pass')
    const massed = `(${selectFormulas(rows, ['g', 'r', 'h'], formulas, dialect)})`
    const keyed = first
      ? `(${selectFormulas(dialect.withUniforms(massed, first.stream), ['g', 'r', ...names], first.keys, dialect)})`
      : massed
    const sums = measured.map(({ by }, k) => `${ofStretch(by, names[k]!)} AS ${names[k]}`)
    const heads = first
      ? [`arg_min(r, ${placeBy(first.keys)}, ${Math.max(1, Math.min(first.size, census.points))}) AS heads`]
      : []
    await database.rows(`CREATE TABLE ${table} AS SELECT g, ${[...sums, ...heads]} FROM ${keyed} GROUP BY g`, {
      step: 'survey',
      signal,
    })
    const [answer] = await numbers(`SELECT ${measured.map(({ by }, k) => ofAll(by, names[k]!))} FROM ${table}`, 'survey', signal)
    return { table, survey: surveyFrom(answer!, census) }
  }

  /** The points in some rows, by their masses and keys: the first of them, in order. */
  async function candidatesIn(
    { scored, mass }: Looked,
    rows: string,
    first: First,
    signal: Signal | undefined,
  ): Promise<Found[]> {
    const scores = Array.from({ length: first.scores }, (_, k) => scoreName(k))
    const shown = ['r', 'line', 'id', 'mass', ...scores]
    const massed = `(${selectFormulas(scored.among('chosen'), ['r', 'line', 'id', 'h', ...scores], { mass }, dialect)})`
    const keyed = selectFormulas(dialect.withUniforms(massed, first.stream), shown, first.keys, dialect)
    const sql = `WITH chosen AS MATERIALIZED (${rows}) SELECT ${shown} FROM (${keyed}) ORDER BY ${Object.keys(first.keys)}${Number.isFinite(first.size) ? ` LIMIT ${first.size}` : ''}`
    const answer = await database.rows(sql, { step: 'drawing', signal })
    return answer.map(([row, line, one, mass, ...own]) => {
      points.remember(String(one), { row: Number(row), line: Number(line) }) // it will be taken, and looked at
      return { row: Number(row), id: String(one), mass: Number(mass), scores: own.map(Number) }
    })
  }

  async function draw(scored: ScoredPoints, request: DrawRequest, signal: Signal | undefined): Promise<DrawResult> {
    const { design, size, stream, model } = request
    const looked = await look(scored, request, signal)
    const { by, positive } = wantedBy(design)
    const keys = Object.fromEntries(by.map((key, k) => [`k${k}`, key]))
    const first = { keys, size, stream, scores: scoresPerPoint(model) }
    const { table, survey } = await pass(looked, first, signal)
    const heads = `SELECT unnest(heads) AS r FROM ${table}`
    const found = await candidatesIn(looked, heads, first, signal).finally(() => database.rows(`DROP TABLE ${table}`))
    // Here, and not in the query: a condition there has every mass computed twice.
    const candidates = positive ? found.filter(({ mass }) => mass > 0) : found
    const others = await othersThan(candidates, looked, survey.mass, signal)
    if (design.name !== 'bernoulli')
      return { draws: drawsAmong(candidates, { design, size, stream, total: survey.mass, others }), survey }

    const scale = bernoulliScale(candidates, others, size)
    const place = { place: bernoulliPlace(scale) }
    const massed = `(${selectFormulas(looked.rows, ['r', 'h'], { mass: looked.mass }, dialect)})`
    const placed = selectFormulas(dialect.withUniforms(massed, stream), ['r'], place, dialect)
    const included = await candidatesIn(
      looked,
      `SELECT r FROM (${placed}) WHERE place <= 1`,
      { ...first, keys: place, size: Number.POSITIVE_INFINITY },
      signal,
    )
    return { draws: bernoulliDraws(included, scale, survey.mass), survey }
  }

  /** The mass of all but the candidates: by subtraction, unless that would lose digits. */
  async function othersThan(
    candidates: readonly Found[],
    { rows, mass }: Looked,
    total: number,
    signal?: Signal,
  ): Promise<number> {
    const own = massOf(candidates)
    if (own < total / 2) return total - own
    const others = `(SELECT * FROM ${rows} WHERE r NOT IN (SELECT unnest($1)::BIGINT))`
    const inner = `SELECT g, ${ofStretch('total', 'mass')} AS mass FROM (${selectFormulas(others, ['g'], { mass }, dialect)}) GROUP BY g`
    const ids = candidates.map(({ row }) => `${row}`)
    const [answer] = await database.rows(`SELECT ${ofAll('total', 'mass')} FROM (${inner})`, { ids, step: 'drawing', signal })
    return Number(answer![0] ?? 0)
  }

  return {
    survey(question, signal) {
      requireFormula(question.mass.express, question.mass.name)
      return points.withScores({ ...question, signal }, async (scored) => {
        const { table, survey } = await pass(await look(scored, question, signal), undefined, signal)
        await database.rows(`DROP TABLE ${table}`)
        return survey
      })
    },
    draw(request, signal) {
      const { size, mass } = request
      requireInput(size < mostDraws, `draws: fewer than ${mostDraws} at a time are possible for a pool on disk, got ${size}`)
      requireFormula(mass.express, mass.name)
      return points.withScores({ ...request, signal }, (scored) => draw(scored, request, signal))
    },
  }

  type Looked = Awaited<ReturnType<typeof look>>
}

/** What DuckDB keeps of a group, at most. */
const mostDraws = 1_000_000

/** As many as there may be threads; a census has 512 bins in each. */
const mostStretches = 64

/** Which points come first: the `size` first in the order of keys. */
interface First {
  readonly keys: Named
  readonly size: number
  readonly stream: Stream
  /** Scores that a point has. */
  readonly scores: number
}

interface Found extends Candidate {
  readonly row: number
}

/** What to compare points by: a number where one says it all, which is far cheaper than a row of several. */
const placeBy = (keys: Named): string => {
  const names = Object.keys(keys)
  return names.length === 1 ? names[0]! : `row(${names})`
}
