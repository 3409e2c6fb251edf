import { AlisError, requireInput } from '../../core/errors.ts'
import * as f from '../../core/formula.ts'
import { meanRankPowers } from '../../core/margins.ts'
import { scoresPerPoint } from '../../core/model.ts'
import type { Signal } from '../../core/signal.ts'
import type { Census, Mass } from '../../masses/mass.ts'
import type { DrawRequest, DrawResult } from '../engine.ts'
import { bernoulliDraws, bernoulliPlace, bernoulliScale, type Candidate, drawsAmong, wantedBy } from '../sql/draws.ts'
import type { Named } from '../sql/select.ts'
import type { Row } from './connection.ts'
import { valueAt } from './pass.ts'
import { listIn, numberIn, textIn } from './rows.ts'
import { type Looked, type Looking, nothingMore, scoresIn } from './survey-queries.ts'

type PlainRequest = Omit<DrawRequest, 'selector'>

/** How the designs draw by passes over the points. */
export function drawingBy({ pool, points, dialect, rows, look, surveyed }: Looking) {
  const { session, idText } = pool

  /** The points that a design may draw are those up to a cutoff; and the mass of all others is added up beside them. */
  async function drawsUpTo(looked: Looked, request: PlainRequest, cutoff: number, most: number, signal: Signal | undefined) {
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
  async function first(looked: Looked, request: PlainRequest, by: Named, isPositive: boolean, signal: Signal | undefined) {
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

  async function drawInOrder(looked: Looked, request: PlainRequest, signal: Signal | undefined) {
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

  async function drawTop(looked: Looked, request: PlainRequest, signal: Signal | undefined) {
    const { design, size, stream } = request
    const { survey } = await surveyed(looked, nothingMore, signal)
    const [by, u] = wantedBy(design).by
    const answer = await first(looked, request, { by: f.negative(looked.mass), u: u! }, false, signal)
    const candidates = answer.map((row) => candidateFrom(listIn(row, 0), scoresPerPoint(request.model)))
    requireInput(by !== undefined, 'top: an order is required, got none')
    return { survey, draws: drawsAmong(candidates, { design, size, stream, total: survey.mass, others: 0 }) }
  }

  async function drawBernoulli(looked: Looked, request: PlainRequest, signal: Signal | undefined) {
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

  return async (request: PlainRequest, signal: Signal | undefined): Promise<DrawResult> => {
    const { by } = wantedBy(request.design) // refuses a design it does not know
    const looked = await look(request, signal)
    if (looked.census.points === 0 || by.length === 0)
      return { draws: [], survey: (await surveyed(looked, nothingMore, signal)).survey }
    if (request.design.name === 'top') return drawTop(looked, request, signal)
    return request.design.name === 'bernoulli' ? drawBernoulli(looked, request, signal) : drawInOrder(looked, request, signal)
  }
}

const keyOf = ({ design }: PlainRequest, mass: f.Formula): f.Formula => replaced(wantedBy(design).by[0]!, mass)
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
