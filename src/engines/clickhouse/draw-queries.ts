import { AlisError } from '../../core/errors.ts'
import type * as f from '../../core/formula.ts'
import { meanRankPowers } from '../../core/margins.ts'
import { scoresPerPoint } from '../../core/model.ts'
import type { Survey } from '../../core/survey.ts'
import type { Census, Mass } from '../../masses/mass.ts'
import type { DrawResult } from '../engine.ts'
import { bernoulliDraws, bernoulliPlace, bernoulliScale, type Candidate, drawsAmong, wantedBy } from '../sql/draws.ts'
import type { DrawTerms } from '../sql/engine.ts'
import type { Named } from '../sql/select.ts'
import { surveyFrom } from '../sql/survey-formulas.ts'
import { computedRows, type PointsOnClickHouse, scoresIn, valueAt } from './computed-rows.ts'
import { type FurtherColumns, pass } from './pass.ts'
import { listIn, numberIn, textIn } from './rows.ts'

/** By passes over the points: which of them a design can draw is cut off by a number wherever one is known, so that no server need sort. */
export async function drawOnClickHouse(points: PointsOnClickHouse, terms: DrawTerms): Promise<DrawResult> {
  const { design } = terms.request
  if (design.name === 'top') return drawTop(points, terms)
  return design.name === 'bernoulli' ? drawBernoulli(points, terms) : drawInOrder(points, terms)
}

/** The survey, and beside it what else the pass was told to select. */
async function surveyed(points: PointsOnClickHouse, { measured, census }: DrawTerms, further?: FurtherColumns) {
  const [all] = await pass(points, { of: measured }, further)
  return { survey: surveyFrom(all!.values, census), further: all!.further }
}

async function drawInOrder(points: PointsOnClickHouse, terms: DrawTerms): Promise<DrawResult> {
  const { size, mass } = terms.request
  const total = foreseenMass(mass, terms.census)
  const expected = size + 6 * Math.sqrt(size) + 12 // keys ring like a Poisson process: fewer than `size` once in a billion
  const cutoff = total > 0 ? expected / total : Number.POSITIVE_INFINITY
  const foreseen = await drawsUpTo(points, terms, cutoff, Math.ceil(4 * expected))
  if (foreseen) return foreseen
  // A few points with nearly all of the mass, or a draw of nearly all points: find out where to cut.
  const first = await firstOf(points, terms)
  const exact = await drawsUpTo(points, terms, lastOf(first.at(-1)), size + 2 ** 16)
  if (exact) return exact
  throw new AlisError('engine-failed', `${points.pool.session.where}: the same keys are required in every pass, got others`)
}

/** The points that a design may draw are those up to a cutoff; and the mass of all others is added up beside them. */
async function drawsUpTo(
  points: PointsOnClickHouse,
  terms: DrawTerms,
  cutoff: number,
  most: number,
): Promise<DrawResult | undefined> {
  const { dialect } = points
  const { design, size, stream } = terms.request
  const limit = dialect.number(cutoff)
  const { survey, further } = await surveyed(points, terms, {
    stream,
    formulas: { ...candidateFormulas(terms), key: replaced(wantedBy(design).by[0]!, terms.mass) },
    select(at) {
      const isIn = `${at('mass')} > 0 AND ${at('key')} <= ${limit}`
      const others = `${at('mass')} * (${at('mass')} > 0 AND ${at('key')} > ${limit})`
      const candidate = candidateTuple(points, Object.keys(candidateFormulas(terms)).map(at))
      return [`groupArrayIf(${most})(${candidate}, ${isIn})`, dialect.total(others), `countIf(${at('mass')} > 0)`]
    },
  })
  const candidates = listIn(further, 0).map((cell) => candidateFrom(cell, terms))
  const isWhole = candidates.length < most && candidates.length >= Math.min(size, numberIn(further, 2))
  const from = { design, size, stream, total: survey.mass, others: numberIn(further, 1) }
  return isWhole ? { survey, draws: drawsAmong(candidates, from) } : undefined
}

async function drawTop(points: PointsOnClickHouse, terms: DrawTerms): Promise<DrawResult> {
  const { survey } = await surveyed(points, terms)
  const candidates = (await firstOf(points, terms)).map((cells) => candidateFrom(cells, terms))
  return { survey, draws: drawsAmong(candidates, { ...terms.request, total: survey.mass, others: 0 }) }
}

async function drawBernoulli(points: PointsOnClickHouse, terms: DrawTerms): Promise<DrawResult> {
  const { survey, further } = await surveyed(points, terms, {
    formulas: { mass: terms.mass },
    select: (at) => [`countIf(${at('mass')} > 0)`],
  })
  const scale = await inclusionScale(points, terms, survey, numberIn(further, 0))
  const formulas = { ...candidateFormulas(terms), place: replaced(bernoulliPlace(scale), terms.mass) }
  const drawn = await surveyed(points, terms, {
    stream: terms.request.stream,
    formulas,
    select: (at) => [`groupArrayIf(${candidateTuple(points, Object.keys(formulas).map(at))}, ${at('place')} <= 1)`],
  })
  const included = listIn(drawn.further, 0)
    .map((cell) => ({ ...candidateFrom(cell, terms), place: lastOf(cell) }))
    .toSorted((a, b) => a.place - b.place)
  return { survey, draws: bernoulliDraws(included, scale, survey.mass) }
}

/** The factor of the masses; the largest of them need be known only if one of them would be above 1. */
async function inclusionScale(
  points: PointsOnClickHouse,
  terms: DrawTerms,
  { mass, largestMass }: Survey,
  positive: number,
): Promise<number> {
  const { size } = terms.request
  if (size >= positive) return Number.POSITIVE_INFINITY
  const plain = size / mass
  if (largestMass * plain <= 1) return plain
  const largest = (await firstOf(points, terms)).map((cells) => candidateFrom(cells, terms))
  const own = largest.reduce((sum, candidate) => sum + candidate.mass, 0)
  return bernoulliScale(largest, Math.max(mass - own, 0), size)
}

/** The first points in the order of their keys, each as a candidate with its keys after it. */
async function firstOf(points: PointsOnClickHouse, terms: DrawTerms): Promise<unknown[]> {
  const { design, size, stream } = terms.request
  const { by, positive } = wantedBy(design)
  const keys = Object.fromEntries(by.map((key, k) => [`key${k}`, replaced(key, terms.mass)]))
  const shown = candidateFormulas(terms)
  const formulas = { ...shown, ...keys }
  const values = Object.keys(formulas).map((_, k) => valueAt(k))
  const filter = positive ? `if(${valueAt(0)} > 0, 0, 1), ` : '' // WHERE is for those that are taken
  const order = ` ORDER BY ${filter}${values.slice(Object.keys(shown).length).join(', ')} LIMIT ${size}`
  const rows = computedRows(points, formulas, stream)
  const answer = await points.left.select([candidateTuple(points, values)], rows, order, points.signal)
  return answer.map(([cell]) => cell)
}

/** What a candidate consists of beside its id. */
const candidateFormulas = ({ mass, request }: DrawTerms): Named => ({ mass, ...scoresIn(request.model) })

const candidateTuple = ({ pool }: PointsOnClickHouse, values: readonly string[]): string =>
  `tuple(${[pool.idText, ...values].join(', ')})`

/** From a tuple of an id, a mass and scores. */
function candidateFrom(tuple: unknown, { request }: DrawTerms): Candidate {
  const cells = [tuple].flat()
  const scores = Array.from({ length: scoresPerPoint(request.model) }, (_, k) => numberIn(cells, k + 2))
  return { id: textIn(cells, 0), mass: numberIn(cells, 1), scores }
}

function lastOf(tuple: unknown): number {
  const cells = [tuple].flat()
  return numberIn(cells, cells.length - 1)
}

/** A formula of the column `mass` as one of the mass itself. */
function replaced(formula: f.Formula, mass: f.Formula): f.Formula {
  if (typeof formula === 'number') return formula
  if ('column' in formula) return formula.column === 'mass' ? mass : formula
  return { ...formula, of: formula.of.map((operand) => replaced(operand, mass)) }
}

/** Σ mass as a census foresees it: of a mixture the number of points, of one ingredient its total. Only where to cut depends on it. */
function foreseenMass({ parts }: Mass, { points, margins, totals }: Census): number {
  if (parts.length > 1) return points
  const { rankPower } = parts[0]!.of
  if (!rankPower) return Math.min(points, totals[0]!)
  return meanRankPowers(margins, rankPower).reduce((sum, value, bin) => sum + value * margins[bin]!, 0)
}
