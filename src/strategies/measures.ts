import { chanceAt, chanceFormula, type Line } from '../certificates/calibrated.ts'
import { DrawInterval, type Interval } from '../certificates/draw-interval.ts'
import type { Forecast } from '../certificates/forecast.ts'
import { RatioInterval } from '../certificates/ratio-interval.ts'
import type { Belief, Reader } from '../core/belief.ts'
import type { PoolDraw } from '../core/draw.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import type { Label } from '../core/record.ts'
import type { Survey } from '../core/survey.ts'
import { expectedLoss } from '../masses/expected-loss.ts'
import { type Ingredient, type Mass, mixture, pure } from '../masses/mass.ts'
import { spread } from '../masses/spread.ts'
import { type Metric, metrics, needsClass, type RatioMetric } from '../metrics/catalogue.ts'
import { type Judged, judgedMetric } from '../metrics/judged.ts'

export interface MeasureOptions {
  readonly poolSize: number
  readonly classes: readonly string[]
  readonly level: number
  /** The class in question, for a metric that needs one. */
  readonly positive?: string | undefined
  readonly tolerance?: number | undefined
  /** A ceiling: then all of the level goes to the upper limit. */
  readonly below?: number | undefined
}

/**
 * How an audit draws for a metric, and what it concludes. A point's first score z stands for the chance of some outcome (a wrong prediction, a
 * positive point), which a line turns into a probability; the second is the position of the predicted class, a third that of
 * another model's. What is measured is a value that depends on the outcome.   @see docs/equations.md#measures
 */
export interface Measure {
  readonly metric: Metric
  /** How to read scores for the values that the interval keeps totals of. */
  controls(line: Line): Reader[]
  /** How to draw, once something is known of the chances; and before that. */
  informed(line: Line): DrawRule
  blind(line: Line): DrawRule
  begin(survey: Survey): void
  /** Adds the next draw of the round. Returns the outcome, for calibration; null for "cannot tell". */
  add(draw: PoolDraw, label: Label, line: Line): 0 | 1 | null
  interval(): Interval
  forecast(tolerance: number): Forecast | undefined
}

export interface DrawRule {
  readonly loss: Reader
  readonly mass: Mass
}

export function measureOf(metric: Metric, options: MeasureOptions): Measure {
  return isRatio(metric) ? ratioMeasure(metric, options) : meanMeasure(metric, options)
}

const isRatio = (metric: Metric): metric is RatioMetric => judgedMetric(metric).den !== undefined

/** 1 where the answer can change the value that is measured, 0 where it cannot: no answer is needed there. */
const relevant: Ingredient = {
  name: 'relevant',
  value: ({ losses }) => (losses[0] === losses[1] ? 0 : 1),
  express: ({ losses }) => f.ifEqual(losses[0]!, losses[1]!, 0, 1),
}

/** The spread of a loss, where there is one. */
const relevantSpread: Ingredient = {
  name: spread.name,
  value: (belief, ranks) => relevant.value(belief, ranks) * spread.value(belief, ranks),
  express({ probabilities, losses }) {
    const p = probabilities[1]!
    return f.ifEqual(losses[0]!, losses[1]!, 0, f.sqrt(f.product(p, f.difference(1, p))))
  },
}

const blindMass = pure(relevant)
const informedMean: Mass = mixture('audit-of-mean', [
  { share: 0.6, of: relevantSpread },
  { share: 0.4, of: relevant },
])
const informedRatio: Mass = mixture('audit-of-ratio', [
  { share: 0.7, of: expectedLoss },
  { share: 0.3, of: relevant },
])

/** Values for both outcomes, by what is known of the point. Asked for every point of the pool: best not made anew. */
interface Values {
  of(scores: ArrayLike<number>): Pair
  express(scores: readonly Formula[]): readonly [Formula, Formula]
}
type Pair = readonly [ifNot: number, ifSo: number]

/** What a value is for both outcomes. Of two models that differ in their predictions, one is taken to be right. */
function pairOf(value: (judged: Judged) => number, predicted = 0, isSame = true): Pair {
  const judged = (outcome: 0 | 1) => ({
    wrong: outcome,
    otherWrong: isSame ? outcome : 1 - outcome,
    predicted,
    positive: outcome,
  })
  return [value(judged(0)), value(judged(1))]
}

const zeroOne: Pair = [0, 1]
const zeros: Pair = [0, 0]
const ones: Pair = [1, 1]

const always = (pair: Pair): Values => ({ of: () => pair, express: () => pair })

/** One pair where both models predict the same, another where they do not. */
const bySameness = (same: Pair, other: Pair): Values => ({
  of: (scores) => (scores[1] === scores[2] ? same : other),
  express: ([, first, second]) => ifPair(first!, second!, same, other),
})

/** One pair where some class is predicted, another everywhere else. */
const byPrediction = (place: number, predicted: Pair, other: Pair): Values => ({
  of: (scores) => (scores[1] === place ? predicted : other),
  express: ([, first]) => ifPair(first!, place, predicted, other),
})

/** A value by what is known of a point: only as much as it depends on. */
function valuesOf(value: (judged: Judged) => number, metric: Metric, place: number): Values {
  const plain = pairOf(value)
  if (metrics[metric].needs === 'other model') return bySameness(plain, pairOf(value, 0, false))
  const predicted = pairOf(value, 1)
  return plain.every((x, k) => x === predicted[k]) ? always(plain) : byPrediction(place, predicted, plain)
}

function ifPair(a: Formula, b: Formula, yes: Pair, no: Pair): readonly [Formula, Formula] {
  return [f.ifEqual(a, b, yes[0], no[0]), f.ifEqual(a, b, yes[1], no[1])]
}

function reader(line: Line, values: Values): Reader {
  return {
    name: `chance ${line.intercept} + ${line.slope} z`,
    read(scores, { probabilities, losses }: Belief) {
      const chance = chanceAt(line, scores[0]!)
      const pair = values.of(scores)
      const ifNot = pair[0]
      const ifSo = pair[1]
      for (let k = 2; k < losses.length; k++) {
        probabilities[k] = 0 // a model of K classes brings room for K outcomes; there are two
        losses[k] = ifNot
      }
      probabilities[0] = 1 - chance
      probabilities[1] = chance
      losses[0] = ifNot
      losses[1] = ifSo
    },
    express(scores, classes) {
      const chance = chanceFormula(line, scores[0]!)
      const [ifNot, ifSo] = values.express(scores)
      const others = Array.from({ length: classes - 2 }, () => 0)
      return {
        probabilities: [f.difference(1, chance), chance, ...others],
        losses: [ifNot, ifSo, ...others.map(() => ifNot)],
      }
    },
  }
}

/** What an answer says of a point that was drawn. */
function judge({ classes, positive }: MeasureOptions, { scores: [, first, second] }: PoolDraw, label: string): Judged {
  return {
    wrong: classes[first!] === label ? 0 : 1,
    otherWrong: classes[second!] === label ? 0 : 1,
    predicted: classes[first!] === positive ? 1 : 0,
    positive: label === positive ? 1 : 0,
  }
}

/** Whether what the first score stands for has happened. */
const outcomeOf = (metric: Metric, { positive, wrong }: Judged) => (needsClass(metric) ? positive : wrong) as 0 | 1

/** The mean of a value between two ends, brought to [0, 1]. */
function meanMeasure(metric: Metric, options: MeasureOptions): Measure {
  const { classes, positive, poolSize, level, tolerance, below } = options
  const { num, ends: [from, to] = [0, 1] } = judgedMetric(metric)
  const scale = Math.abs(to - from)
  const ceiling = below === undefined ? {} : { lowerShare: 0, tolerance: Math.max((below + scale - 1) / 4 / scale, 0.002) }
  const interval = new DrawInterval({
    poolSize,
    level,
    bets: 'single',
    ...(tolerance !== undefined && { tolerance: tolerance / scale }),
    ...ceiling,
  })
  const value = (judged: Judged) => Math.abs(num(judged) - from) / scale
  const values = valuesOf(value, metric, classes.indexOf(positive!))
  const shown = (mean: number) => from + (to - from) * mean
  return {
    metric,
    controls: (line) => [reader(line, values)],
    informed: (line) => ({ loss: reader(line, values), mass: informedMean }),
    blind: (line) => ({ loss: reader(line, values), mass: blindMass }),
    begin: ({ mass, controls }) => interval.round({ mass, ...controls[0]! }),
    add(draw, label, line) {
      const judged = label === null ? null : judge(options, draw, label)
      const [ifNot, ifSo] = values.of(draw.scores)
      const chance = chanceAt(line, draw.scores[0]!)
      const predictedLoss = (1 - chance) * ifNot + chance * ifSo
      interval.draw({ loss: judged && value(judged), mass: draw.mass, predictedLoss })
      return judged && outcomeOf(metric, judged)
    },
    interval() {
      const { value, low, high, ...rest } = interval.interval()
      const [least, most] = from < to ? [low, high] : [high, low]
      return { value: shown(value), low: shown(least), high: shown(most), ...rest }
    },
    forecast: (goal) => interval.forecast(goal / scale),
  }
}

/** A ratio of two sums, tested value by value. The outcome is that the point is positive. */
function ratioMeasure(metric: RatioMetric, options: MeasureOptions): Measure {
  const { classes, positive, poolSize, level, tolerance } = options
  const { num, den } = judgedMetric(metric)
  const interval = new RatioInterval({ metric, poolSize, level, bets: 'single', ...(tolerance !== undefined && { tolerance }) })
  const place = classes.indexOf(positive!)
  const drawing = (line: Line, mass: Mass): DrawRule => {
    const { value } = interval.interval()
    const d = (judged: Judged) => num(judged) - value * den!(judged) // for the F that looks likely now
    return { loss: reader(line, byPrediction(place, pairOf(d, 1), pairOf(d, 0))), mass }
  }
  return {
    metric,
    controls: (line) => [
      reader(line, byPrediction(place, zeroOne, zeros)),
      reader(line, byPrediction(place, zeros, zeroOne)),
      reader(line, byPrediction(place, ones, zeros)), // counts the predicted positives
    ],
    informed: (line) => drawing(line, informedRatio),
    blind: (line) => drawing(line, blindMass),
    begin({ points, mass, controls }) {
      const [positives, negatives, count] = controls as [Survey['controls'][0], Survey['controls'][0], Survey['controls'][0]]
      const predicted = Math.round(count.predictedLoss)
      interval.round({
        mass,
        positive: { points: predicted, ...positives },
        negative: { points: points - predicted, ...negatives },
      })
    },
    add({ scores, mass }, label, line) {
      const isTrue = label === null ? null : label === positive
      interval.draw({ isPredicted: scores[1] === place, isTrue, mass, chance: chanceAt(line, scores[0]!) })
      return isTrue === null ? null : isTrue ? 1 : 0
    },
    interval: () => interval.interval(),
    forecast: (goal) => interval.forecast(goal),
  }
}
