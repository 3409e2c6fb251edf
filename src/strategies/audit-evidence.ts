import type { Line } from '../certificates/calibrated.ts'
import type { Interval } from '../certificates/draw-interval.ts'
import type { Forecast } from '../certificates/forecast.ts'
import { type Calibration, recalibrate } from '../certificates/recalibrate.ts'
import type { PoolDraw } from '../core/draw.ts'
import type { Label, RoundOpening } from '../core/record.ts'
import { type ScoreTransform, untransformed } from '../core/score-transform.ts'
import type { Metric } from '../metrics/catalogue.ts'
import { type MeasureOptions, measureOf } from './measures.ts'

/** What the answers of an audit say so far. */
export interface AuditStanding {
  readonly interval: Interval
  /** About how many more answers; missing where no goal was set or the goal looks out of reach. */
  readonly forecast?: Forecast
  /** Whether the tolerance or the ceiling that was set has been reached. */
  readonly isReached: boolean
}

interface EvidenceOptions extends Omit<MeasureOptions, 'poolSize' | 'level'> {
  readonly lens?: ScoreTransform
  readonly metric?: Metric
  readonly level?: number
  readonly budget?: number
  readonly batch?: number
}

export type AuditEvidence = ReturnType<typeof auditEvidence>

/** The evidence of an audit over so many points. Answers are taken in draw order: one that comes early waits for those before it. */
export function auditEvidence(options: EvidenceOptions, points: number) {
  const { lens = untransformed, metric = 'error', level = 0.95, tolerance, below } = options
  const { budget = Number.POSITIVE_INFINITY, batch = 50 } = options
  const measure = measureOf(metric, { ...options, poolSize: points, level })
  const logits: number[] = []
  const outcomes: number[] = []
  let queue: readonly PoolDraw[] = []
  let chances: Line = { intercept: 0, slope: 0 }
  let answered = 0

  const isReached = () => {
    const { low, high } = measure.interval()
    return (tolerance !== undefined && (high - low) / 2 <= tolerance) || (below !== undefined && high <= below)
  }

  return {
    measure,
    begin({ draws, survey }: RoundOpening, line: Line): void {
      queue = draws
      chances = line
      measure.begin(survey)
    },
    /** Up to the goal and not beyond, whichever answers are there by then: the same draws give the same certificate. */
    advance(answers: ReadonlyMap<string, Label>): void {
      for (let next = queue[0]; next && answers.has(next.id) && !isReached(); next = queue[0]) {
        const scores = Array.from(lens.see(next.scores))
        const outcome = measure.add({ ...next, scores }, answers.get(next.id)!, chances)
        answered++
        queue = queue.slice(1)
        if (outcome === null) continue // neither the design nor the calibration may learn from "cannot tell"
        logits.push(scores[0]!)
        outcomes.push(outcome)
      }
    },
    calibrate(centre: number): Calibration | undefined {
      return outcomes.reduce((a, b) => a + b, 0) >= 3 ? recalibrate(logits, outcomes, centre) : undefined
    },
    /** Answers so far, and how many to draw next. */
    status: () => ({ answers: answered, size: Math.max(0, Math.min(batch, budget - answered, points - answered)) }),
    result(): AuditStanding {
      const now = measure.interval()
      const goal = tolerance ?? (below !== undefined && now.value < below ? below - now.value : undefined)
      const forecast = goal === undefined ? undefined : measure.forecast(goal)
      return { interval: now, isReached: isReached(), ...(forecast && { forecast }) }
    },
  }
}
