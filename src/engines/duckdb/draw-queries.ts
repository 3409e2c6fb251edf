import { scoresPerPoint } from '../../core/model.ts'
import type { DrawResult } from '../engine.ts'
import { bernoulliDraws, bernoulliPlace, bernoulliScale, type Candidate, drawsAmong, massOf, wantedBy } from '../sql/draws.ts'
import type { DrawTerms } from '../sql/engine.ts'
import { type Named, selectFormulas } from '../sql/select.ts'
import { measuredColumns, scoreName, surveyFrom } from '../sql/survey-formulas.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import { type PointsOnDisk, rowsLeft } from './points.ts'
import { ofAll, ofStretch, selectAggregates } from './stretches.ts'

/**
 * One pass over the scores for masses, survey and keys; of each stretch it keeps the points that come first in the order of the
 * design, and nothing is ever sorted.
 */
export async function drawOnDisk(points: PointsOnDisk, terms: DrawTerms): Promise<DrawResult> {
  const { design, size, stream } = terms.request
  const { by, positive } = wantedBy(design)
  const keys = Object.fromEntries(by.map((key, k) => [`k${k}`, key]))
  const { survey, first } = await firstInOrder(points, terms, keys)
  // Here, and not in the query: a condition there has every mass computed twice.
  const candidates = positive ? first.filter(({ mass }) => mass > 0) : first
  const others = await othersThan(points, candidates, terms, survey.mass)
  if (design.name !== 'bernoulli')
    return { draws: drawsAmong(candidates, { design, size, stream, total: survey.mass, others }), survey }

  const scale = bernoulliScale(candidates, others, size)
  const place = { place: bernoulliPlace(scale) }
  const massed = `(${selectFormulas(rowsLeft(points), ['r', 'h'], { mass: terms.mass }, dialect)})`
  const placed = selectFormulas(dialect.withUniforms(massed, stream), ['r'], place, dialect)
  const included = await candidatesIn(points, `SELECT r FROM (${placed}) WHERE place <= 1`, terms, place)
  return { draws: bernoulliDraws(included, scale, survey.mass), survey }
}

/** The survey, and the first points in the order of the keys. */
async function firstInOrder(points: PointsOnDisk, terms: DrawTerms, keys: Named) {
  const { database, signal } = points
  const { census, measured, mass, request } = terms
  const columns = measuredColumns(measured)
  const massed = `(${selectFormulas(rowsLeft(points), ['g', 'r', 'h'], { mass, ...columns }, dialect)})`
  const keyed = selectFormulas(dialect.withUniforms(massed, request.stream), ['g', 'r', ...Object.keys(columns)], keys, dialect)
  const heads = `arg_min(r, ${placeBy(keys)}, ${Math.max(1, Math.min(request.size, census.points))}) AS heads`
  const table = database.newName('pass')
  await database.rows(`CREATE TABLE ${table} AS SELECT g, ${[...ofStretch(measured), heads]} FROM (${keyed}) GROUP BY g`, {
    step: 'survey',
    signal,
  })
  try {
    const [sums] = await database.rows(`SELECT ${ofAll(measured)} FROM ${table}`, { step: 'survey', signal })
    const survey = surveyFrom(sums!.map(Number), census)
    const first = await candidatesIn(points, `SELECT unnest(heads) AS r FROM ${table}`, terms, keys, request.size)
    return { survey, first }
  } finally {
    await database.rows(`DROP TABLE ${table}`)
  }
}

interface FoundCandidate extends Candidate {
  readonly row: number
}

/** The points in some rows with their masses, in the order of the keys: the first of them, or all. */
async function candidatesIn(
  { database, index, scores: table, signal }: PointsOnDisk,
  rows: string,
  { mass, request: { model, stream } }: DrawTerms,
  keys: Named,
  most?: number,
): Promise<FoundCandidate[]> {
  const scores = Array.from({ length: scoresPerPoint(model) }, (_, k) => scoreName(k))
  const few = (name: string) => `(SELECT rowid AS r, * FROM ${name} WHERE rowid IN (SELECT r FROM chosen))`
  const scored = `(SELECT * FROM ${few('points')} JOIN ${few(table)} USING (r))`
  const massed = `(${selectFormulas(scored, ['r', 'line', 'id', 'h', ...scores], { mass }, dialect)})`
  const shown = ['r', 'line', 'id', 'mass', ...scores]
  const keyed = selectFormulas(dialect.withUniforms(massed, stream), shown, keys, dialect)
  const limit = most === undefined ? '' : ` LIMIT ${most}`
  const answer = await database.rows(
    `WITH chosen AS MATERIALIZED (${rows}) SELECT ${shown} FROM (${keyed}) ORDER BY ${Object.keys(keys)}${limit}`,
    { step: 'drawing', signal },
  )
  return answer.map(([row, line, id, mass, ...own]) => {
    index.remember(String(id), { row: Number(row), line: Number(line) }) // it will be taken, and shown
    return { row: Number(row), id: String(id), mass: Number(mass), scores: own.map(Number) }
  })
}

/** What to compare points by: a number where one says it all, which is far cheaper than a row of several. */
function placeBy(keys: Named): string {
  const names = Object.keys(keys)
  return names.length === 1 ? names[0]! : `row(${names})`
}

/** The mass of all but the candidates: by subtraction, unless that would lose digits. */
async function othersThan(
  points: PointsOnDisk,
  candidates: readonly FoundCandidate[],
  { mass }: DrawTerms,
  total: number,
): Promise<number> {
  const own = massOf(candidates)
  if (own < total / 2) return total - own
  const others = `(SELECT * FROM ${rowsLeft(points)} WHERE r NOT IN (SELECT unnest($1)::BIGINT))`
  const sql = selectAggregates(others, { of: [{ by: 'total', of: mass }] })
  const ids = candidates.map(({ row }) => `${row}`)
  const [answer] = await points.database.rows(sql, { ids, step: 'drawing', signal: points.signal })
  return Number(answer![2] ?? 0)
}
