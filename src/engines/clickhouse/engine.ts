import { emptyBelief } from '../../core/belief.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { gathered, type RowAddress } from '../../core/features.ts'
import * as f from '../../core/formula.ts'
import { meanRankPowers } from '../../core/margins.ts'
import { type Model, predictedClass, scoresPerPoint } from '../../core/model.ts'
import { mostEntries } from '../../core/profile.ts'
import type { Signal } from '../../core/signal.ts'
import type { Census, Mass } from '../../masses/mass.ts'
import type { DrawRequest, Engine, Question } from '../engine.ts'
import { bernoulliDraws, bernoulliPlace, bernoulliScale, type Candidate, drawsAmong, wantedBy } from '../sql/draws.ts'
import { rowsFrom, widthOfAll } from '../sql/features.ts'
import {
  beliefOf,
  censusFormulas,
  censusFrom,
  massFormula,
  readingOf,
  requireFormula,
  scoreColumns,
  surveyFormulas,
  surveyFrom,
  weightOf,
} from '../sql/question.ts'
import type { Named } from '../sql/select.ts'
import type { Row } from './connection.ts'
import { clickhouseDialect } from './dialect.ts'
import { type Computed, list, listOf, rowsWith, valueAt } from './pass.ts'
import {
  type ClickHousePool,
  type Fingerprint,
  isUnchanged,
  pointsLeft,
  rowsOf,
  type ScannedPool,
  scanPool,
  totalsOf,
} from './points.ts'
import { listIn, numberIn, textIn } from './rows.ts'

/** Widest models whose quadratic forms and moments are computed where the pool lies: they cost a square a row. */
const mostFormFeatures = 256

/** A pool that has been opened. */
export interface OpenClickHousePool {
  readonly fingerprint: Fingerprint
  /** Aggregates over all points, which must be as they were when the pool was opened. */
  totals(select: readonly string[]): Promise<Row>
  /** Whether the points are as they were when the pool was opened. */
  isUnchanged(): Promise<boolean>
  /** The hash of a point, as an expression. */
  readonly hash: string
  /** Some texts or NULLs of some points, by expressions of their rows. In the order asked for. */
  lookUp(ids: readonly string[], expressions: readonly string[]): Promise<(string | null)[][]>
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
}

/**
 * A pool on a ClickHouse server, or on many through a Distributed table. Every shard scores its own points; what comes back of a
 * round is its draws and a few sums. Draws as `memory` does, up to floating point.
 */
export async function openClickHousePool(pool: ClickHousePool): Promise<OpenClickHousePool> {
  const scanned = await scanPool(pool)
  return {
    fingerprint: scanned.fingerprint,
    hash: scanned.hash,
    totals: (select) => totalsOf(scanned, select),
    isUnchanged: () => isUnchanged(scanned),
    async lookUp(ids, expressions) {
      const rows = await rowsOf(scanned, ids, expressions)
      return ids.map((id) => rows.get(id)!.slice(1).map(textOrNull))
    },
    engine: () => engineOver(scanned),
  }
}

const textOrNull = (cell: unknown): string | null => (cell === null ? null : String(cell))

function engineOver(pool: ScannedPool): Engine {
  const { session, blocks, idText, hash, checksum } = pool
  const points = pointsLeft(pool)
  const dialect = clickhouseDialect(session.abilities)
  const columns = widthOfAll(blocks)
  const place = { blocks, hash, checksum, dialect }
  const trained = new Map<string, RowAddress>() // features of labelled points: few, and asked for in every round
  const rows = (computed: Computed) => {
    requireWidth(computed.model, columns)
    const isNarrow = !computed.forms?.length || columns <= mostFormFeatures
    requireInput(isNarrow, tooWide(columns), 'Use the strategy alis.')
    return rowsWith(session.table, computed, place)
  }

  /** A census of the points that may be drawn, and what their masses are. */
  async function look(question: Question, signal: Signal | undefined) {
    const { model, mass, controls, forms } = question
    const belief = beliefOf(question)
    const readings = controls.map((control) => readingOf(model, control))
    requireFormula(mass.express, mass.name)
    const { bin, ...values } = censusFormulas(belief, mass)
    const names = Object.keys(values)
    const answer = await points.counted(
      [`toInt32(${valueAt(0)}) AS bin`, ...names.map((_, k) => dialect.total(valueAt(k + 1)))],
      rows({ model, forms, formulas: { bin: bin!, ...values } }),
      ' GROUP BY bin ORDER BY bin',
      signal,
    )
    const census = censusFrom(
      answer.map((row) => ({
        bin: numberIn(row, 0),
        points: numberIn(row, 1 + names.length),
        totals: mass.parts.map((_, j) => (names.includes(`v${j}`) ? numberIn(row, 1 + names.indexOf(`v${j}`)) : null)),
      })),
      mass,
    )
    return { model, forms, census, belief, readings, mass: massFormula(belief, mass, census) }
  }

  /** One pass for the survey of a look, and for whatever else `more` asks of its masses and the formulas `extra`. */
  async function surveyed({ model, forms, census, belief, readings, mass }: Looked, more: More, signal: Signal | undefined) {
    const measured = surveyFormulas(belief, readings, mass)
    const own = Object.fromEntries(measured.map(({ of }, k) => [`m${k}`, of]))
    const extra = more.formulas(mass)
    const names = [...Object.keys(own), ...Object.keys(extra)]
    const totals = measured.map(({ by }, k) => (by === 'total' ? dialect.total(valueAt(k)) : `${by}(${valueAt(k)})`))
    const wanted = more.wanted((name) => valueAt(names.indexOf(name)))
    const computed = { model, forms, formulas: { ...own, ...extra }, ...(more.stream && { stream: more.stream }) }
    const [answer] = await points.counted([...totals, ...wanted], rows(computed), '', signal)
    const values = totals.map((_, k) => (census.points > 0 ? numberIn(answer!, k) : null))
    return { survey: surveyFrom(values, census), rest: answer!.slice(totals.length) }
  }

  /** The points that a design may draw are those up to a cutoff; and the mass of all others is added up beside them. */
  async function drawsUpTo(looked: Looked, request: DrawRequest, cutoff: number, most: number, signal: Signal | undefined) {
    const { design, size, stream, model } = request
    const limit = dialect.number(cutoff)
    const { survey, rest } = await surveyed(
      looked,
      {
        stream,
        formulas: (mass) => ({ mass, key: keyOf(request, mass), ...scoresIn(model) }),
        wanted: (at) => {
          const candidate = `tuple(${[idText, at('mass'), ...Object.keys(scoresIn(model)).map(at)].join(', ')})`
          const isIn = `${at('mass')} > 0 AND ${at('key')} <= ${limit}`
          const others = `${at('mass')} * (${at('mass')} > 0 AND ${at('key')} > ${limit})`
          return [`groupArrayIf(${most})(${candidate}, ${isIn})`, dialect.total(others), `countIf(${at('mass')} > 0)`]
        },
      },
      signal,
    )
    const candidates = candidatesIn(rest, 0)
    const isWhole = candidates.length < most && candidates.length >= Math.min(size, numberIn(rest, 2))
    const from = { design, size, stream, total: survey.mass, others: numberIn(rest, 1) }
    return isWhole ? { survey, draws: drawsAmong(candidates, from) } : undefined
  }

  /** The first of the points in some order. */
  async function first(looked: Looked, request: DrawRequest, by: Named, isPositive: boolean, signal: Signal | undefined) {
    const { model, stream, size } = request
    const shown = { mass: looked.mass, ...scoresIn(model) }
    const formulas = { ...shown, ...by }
    const keys = Object.keys(by).map((_, k) => valueAt(Object.keys(shown).length + k))
    const values = Object.keys(formulas).map((_, k) => valueAt(k))
    const filter = isPositive ? `if(${valueAt(0)} > 0, 0, 1), ` : '' // WHERE is for those that are taken
    return points.ask(
      [`tuple(${[idText, ...values].join(', ')})`],
      rows({ model, forms: looked.forms, stream, formulas }),
      ` ORDER BY ${filter}${keys.join(', ')} LIMIT ${size}`,
      signal,
    )
  }

  async function drawInOrder(looked: Looked, request: DrawRequest, signal: Signal | undefined) {
    const { size, mass } = request
    const total = foreseenMass(mass, looked.census)
    const expected = size + 6 * Math.sqrt(size) + 12 // keys ring like a Poisson process: fewer than `size` once in a billion
    const most = Math.ceil(4 * expected)
    const foreseen = await drawsUpTo(looked, request, total > 0 ? expected / total : Number.POSITIVE_INFINITY, most, signal)
    if (foreseen) return foreseen
    // A few points with nearly all of the mass, or a draw of nearly all points: ask where to cut.
    const key = { key: keyOf(request, looked.mass) }
    const last = (await first(looked, request, key, true, signal)).at(-1)
    const keys = last ? listIn(last, 0) : []
    const exact = await drawsUpTo(looked, request, numberIn(keys, keys.length - 1), size + 2 ** 16, signal)
    if (!exact) throw new AlisError('engine-failed', `${session.where}: the same keys are required in every pass, got others`)
    return exact
  }

  async function drawTop(looked: Looked, request: DrawRequest, signal: Signal | undefined) {
    const { design, size, stream } = request
    const { survey } = await surveyed(looked, nothingMore, signal)
    const [by, u] = wantedBy(design).by
    const answer = await first(looked, request, { by: f.negative(looked.mass), u: u! }, false, signal)
    const candidates = answer.map((row) => candidateFrom(listIn(row, 0), scoresPerPoint(request.model)))
    requireInput(by !== undefined, 'top: an order is required, got none')
    return { survey, draws: drawsAmong(candidates, { design, size, stream, total: survey.mass, others: 0 }) }
  }

  async function drawBernoulli(looked: Looked, request: DrawRequest, signal: Signal | undefined) {
    const { size, stream, model } = request
    const { survey, rest } = await surveyed(
      looked,
      { formulas: (mass) => ({ mass }), wanted: (at) => [`countIf(${at('mass')} > 0)`] },
      signal,
    )
    const positive = numberIn(rest, 0)
    let scale = size / survey.mass
    if (size >= positive) scale = Number.POSITIVE_INFINITY
    else if (survey.largestMass * scale > 1) {
      const answer = await first(looked, request, { by: f.negative(looked.mass) }, true, signal)
      const largest = answer.map((row) => candidateFrom(listIn(row, 0), scoresPerPoint(model)))
      const own = largest.reduce((sum, { mass }) => sum + mass, 0)
      scale = bernoulliScale(largest, Math.max(survey.mass - own, 0), size)
    }
    const { rest: drawn } = await surveyed(
      looked,
      {
        stream,
        formulas: (mass) => ({ mass, place: placeOf(scale, mass), ...scoresIn(model) }),
        wanted: (at) => {
          const candidate = `tuple(${[idText, at('mass'), ...Object.keys(scoresIn(model)).map(at), at('place')].join(', ')})`
          return [`groupArrayIf(${candidate}, ${at('place')} <= 1)`]
        },
      },
      signal,
    )
    const places = listIn(drawn, 0).map((cell) => ({ cell, place: numberIn([cell].flat(), scoresPerPoint(model) + 2) }))
    const included = places
      .toSorted((a, b) => a.place - b.place)
      .map(({ cell }) => candidateFrom([cell].flat(), scoresPerPoint(model)))
    return { survey, draws: bernoulliDraws(included, scale, survey.mass) }
  }

  return {
    name: 'clickhouse',
    size: pool.fingerprint.points,
    columns,

    async survey(question, signal) {
      return (await surveyed(await look(question, signal), nothingMore, signal)).survey
    },

    async moment({ model, loss }, weight, signal) {
      requireInput(columns <= mostFormFeatures, tooWide(columns), 'Use the strategy alis.')
      const value = weightOf(beliefOf({ model, loss }), weight)
      const x = listOf(blocks, dialect)
      const sums = Array.from(
        { length: columns + 1 },
        (_, i) => `sumForEach(arrayMap(a -> a * ${valueAt(0)} * ${list}[${i + 1}], ${list}))`,
      )
      const withX = `${rows({ model, formulas: { v: value } })}, [${x}] AS ${list}`
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
      const { by } = wantedBy(request.design) // refuses a design it does not know
      const looked = await look(request, signal)
      if (looked.census.points === 0 || by.length === 0)
        return { draws: [], survey: (await surveyed(looked, nothingMore, signal)).survey }
      if (request.design.name === 'top') return drawTop(looked, request, signal)
      return request.design.name === 'bernoulli' ? drawBernoulli(looked, request, signal) : drawInOrder(looked, request, signal)
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
        const sql = `SELECT ${[idText, ...values].join(', ')} FROM ${rows({ model, formulas })} WHERE ${hash} % ${parts} = ${part}`
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

  type Looked = Awaited<ReturnType<typeof look>>
}

/** What a pass shall find out beside the survey. */
interface More {
  readonly stream?: DrawRequest['stream']
  formulas(mass: f.Formula): Named
  wanted(at: (name: string) => string): string[]
}

const nothingMore: More = { formulas: () => ({}), wanted: () => [] }

/** Predictions that cross at once: few, for people look at pages of them. Each batch is a pass over the hashes. */
const predictionBatch = 2 ** 16

const scoresIn = (model: Model): Named => Object.fromEntries(scoreColumns(model).map((score, k) => [`score${k}`, score]))

const keyOf = ({ design }: DrawRequest, mass: f.Formula): f.Formula => replaced(wantedBy(design).by[0]!, mass)
const placeOf = (scale: number, mass: f.Formula): f.Formula => replaced(bernoulliPlace(scale), mass)

/** A formula of the column `mass` as one of the mass itself. */
function replaced(formula: f.Formula, mass: f.Formula): f.Formula {
  if (typeof formula === 'number') return formula
  if ('column' in formula) return formula.column === 'mass' ? mass : formula
  return { ...formula, of: formula.of.map((part) => replaced(part, mass)) }
}

/** Σ mass as a census foresees it: of a mixture the number of points, of one ingredient its total. Only where to cut depends on it. */
function foreseenMass({ parts }: Mass, { points, margins, totals }: Census): number {
  if (parts.length > 1) return points
  const { rankPower } = parts[0]!.of
  if (!rankPower) return Math.min(points, totals[0]!)
  return meanRankPowers(margins, rankPower).reduce((sum, value, bin) => sum + value * margins[bin]!, 0)
}

const candidatesIn = (row: Row, at: number): Candidate[] => listIn(row, at).map((cell) => candidateFrom([cell].flat()))

/** From an id, a mass and scores. */
function candidateFrom(cells: Row, scores = cells.length - 2): Candidate {
  const values = Array.from({ length: scores }, (_, k) => numberIn(cells, k + 2))
  return { id: textIn(cells, 0), mass: numberIn(cells, 1), scores: values }
}

function requireWidth(model: Model, columns: number): void {
  const needed = model.kind === 'linear' ? model.weights[0]?.length : model.columns
  requireInput(needed === columns, `model: ${columns} weights are required, one for each feature of the pool, got ${needed}`)
}

const tooWide = (width: number): string =>
  `engine: at most ${mostFormFeatures} features are possible for this strategy where the pool lies, got ${width}`
