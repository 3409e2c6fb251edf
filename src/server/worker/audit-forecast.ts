import { calibratedLine, centreOf, flattened } from '../../certificates/calibrated.ts'
import { forecastOf } from '../../certificates/forecast.ts'
import { uncalibrated } from '../../certificates/recalibrate.ts'
import type { Model } from '../../core/model.ts'
import { clip, sigmoid } from '../../core/numbers.ts'
import { readTransformed, type ScoreTransform } from '../../core/score-transform.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Forecast, ForecastRequest } from '../../protocol/project.ts'
import { type DrawRule, measureOf } from '../../strategies/measures.ts'

/** What a model itself expects of an audit before the first draw: what forecasts are computed from. */
export interface ForecastInputs {
  readonly model: string
  /** Points that could be drawn. */
  readonly points: number
  /** The error it expects. */
  readonly expected: number
  /** Variance of what one draw says, while draws are uniform, and later. */
  readonly blind: number
  readonly informed: number
}

const uniformDraws = 50 // as many as an audit begins with

export async function forecastInputs(
  engine: Engine,
  model: Model,
  lens: ScoreTransform,
  classes: readonly string[],
): Promise<ForecastInputs> {
  const profile = await engine.profile(model, lens)
  const points = profile.counts.reduce((a, b) => a + b, 0)
  if (points === 0) return { model: model.id, points, expected: 0, blind: 0, informed: 0 }
  const centre = centreOf(profile.scores.reduce((sum, z, i) => sum + profile.counts[i]! * sigmoid(z), 0) / points)
  const line = calibratedLine(uncalibrated, centre)
  const measure = measureOf('error', { poolSize: points, classes, level: 0.95, tolerance: 0.02 })
  const survey = ({ loss, mass }: DrawRule) =>
    engine.survey({
      model,
      loss: readTransformed(lens, loss),
      mass,
      controls: measure.controls(line).map((control) => readTransformed(lens, control)),
    })
  const blind = await survey(measure.blind(line))
  const informed = await survey(measure.informed(flattened(profile, uncalibrated, centre)))
  const varianceOf = ({ mass, controls }: typeof blind) => (mass * controls[0]!.predictedVariance) / points ** 2
  return {
    model: model.id,
    points,
    expected: blind.controls[0]!.predictedLoss / points,
    blind: varianceOf(blind),
    informed: varianceOf(informed),
  }
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

/** The first draws are uniform; what they bring counts towards what is needed. */
export function answersFor({ points, blind, informed }: ForecastInputs, tolerance: number, level: number) {
  const left = { level, tolerance, left: points }
  const alone = forecastOf({ ...left, information: 0, variance: blind, answers: 0 })
  if (alone.answers <= uniformDraws || informed <= 0) return alone
  const then = forecastOf({ ...left, information: uniformDraws / Math.max(blind, 1e-12), variance: informed, answers: 0 })
  const after = (more: number) => Math.min(points, uniformDraws + more)
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
