import { calibratedLine, centreOf, chanceAt, flattened, type Line } from '../certificates/calibrated.ts'
import { isRelevant, type Moments, momentsOf, type Worth } from '../certificates/question.ts'
import { recalibrate } from '../certificates/recalibrate.ts'
import { clip, sigmoid } from '../core/numbers.ts'
import type { Label } from '../core/record.ts'
import type { Stratum } from '../core/strata.ts'
import type { Strata } from './frame.ts'
import { calibratingAnswers, type ToldDoubt } from './learned.ts'

/**
 * What is believed of answers before they are given, with its numbers: kept with the draws of a round and never made anew. It may be as
 * wrong as it likes; that costs width, never coverage.   @see docs/equations.md#beliefs
 */
export type BeliefRule =
  /** Every prediction of a class is wrong with the same chance. */
  | { readonly kind: 'plain'; readonly wrong: readonly number[] }
  /** A prediction is wrong with chance σ(intercept + slope · doubt). */
  | { readonly kind: 'line'; readonly intercept: number; readonly slope: number }
  /** Each of several models is right with the chance that its share of the votes has. */
  | { readonly kind: 'votes'; readonly wrong: number }
  /** Grades have mean intercept + slope · grade, as shares of their range, and this variance. */
  | { readonly kind: 'grades'; readonly intercept: number; readonly slope: number; readonly variance: number }

/** What a rule says of each profile of a pool. */
export interface Beliefs {
  /** Of what a point will add to a question, if answers are worth this. */
  moments(profile: number, worths: readonly Worth[]): Moments
  /** The probability of each class; none where answers are grades. */
  probabilities(profile: number): Float64Array
}

export function beliefsOf(rule: BeliefRule, { frame, profileOf }: Strata): Beliefs {
  const classes = frame.classes.length
  const probabilities = profileOf.map((stratum) => probabilitiesOf(rule, stratum, classes))
  const [least, most] = frame.range ?? [0, 1]
  return {
    moments(profile, worths) {
      if (!isRelevant(worths)) return { ...worths[0]!, numNum: 0, numDen: 0, denDen: 0 }
      if (rule.kind !== 'grades') return momentsOf(worths, probabilities[profile]!)
      const mean = least + (most - least) * clip(rule.intercept + rule.slope * profileOf[profile]!.grade, 0, 1)
      return { num: mean, den: 1, numNum: rule.variance * (most - least) ** 2, numDen: 0, denDen: 0 }
    },
    probabilities: (profile) => probabilities[profile]!,
  }
}

function probabilitiesOf(rule: BeliefRule, stratum: Stratum, classes: number): Float64Array {
  if (rule.kind === 'grades') return new Float64Array(0)
  if (rule.kind === 'votes') return votesOf(stratum, classes, rule.wrong)
  const first = stratum.predicted[0]
  if (first === undefined) return new Float64Array(classes).fill(1 / classes)
  return spreadOver(stratum, classes, rule.kind === 'plain' ? rule.wrong[first]! : chanceAt(rule, stratum.doubt))
}

/** What a wrong prediction leaves goes to the runner-up by its share, and evenly to the others. */
function spreadOver({ predicted: [first], runnerUp, runnerUpShare }: Stratum, classes: number, wrong: number): Float64Array {
  const others = Math.max(1, classes - 1)
  const chances = new Float64Array(classes)
  if (runnerUp < 0 || classes <= 2) chances.fill(wrong / others)
  else {
    chances.fill((wrong * (1 - runnerUpShare)) / (others - 1))
    chances[runnerUp] = wrong * runnerUpShare
  }
  chances[first!] = 1 - wrong
  return chances
}

function votesOf({ predicted }: Stratum, classes: number, wrong: number): Float64Array {
  const chances = new Float64Array(classes)
  for (const own of predicted)
    for (let y = 0; y < classes; y++) chances[y]! += (y === own ? 1 - wrong : wrong / Math.max(1, classes - 1)) / predicted.length
  return chances
}

/** An answer as calibration sees it. */
export interface Answered {
  readonly stratum: number
  readonly answer: Label
}

/** The chance of being wrong that models themselves have, over the points left. */
const rawChance = ({ doubt }: Stratum) => sigmoid(doubt)

/** Before anything is known of the confidences: the mean of what is left, by class predicted. */
export function plainRule({ frame, list }: Strata, left: Float64Array): BeliefRule {
  if (frame.range) return gradesAtFirst(list)
  const sums = frame.classes.map(() => ({ points: 0, wrong: 0 }))
  for (const [k, stratum] of list.entries()) {
    const sum = sums[stratum.predicted[0] ?? 0]!
    sum.points += left[k]!
    sum.wrong += left[k]! * rawChance(stratum)
  }
  return { kind: 'plain', wrong: sums.map(({ points, wrong }) => (points > 0 ? clip(wrong / points, 0.001, 0.95) : 0.1)) }
}

/** What the answers so far make of the confidences: a line through the logits, one standard error flatter than fits best. */
export function calibratedRule(strata: Strata, left: Float64Array, answered: readonly Answered[]): BeliefRule {
  const { frame, list, counts } = strata
  if (frame.range) return gradesRule(strata, answered)
  const told = answered.filter(({ answer }) => answer !== null)
  const own = told.map(({ stratum, answer }) => {
    const { doubt, predicted } = list[stratum]!
    return { doubt, isWrong: frame.classes[predicted[0]!] !== answer }
  })
  const all = [...learnedDoubts(strata, own.length), ...own]
  const logits = all.map(({ doubt }) => doubt)
  const wrong = all.map(({ isWrong }) => (isWrong ? 1 : 0))
  const mean = list.reduce((sum, stratum, k) => sum + counts[k]! * rawChance(stratum), 0) / Math.max(1, strata.points)
  const centre = centreOf(mean)
  const calibration = recalibrate(logits, wrong, centre)
  const scores = Float64Array.from(list, ({ doubt }) => doubt)
  const isEmpty = left.every((count) => count === 0)
  const line: Line = isEmpty ? calibratedLine(calibration, centre) : flattened({ scores, counts: left }, calibration, centre)
  return { kind: 'line', ...line }
}

/** The newest answers of learning, as many as an audit with so many of its own has use for: they are about models that came before. */
function learnedDoubts({ learned }: Strata, own: number): readonly ToldDoubt[] {
  const count = Math.max(0, calibratingAnswers - own)
  return count > 0 ? (learned?.told.slice(-count) ?? []) : []
}

/** Half as given and half in the middle; where all were given alike, or none, in the middle. */
function gradesAtFirst(list: readonly Stratum[]): BeliefRule {
  const slope = list.some(({ grade }) => grade !== list[0]!.grade) ? 0.5 : 0
  return { kind: 'grades', intercept: (1 - slope) / 2, slope, variance: 1 / 12 }
}

/** Least squares of grades told on grades given, as if a few points more had said that these are worth nothing. */
function gradesRule({ frame, list }: Strata, answered: readonly Answered[]): BeliefRule {
  const [least, most] = frame.range!
  const pairs = answered.flatMap(({ stratum, answer }) =>
    answer === null ? [] : [{ x: list[stratum]!.grade, y: (Number(answer) - least) / (most - least) }],
  )
  const n = pairs.length
  if (n === 0) return gradesAtFirst(list)
  const [mx, my] = [pairs.reduce((sum, { x }) => sum + x, 0) / n, pairs.reduce((sum, { y }) => sum + y, 0) / n]
  const sxx = pairs.reduce((sum, { x }) => sum + (x - mx) ** 2, 0)
  const sxy = pairs.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0)
  const slope = sxy / (sxx + 0.25)
  const intercept = my - slope * mx
  const squares = pairs.reduce((sum, { x, y }) => sum + (y - intercept - slope * x) ** 2, 0)
  return { kind: 'grades', intercept, slope, variance: Math.max((squares + 5 / 12) / (n + 5), 1e-4) }
}
