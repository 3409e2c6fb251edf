import { emptyBelief } from '../../core/belief.ts'
import { AlisError } from '../../core/errors.ts'
import { gathered, type RowAddress } from '../../core/features.ts'
import * as f from '../../core/formula.ts'
import { predictedClass } from '../../core/model.ts'
import { mostEntries } from '../../core/profile.ts'
import type { Engine } from '../engine.ts'
import { rowsFrom } from '../sql/features.ts'
import { requireNarrow } from '../sql/forms.ts'
import { beliefOf, requireFormula, scoreColumns, weightOf } from '../sql/question.ts'
import { drawingBy } from './draw-queries.ts'
import { list, listOf, valueAt } from './pass.ts'
import { rowsOf, type ScannedPool } from './points.ts'
import { listIn, numberIn, textIn } from './rows.ts'
import { lookingAt, nothingMore, scoresIn } from './survey-queries.ts'

/** An engine over a pool that was scanned. */
export function engineOver(pool: ScannedPool): Engine {
  const { session, blocks, idText, hash } = pool
  const looking = lookingAt(pool)
  const { points, dialect, columns, rows, look, surveyed } = looking
  const draw = drawingBy(looking)
  const trained = new Map<string, RowAddress>() // features of labelled points: few, and asked for in every round

  return {
    name: 'clickhouse',
    size: pool.fingerprint.points,
    columns,

    async survey(question, signal) {
      return (await surveyed(await look(question, signal), nothingMore, signal)).survey
    },

    async moment({ model, loss }, weight, signal) {
      requireNarrow(columns)
      const value = weightOf(beliefOf({ model, loss }), weight)
      const x = listOf(blocks, dialect)
      const sums = Array.from(
        { length: columns + 1 },
        (_, i) => `sumForEach(arrayMap(a -> a * ${valueAt(0)} * ${list}[${i + 1}], ${list}))`,
      )
      const { from } = rows({ model, formulas: { v: value } })
      const withX = { from: `${from}, [${x}] AS ${list}`, width: columns ** 2 }
      const [answer] = await points.counted([dialect.total(valueAt(0)), ...sums], withX, '', signal)
      const total = numberIn(answer!, 0)
      const sum = Float64Array.from(sums.flatMap((_, i) => listIn(answer!, i + 1).map(Number)))
      return total > 0 ? sum.map((entry) => entry / total) : sum
    },

    async profile(model, lens, signal) {
      const formulas = { z: requireFormula(lens.express, lens.name)(scoreColumns(model))[0]! }
      const [range] = await points.counted([`min(${valueAt(0)})`, `max(${valueAt(0)})`], rows({ model, formulas }), '', signal)
      const count = numberIn(range!, 2)
      if (count <= mostEntries) {
        const [all] = await points.counted([`groupArray(${valueAt(0)})`], rows({ model, formulas }), '', signal)
        return { scores: Float64Array.from(listIn(all!, 0), Number), counts: new Float64Array(count).fill(1) }
      }
      const [low, high] = [numberIn(range!, 0), numberIn(range!, 1)]
      const at = f.floor(f.product(f.quotient(f.difference(formulas.z, low), high - low), mostEntries))
      const bin = high > low ? f.smallest(mostEntries - 1, at) : 0
      const select = [`toInt32(${valueAt(1)}) AS bin`, `${dialect.total(valueAt(0))} / count()`]
      const bins = await points.counted(
        select,
        rows({ model, formulas: { ...formulas, bin } }),
        ' GROUP BY bin ORDER BY bin',
        signal,
      )
      return {
        scores: Float64Array.from(bins, (row) => numberIn(row, 1)),
        counts: Float64Array.from(bins, (row) => numberIn(row, 2)),
      }
    },

    async draw({ selector, ...request }, signal) {
      if (selector)
        throw new AlisError(
          'bad-input',
          `strategy: one that draws by masses is required for a pool on ClickHouse, got ${selector.name}, which compares points with each other`,
          'Use the strategy alis, or a pool that fits into memory.',
        )
      return draw(request, signal)
    },

    take: (ids) => points.take(ids),

    async features(ids) {
      const open = ids.filter((one) => !trained.has(one))
      const answer = await rowsOf(pool, open, blocks.map(({ sql }) => sql)) // biome-ignore format: one call
      const block = rowsFrom([...answer.values()].map((row) => row.slice(1)), blocks) // biome-ignore format: one call
      for (const [row, one] of [...answer.keys()].entries()) trained.set(one, { block, row })
      return gathered(ids.map((one) => trained.get(one)!), columns) // biome-ignore format: one call
    },

    async contents(ids) {
      const names = Object.keys(pool.fields)
      const answer = await rowsOf(pool, ids, Object.values(pool.fields))
      return ids.map((one) => {
        const cells = answer.get(one)!.slice(1)
        const filled = names.flatMap((name, k) => (cells[k] === null ? [] : [[name, String(cells[k])] as const]))
        return { id: one, fields: Object.fromEntries(filled) }
      })
    },

    async *predictions(model, loss) {
      const belief = emptyBelief(model.classes.length)
      const formulas = scoresIn(model)
      const values = Object.keys(formulas).map((_, k) => valueAt(k))
      const parts = Math.ceil(pool.fingerprint.points / predictionBatch)
      for (let part = 0; part < parts; part++) {
        const sql = `SELECT ${[idText, ...values].join(', ')} FROM ${rows({ model, formulas }).from} WHERE ${hash} % ${parts} = ${part}`
        yield (await session.ask({ sql })).map((row) => {
          const own = values.map((_, k) => numberIn(row, k + 1))
          loss.read(own, belief)
          return { id: textIn(row, 0), label: predictedClass(own), probabilities: [...belief.probabilities] }
        })
      }
    },

    async close() {
      session.close()
    },
  }
}

/** Predictions that cross at once: few, for people look at pages of them. Each batch is a pass over the hashes. */
const predictionBatch = 2 ** 16
