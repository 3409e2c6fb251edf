import { DuckDBListValue } from '@duckdb/node-api'
import { emptyBelief } from '../core/belief.ts'
import type { PoolDraw } from '../core/draw.ts'
import { AlisError } from '../core/errors.ts'
import { type FeatureRows, gathered, type RowAddress } from '../core/features.ts'
import * as f from '../core/formula.ts'
import { addOuterInPlace } from '../core/matrices.ts'
import { predictedClass, scoresPerPoint } from '../core/model.ts'
import { mostEntries, type Profile } from '../core/profile.ts'
import type { Signal } from '../core/signal.ts'
import type { Survey } from '../core/survey.ts'
import type { WorkingDatabase } from './duckdb-database.ts'
import { type DuckdbPool, listOf, type WorkingPoints } from './duckdb-points.ts'
import type { DrawRequest, Engine, Prediction, Question } from './engine.ts'
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
  const left = async (scored: Promise<string>) => {
    await begun
    return `(SELECT * FROM ${await scored} WHERE r NOT IN (SELECT r FROM ${taken}))`
  }
  const numbers = async (sql: string, step: string, signal?: Signal) =>
    (await database.rows(sql, { step, signal })).map((row) => row.map((value) => (value === null ? null : Number(value))))

  /** The points that may be drawn, with a census of them and what their masses are. */
  async function look(question: Question, signal: Signal | undefined) {
    const { model, mass, controls, forms } = question
    const belief = beliefOf(question)
    const readings = controls.map((control) => readingOf(model, control))
    requireFormula(mass.express, mass.name)
    const rows = await left(points.scored(model, forms, signal))
    const totals = mass.parts.map(({ of }, j) => (of.rankPower ? 'NULL' : dialect.total(`v${j}`)))
    const inner = selectFormulas(rows, [], censusFormulas(belief, mass), dialect)
    const answer = await numbers(
      `SELECT bin::INTEGER, count(*), ${totals} FROM (${inner}) GROUP BY bin ORDER BY bin`,
      'census',
      signal,
    )
    const census = censusFrom(
      answer.map(([bin, count, ...sums]) => ({ bin: bin!, points: count!, totals: sums })),
      mass,
    )
    return { rows, census, belief, readings, mass: massFormula(belief, mass, census) }
  }

  async function surveyOf({ rows, census, belief, readings, mass }: Looked, signal: Signal | undefined): Promise<Survey> {
    const measured = surveyFormulas(belief, readings, mass)
    const named = Object.fromEntries(measured.map(({ of }, k) => [`m${k}`, of]))
    const wanted = measured.map(({ by }, k) => (by === 'total' ? dialect.total(`m${k}`) : `${by}(m${k})`))
    const [answer] = await numbers(`SELECT ${wanted} FROM (${selectFormulas(rows, [], named, dialect)})`, 'survey', signal)
    return surveyFrom(answer!, census)
  }

  /** Candidates from a query with their ids, masses and scores. */
  async function candidatesIn(sql: string, signal: Signal | undefined): Promise<Candidate[]> {
    const answer = await database.rows(sql, { step: 'drawing', signal })
    return answer.map(([one, mass, ...scores]) => ({ id: String(one), mass: Number(mass), scores: scores.map(Number) }))
  }

  async function drawsFrom(
    looked: Looked,
    survey: Survey,
    request: DrawRequest,
    signal: Signal | undefined,
  ): Promise<PoolDraw[]> {
    const { design, size, stream, model } = request
    const scores = Array.from({ length: scoresPerPoint(model) }, (_, k) => scoreName(k))
    const massed = `(${selectFormulas(looked.rows, ['id', 'h', ...scores], { mass: looked.mass }, dialect)})`
    const rows = dialect.withUniforms(massed, stream)
    const shown = ['id', 'mass', ...scores]
    const ordered = (keys: Named, where: string, limit: number) => {
      const inner = selectFormulas(rows, shown, keys, dialect)
      return `SELECT ${shown} FROM (${inner}) WHERE ${where} ORDER BY ${Object.keys(keys)}${Number.isFinite(limit) ? ` LIMIT ${limit}` : ''}`
    }
    const { by, positive } = wantedBy(design)
    const keys = Object.fromEntries(by.map((key, k) => [`k${k}`, key]))
    const candidates = await candidatesIn(ordered(keys, positive ? 'mass > 0' : 'true', size), signal)
    const others = await othersThan(candidates, rows, survey.mass, signal)
    if (design.name !== 'bernoulli') return drawsAmong(candidates, { design, size, stream, total: survey.mass, others })

    const scale = bernoulliScale(candidates, others, size)
    const place = { place: bernoulliPlace(scale) }
    const included = await candidatesIn(ordered(place, 'place <= 1', Number.POSITIVE_INFINITY), signal)
    return bernoulliDraws(included, scale, survey.mass)
  }

  /** The mass of all but the candidates: by subtraction, unless that would lose digits. */
  async function othersThan(candidates: readonly Candidate[], rows: string, total: number, signal?: Signal): Promise<number> {
    const own = massOf(candidates)
    if (own < total / 2) return total - own
    const ids = candidates.map((candidate) => candidate.id)
    const sql = `SELECT ${dialect.total('mass')} FROM ${rows} WHERE id NOT IN (SELECT unnest($1))`
    const [answer] = await database.rows(sql, { ids, step: 'drawing', signal })
    return Number(answer![0] ?? 0)
  }

  return {
    name: 'duckdb',
    size: points.size,
    columns,

    async survey(question, signal) {
      return surveyOf(await look(question, signal), signal)
    },

    async moment({ model, loss }, weight, signal) {
      const width = columns + 1
      const sum = new Float64Array(width * width)
      await begun
      const value = weightOf(beliefOf({ model, loss }), weight)
      const weighed = selectFormulas(await points.scored(model, [], signal), ['r'], { v: value }, dialect)
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
      const rows = `(${selectFormulas(await left(points.scored(model, [], signal)), [], { z: seen }, dialect)})`
      return profileFrom(rows, (sql) => numbers(sql, 'profile', signal))
    },

    async draw({ selector, ...request }, signal) {
      if (selector)
        throw new AlisError(
          'bad-input',
          `strategy: one that draws by masses is required for a pool on disk, got ${selector.name}, which compares points with each other`,
          'Use the strategy alis, or a pool that fits into memory.',
        )
      const looked = await look(request, signal)
      const survey = await surveyOf(looked, signal)
      return { draws: looked.census.points === 0 ? [] : await drawsFrom(looked, survey, request, signal), survey }
    },

    async take(ids) {
      if (ids.length === 0) return
      await begun
      await points.requireAll(ids)
      const rows = `SELECT rowid FROM points WHERE id IN (SELECT unnest($1)) AND rowid NOT IN (SELECT r FROM ${taken})`
      await database.rows(`INSERT INTO ${taken} ${rows}`, { ids })
    },

    async features(ids): Promise<FeatureRows> {
      await points.requireAll(ids)
      const open = [...new Set(ids)].filter((one) => !trained.has(one))
      if (open.length > 0) {
        const sql = `SELECT ${id} AS id, ${blockColumns(blocks)} FROM ${from} WHERE ${id} IN (SELECT unnest($1))`
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
      for await (const chunk of database.chunks(`SELECT id, ${scores} FROM ${await points.scored(model)}`))
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
  const binned = selectFormulas(rows, ['z'], { bin }, dialect)
  const bins = await ask(`SELECT ${dialect.total('z')} / count(*), count(*) FROM (${binned}) GROUP BY bin ORDER BY bin`)
  return { scores: Float64Array.from(bins, ([z]) => z!), counts: Float64Array.from(bins, ([, points]) => points!) }
}

function listItems(value: unknown): number[] {
  if (value instanceof DuckDBListValue) return value.items.map(Number)
  throw new Error(`expected a list of numbers, got ${value}`)
}
