import type { DuckDBListValue } from '@duckdb/node-api'
import { emptyBelief } from '../../core/belief.ts'
import { AlisError } from '../../core/errors.ts'
import { type FeatureRows, gathered, type RowAddress } from '../../core/features.ts'
import * as f from '../../core/formula.ts'
import { addOuterInPlace } from '../../core/matrices.ts'
import { predictedClass, scoresPerPoint } from '../../core/model.ts'
import { mostEntries, type Profile } from '../../core/profile.ts'
import type { Signal } from '../../core/signal.ts'
import type { Engine, Prediction } from '../engine.ts'
import { blockColumns, rowsFrom, widthOfAll } from '../sql/features.ts'
import { beliefOf, requireFormula, scoreColumns, scoreName, weightOf } from '../sql/question.ts'
import { selectFormulas } from '../sql/select.ts'
import type { WorkingDatabase } from './database.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import { duckdbDrawing } from './draw-queries.ts'
import { type DuckdbPool, listOf, type WorkingPoints } from './points.ts'
import { ofAll, ofStretch } from './row-ranges.ts'

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
  const drawing = duckdbDrawing({ database, points, leftOf })
  const numbers = async (sql: string, step: string, signal?: Signal) =>
    (await database.rows(sql, { step, signal })).map((row) => row.map((value) => (value === null ? null : Number(value))))

  return {
    name: 'duckdb',
    size: points.size,
    columns,

    async survey(question, signal) {
      await begun
      return drawing.survey(question, signal)
    },

    async moment({ model, loss }, weight, signal) {
      const width = columns + 1
      const sum = new Float64Array(width * width)
      await begun
      const value = weightOf(beliefOf({ model, loss }), weight)
      const x = `(SELECT ${listOf(blocks)} AS x FROM (SELECT ${blockColumns(blocks)} FROM ${from}))`
      return points.withScores({ model, signal }, async (scored) => {
        const weighed = selectFormulas(scored.inStretches(1), ['r'], { v: value }, dialect)
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
      })
    },

    async profile(model, lens, signal) {
      const seen = requireFormula(lens.express, lens.name)(scoreColumns(model))[0]!
      await begun
      return points.withScores({ model, signal }, (scored) => {
        const rows = selectFormulas(leftOf(scored.inStretches(profileStretches)), ['g'], { z: seen }, dialect)
        return profileFrom(`(${rows})`, (sql) => numbers(sql, 'profile', signal))
      })
    },

    async draw({ selector, ...request }, signal) {
      if (selector)
        throw new AlisError(
          'bad-input',
          `strategy: one that draws by masses is required for a pool on disk, got ${selector.name}, which compares points with each other`,
          'Use the strategy alis, or a pool that fits into memory.',
        )
      await begun
      return drawing.draw(request, signal)
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
      const scored = await points.scores({ model })
      try {
        for await (const chunk of database.chunks(`SELECT id, ${scores} FROM ${scored.inStretches(1)}`))
          yield chunk.getRows().map(([one, ...values]): Prediction => {
            const own = values.map(Number)
            loss.read(own, belief)
            return { id: String(one), label: predictedClass(own), probabilities: [...belief.probabilities] }
          })
      } finally {
        await scored.leave()
      }
    },

    async close() {
      await begun
      await database.rows(`DROP TABLE ${taken}`)
    },
  }
}

/** A profile has 4,096 bins in each. */
const profileStretches = 16

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
  const { items } = value as Partial<DuckDBListValue>
  if (items) return items.map(Number)
  throw new Error(`expected a list of numbers, got ${value}`)
}
