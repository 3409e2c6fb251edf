import { BatchInterval } from '../certificates/batch-interval.ts'
import { DrawInterval, type Interval } from '../certificates/draw-interval.ts'
import { expectedLossOf, type Reader } from '../core/belief.ts'
import type { PoolDraw } from '../core/draw.ts'
import { predictedClass } from '../core/model.ts'
import { clip } from '../core/numbers.ts'
import type { Label, RoundOpening } from '../core/record.ts'
import { isKnownDesign } from '../designs/catalogue.ts'
import { isRandom } from '../designs/top.ts'
import { errorOf } from '../losses/error.ts'
import { poolMean } from '../weights/pool-mean.ts'

/** What the fresh answers of a round say about the model *before* it learned from them. */
export interface Estimate {
  readonly metric: 'error'
  readonly about: 'model before this round'
  /** Unbiased for that model's error over the points that were unlabelled. An empty Bernoulli round says 0, as it must to stay so. */
  readonly value: number
  /** An interval from this round's answers alone; null where some point could not be drawn, so that nothing is known of it, and for a design of one's own. */
  readonly low: number | null
  readonly high: number | null
  readonly level: number
  readonly answers: number
}

/** What the answers to a round say about the model it was drawn with; undefined for a design without dice. */
export function estimateOf(
  { learner, classes }: { readonly learner: { readonly loss: Reader }; readonly classes: readonly string[] },
  opening: RoundOpening,
  answers: ReadonlyMap<string, Label>,
): Estimate | undefined {
  const { design, draws, survey } = opening
  if (!isRandom(design)) return undefined
  const error = errorOf(learner.loss)
  const drawn = draws.map((draw): DrawnError => {
    const label = answers.get(draw.id) ?? null
    const wrong = label === null ? null : classes[predictedClass(draw.predicting ?? draw.scores)] === label ? 0 : 1
    return { ...draw, loss: wrong, predictedLoss: expectedLossOf(error, draw.scores) }
  })
  const halved = drawn.map(({ loss }) => loss ?? 0.5) // cannot tell: half-way between right and wrong
  const value = poolMean(design, draws, halved, survey.points)
  const limits =
    survey.smallestMass > 0 && isKnownDesign(design) ? limitsOf(opening, drawn) : { low: null, high: null, level: 0.95 }
  return { metric: 'error', about: 'model before this round', value, ...limits, answers: answers.size }
}

interface DrawnError extends PoolDraw {
  readonly loss: number | null
  readonly predictedLoss: number
}

/** An interval from one round's few answers: wide, and right 95 times in 100. */
function limitsOf(opening: RoundOpening, drawn: readonly DrawnError[]): Pick<Interval, 'low' | 'high' | 'level'> {
  const { low, high, level } = opening.design === 'successive' ? fromSuccessive(opening, drawn) : fromIndependent(opening, drawn)
  return { low, high, level }
}

function fromSuccessive({ survey }: RoundOpening, drawn: readonly DrawnError[]): Interval {
  const totals = { mass: survey.mass, ...survey.controls[0]! }
  const interval = new DrawInterval({ poolSize: survey.points, ...(drawn.length > 0 && { budget: drawn.length }) })
  interval.round(totals)
  for (const draw of drawn) interval.draw(draw)
  return interval.interval()
}

/** Bernoulli draws, or draws with replacement: the same, with m·p for π.   @see docs/equations.md#batch-interval */
function fromIndependent({ design, size, survey }: RoundOpening, drawn: readonly DrawnError[]): Interval {
  const { points, mass, controls } = survey
  const { predictedLoss, predictedVariance, largestDown, largestUp } = controls[0]!
  const isRepeating = design === 'multinomial'
  const expected = isRepeating ? drawn.length : Math.min(size, points)
  const scale = expected / mass // π ≥ min(1, scale · a), and equal unless the surplus of points certain to be drawn went to others
  const totals = {
    expected,
    predictedLoss,
    largestDown: Math.max(1, largestDown / scale),
    largestUp: Math.max(1, largestUp / scale),
    variance: Math.max((mass * predictedVariance) / points ** 2, 1e-6),
  }
  const interval = new BatchInterval({ poolSize: points, tolerance: withinReach(totals.variance, expected) })
  const draws = drawn.map((draw) => (isRepeating ? { ...draw, probability: expected * draw.probability } : draw))
  const evidence = interval.evidence(totals, draws)
  // Drawn twice, a point is evidence twice; what is known for certain, it is once.
  const { least, most, answers } = interval.evidence(totals, [...new Map(draws.map((draw) => [draw.id, draw])).values()])
  interval.batch(totals, { ...evidence, least, most, answers })
  return interval.interval()
}

/** The half-width that so many draws can be expected to reach, from what is known before the first of them. */
function withinReach(variance: number, draws: number): number {
  return clip(2.3 * Math.sqrt(variance / draws), 0.02, 0.45)
}
