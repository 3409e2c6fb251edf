import { forecastOf, informationAt } from '../../certificates/forecast.ts'
import { clip } from '../../core/numbers.ts'
import type { Forecast, ForecastRequest } from '../../protocol/project.ts'
import { type Beliefs, beliefsOf, calibratedRule, plainRule } from '../../questions/beliefs.ts'
import { strataOf } from '../../questions/frame.ts'
import { type MassRule, massesOf, spreadRule } from '../../questions/masses.ts'
import { warmUp } from '../../questions/rules.ts'
import { question } from '../../questions/spec.ts'
import type { AuditSubject } from '../../questions/subject.ts'
import { tablesFor } from '../../questions/tables.ts'
import { totalsOf } from '../../questions/totals.ts'

/** What a model itself expects of an audit before the first draw: what forecasts are computed from. */
export interface ForecastInputs {
  readonly model: string
  /** Points that could be drawn. */
  readonly points: number
  readonly expected: number
  /** Variance of what one draw says of the error: while every point is drawn alike, and later. */
  readonly plain: number
  readonly informed: number
  /** Half of the range that is known already: an audit starts from that. */
  readonly known?: number
}

/** From the strata of the points that may still be drawn, and what is believed of them. */
export async function forecastInputs({ pool, frame, model }: AuditSubject): Promise<ForecastInputs> {
  const strata = strataOf(frame, await pool.counts())
  const { points, counts } = strata
  if (points === 0) return { model, points, expected: 0, plain: 0, informed: 0 }
  const tables = tablesFor(question('error'), strata)[0]!
  const totals = (beliefs: Beliefs, rule: MassRule) => {
    const masses = massesOf(rule, [tables], strata, counts, beliefs)
    return totalsOf(tables, strata, { left: counts, masses, beliefs })
  }
  const plain = totals(beliefsOf(plainRule(strata, counts), strata), { kind: 'equal' })
  const expected = plain.num / points
  const beliefs = beliefsOf(calibratedRule(strata, counts, []), strata)
  const wanted = { tables, centre: expected, denominator: points, tolerance: 1 }
  const informed = totals(beliefs, spreadRule([wanted], strata, counts, beliefs))
  const varianceOf = ({ mass, numNum }: typeof plain) => (mass * numNum) / points ** 2
  return { model, points, expected, plain: varianceOf(plain), informed: varianceOf(informed) }
}

/** About how many answers a goal takes, and how the interval is expected to narrow on the way. A plan, not a promise. */
export function forecastFor(inputs: ForecastInputs, { tolerance, below, level }: ForecastRequest): Forecast {
  const { expected, points } = inputs
  const width = tolerance ?? (below !== undefined && below > expected ? below - expected : undefined)
  const needed = width === undefined || points === 0 ? undefined : answersFor(inputs, width, level)
  const last = Math.min(points, Math.max(50, Math.ceil(1.25 * (needed?.answers ?? 400))))
  const steps = Array.from({ length: 25 }, (_, k) => Math.max(1, Math.round((last * (k + 1)) / 25)))
  const curve = [...new Set(points === 0 ? [] : steps)].map((answers) => {
    const half = widthAfter(inputs, answers, level)
    return { answers, low: Math.max(0, expected - half), high: Math.min(1, expected + half) }
  })
  return { ...needed, expected, curve }
}

/** The first draws are plain; what they bring counts towards what is needed. */
export function answersFor({ points, plain, informed, known }: ForecastInputs, tolerance: number, level: number) {
  const left = { level, tolerance, left: points }
  const start = known === undefined ? 0 : informationAt(known, level)
  const alone = forecastOf({ ...left, information: start, variance: plain, answers: 0 })
  if (alone.answers <= warmUp || informed <= 0) return alone
  const then = forecastOf({ ...left, information: start + warmUp / Math.max(plain, 1e-12), variance: informed, answers: 0 })
  const after = (more: number) => Math.min(points, warmUp + more)
  return { answers: after(then.answers), low: after(then.low), high: after(then.high) }
}

/** The half-width expected after so many answers: the forecast, read backwards. */
function widthAfter(inputs: ForecastInputs, answers: number, level: number): number {
  let [narrow, wide] = [1e-4, 0.4999]
  for (let k = 0; k < 40; k++) {
    const middle = Math.sqrt(narrow * wide)
    if (answersFor(inputs, middle, level).answers > answers) narrow = middle
    else wide = middle
  }
  return clip(wide, 0, 1)
}
