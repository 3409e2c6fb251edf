import { DuckDBListValue } from '@duckdb/node-api'
import { emptyBelief } from '../core/belief.ts'
import { AlisError } from '../core/errors.ts'
import { type FeatureRows, gathered, type RowAddress } from '../core/features.ts'
import * as f from '../core/formula.ts'
import { addOuterInPlace } from '../core/matrices.ts'
import { predictedClass, scoresPerPoint } from '../core/model.ts'
import { mostEntries, type Profile } from '../core/profile.ts'
import type { Stream } from '../core/randomness.ts'
import type { Signal } from '../core/signal.ts'
import type { WorkingDatabase } from './duckdb-database.ts'
import { type DuckdbPool, listOf, type WorkingPoints } from './duckdb-points.ts'
import { ofAll, ofStretch } from './duckdb-stretches.ts'
import type { Drawing, DrawRequest, Engine, Prediction, Question } from './engine.ts'
import { bernoulliDraws, bernoulliPlace, bernoulliScale, type Candidate, drawsAmong, massOf, wantedBy } from './sql/draws.ts'
import { duckdbDialect as dialect } from './sql/duckdb-dialect.ts'
import { blockColumns, rowsFrom, widthOfAll } from './sql/features.ts'
import {
  beliefOf,
  censusFormulas,
  censusFrom,
  massFormula,
  readingOf,
  requireFormula,
  scoreColumns,
  scoreName,
  surveyFormulas,
  surveyFrom,
  weightOf,
} from './sql/question.ts'
import { type Named, selectFormulas } from './sql/select.ts'

/** A pool with what is kept of it while it is worked on. */
export interface Opened {
  readonly pool: DuckdbPool
  readonly database: WorkingDatabase
  readonly points: WorkingPoints
  lookUp(ids: readonly string[], expressions: readonly string[]): Promise<(string | null)[][]>
}

/** An engine over a pool on disk. */
export function engineOf({ pool, database, points, lookUp }: Opened): Engine {
  const taken = database.newName('taken') // rows that may no longer be drawn
  const { from, id, blocks } = pool
  const columns = widthOfAll(blocks)
  const trained = new Map<string, RowAddress>() // features of labelled points: few, and asked for in every round
  const begun = database.rows(`CREATE TABLE ${taken} (r BIGINT)`)
  begun.catch(() => {}) // whoever asks first hears of it
  const leftOf = (rows: string) => `(SELECT * FROM ${rows} WHERE r NOT IN (SELECT r FROM ${taken}))`
  const numbers = async (sql: string, step: string, signal?: Signal) =>
    (await database.rows(sql, { step, signal })).map((row) => row.map((value) => (value === null ? null : Number(value))))

  /** The points that may be drawn, with a census of them and what their masses are. */
  async function look(question: Question, signal: Signal | undefined) {
    const { model, mass, controls, forms } = question
    const belief = beliefOf(question)
    const readings = controls.map((control) => readingOf(model, control))
    requireFormula(mass.express, mass.name)
    await begun
    const scored = await points.scored(model, forms, signal)
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
    const heads = first ? [`arg_min(r, ${placeBy(first.keys)}, ${first.size}) AS heads`] : []
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

  async function drawn(looked: Looked, request: DrawRequest, signal: Signal | undefined): Promise<Drawing> {
    const { design, size, stream, model } = request
    const { by, positive } = wantedBy(design)
    const keys = Object.fromEntries(by.map((key, k) => [`k${k}`, key]))
    const first = { keys, size, stream, scores: scoresPerPoint(model) }
    const { table, survey } = await pass(looked, first, signal)
    const heads = `SELECT unnest(heads) AS r FROM ${table}`
    const found = await candidatesIn(looked, heads, first, signal)
    await database.rows(`DROP TABLE ${table}`)
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
    name: 'duckdb',
    size: points.size,
    columns,

    async survey(question, signal) {
      const { table, survey } = await pass(await look(question, signal), undefined, signal)
      await database.rows(`DROP TABLE ${table}`)
      return survey
    },

    async moment({ model, loss }, weight, signal) {
      const width = columns + 1
      const sum = new Float64Array(width * width)
      await begun
      const value = weightOf(beliefOf({ model, loss }), weight)
      const weighed = selectFormulas((await points.scored(model, [], signal)).inStretches(1), ['r'], { v: value }, dialect)
      const x = `(SELECT ${listOf(blocks)} AS x FROM (SELECT ${blockColumns(blocks)} FROM ${from}))`
      const sql = `SELECT v, x FROM (SELECT * FROM (${weighed}) POSITIONAL JOIN ${x}) WHERE r NOT IN (SELECT r FROM ${taken})`
      let total = 0
      for await (const chunk of database.chunks(sql)) {
        signal?.throwIfAborted()
        for (const [v, row] of chunk.getRows()) {
          addOuterInPlace(sum, Float64Array.from(listItems(row)), Number(v))
          total += Number(v)
        }
      }
      return total > 0 ? sum.map((entry) => entry / total) : sum
    },

    async profile(model, lens, signal) {
      const seen = requireFormula(lens.express, lens.name)(scoreColumns(model))[0]!
      await begun
      const rows = leftOf((await points.scored(model, [], signal)).inStretches(profileStretches))
      return profileFrom(`(${selectFormulas(rows, ['g'], { z: seen }, dialect)})`, (sql) => numbers(sql, 'profile', signal))
    },

    async draw({ selector, ...request }, signal) {
      if (selector)
        throw new AlisError(
          'bad-input',
          `strategy: one that draws by masses is required for a pool on disk, got ${selector.name}, which compares points with each other`,
          'Use the strategy alis, or a pool that fits into memory.',
        )
      return drawn(await look(request, signal), request, signal)
    },

    async take(ids) {
      if (ids.length === 0) return
      await begun
      const rows = (await points.placesOf(ids)).map(({ row }) => `${row}`)
      const sql = `INSERT INTO ${taken} SELECT DISTINCT r FROM (SELECT unnest($1)::BIGINT AS r) WHERE r NOT IN (SELECT r FROM ${taken})`
      await database.rows(sql, { ids: rows })
    },

    async features(ids): Promise<FeatureRows> {
      const open = [...new Set(ids)].filter((one) => !trained.has(one))
      if (open.length > 0) {
        const sql = `SELECT ${id} AS id, ${blockColumns(blocks)} FROM ${from} WHERE ${await points.isOneOf(open)}`
        const answer = await database.rows(sql, { ids: open, step: 'fetching features' })
        const block = rowsFrom(
          answer.map(([, ...cells]) => cells),
          blocks,
        )
        for (const [row, [one]] of answer.entries()) trained.set(String(one), { block, row })
      }
      return gathered(
        ids.map((one) => trained.get(one)!),
        columns,
      )
    },

    async contents(ids) {
      const names = Object.keys(pool.fields)
      const rows = await lookUp(ids, Object.values(pool.fields))
      return ids.map((one, i) => {
        const filled = names.flatMap((name, k) => (rows[i]![k] === null ? [] : [[name, rows[i]![k]!] as const]))
        return { id: one, fields: Object.fromEntries(filled) }
      })
    },

    async *predictions(model, loss) {
      const belief = emptyBelief(model.classes.length)
      const scores = Array.from({ length: scoresPerPoint(model) }, (_, k) => scoreName(k))
      for await (const chunk of database.chunks(`SELECT id, ${scores} FROM ${(await points.scored(model)).inStretches(1)}`))
        yield chunk.getRows().map(([one, ...values]): Prediction => {
          const own = values.map(Number)
          loss.read(own, belief)
          return { id: String(one), label: predictedClass(own), probabilities: [...belief.probabilities] }
        })
    },

    async close() {
      await begun
      await database.rows(`DROP TABLE ${taken}`)
    },
  }

  type Looked = Awaited<ReturnType<typeof look>>
}

/** As many as there may be threads; a census has 512 bins in each. */
const mostStretches = 64
/** A profile has 4,096 bins in each. */
const profileStretches = 16

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

/** The profile of a column z: every value of a few, the mean of each bin of many. */
async function profileFrom(rows: string, ask: (sql: string) => Promise<(number | null)[][]>): Promise<Profile> {
  const [range] = await ask(`SELECT count(*), min(z), max(z) FROM ${rows}`)
  const [count, low, high] = range!.map((value) => value ?? 0) as [number, number, number]
  if (count <= mostEntries) {
    const scores = Float64Array.from(await ask(`SELECT z FROM ${rows}`), ([z]) => z!)
    return { scores, counts: new Float64Array(count).fill(1) }
  }
  const place = f.floor(f.product(f.quotient(f.difference(f.column('z'), low), high - low), mostEntries))
  const bin = high > low ? f.smallest(mostEntries - 1, place) : 0
  const binned = selectFormulas(rows, ['g', 'z'], { bin }, dialect)
  const summed = `SELECT g, bin, ${ofStretch('total', 'z')} AS z, count(*) AS points FROM (${binned}) GROUP BY g, bin`
  const bins = await ask(`SELECT ${ofAll('total', 'z')} / sum(points), sum(points) FROM (${summed}) GROUP BY bin ORDER BY bin`)
  return { scores: Float64Array.from(bins, ([z]) => z!), counts: Float64Array.from(bins, ([, points]) => points!) }
}

function listItems(value: unknown): number[] {
  if (value instanceof DuckDBListValue) return value.items.map(Number)
  throw new Error(`expected a list of numbers, got ${value}`)
}
