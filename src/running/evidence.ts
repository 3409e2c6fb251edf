import type { ReadDraw, RunningRound } from '../certificates/running-readings.ts'
import { expectedLossOf, type Reader } from '../core/belief.ts'
import type { PoolDraw } from '../core/draw.ts'
import { type Model, predictedClass } from '../core/model.ts'
import { isFor, type Label, type RoundFacts } from '../core/record.ts'
import { errorOf } from '../losses/error.ts'
import type { ClassRow, DrawnPoints } from './drawn-points.ts'

/** A learning round that was drawn at random, and what is needed to read it again. */
export interface EvidenceRound {
  /** Its number on record. */
  readonly round: number
  /** The model that gave the masses, as long as classes of new points are asked of it; none for the start. */
  model: Model | undefined
  /** The classes that it gives, from the round's own points on. */
  readonly row: ClassRow
  /** Points of the pool when it was opened. */
  readonly poolSize: number
  readonly totals: Omit<RunningRound, 'draws'>
  /** g by draw. */
  readonly expected: readonly number[]
}

const designs: readonly string[] = ['successive', 'multinomial', 'bernoulli']

/** Whether a round was drawn to learn from, at random, and every point could be drawn. */
export function isEvidence(round: RoundFacts): boolean {
  const { design, survey } = round
  return isFor('learn', round) && designs.includes(design) && survey.smallestMass > 0 && survey.controls.length > 0
}

/** `model`: none for the start, of which no more is needed than what is on record. */
export function evidenceOf(round: RoundFacts, loss: Reader, points: DrawnPoints, model: Model | undefined): EvidenceRound {
  const { survey, draws, size } = round
  const from = points.startOf(round.round)
  const error = errorOf(loss)
  const design = round.design as RunningRound['design']
  const { predictedLoss, predictedVariance, largestUp, largestDown } = survey.controls[0]!
  const expected = Math.min(size, survey.points)
  const scale = expected / survey.mass // π ≥ min(1, scale · a)
  const reach = (largest: number) => (design === 'bernoulli' ? Math.max(1, largest / scale) : largest)
  return {
    round: round.round,
    model,
    row: { from, classes: model ? [] : draws.map(({ scores, predicting = scores }) => predictedClass(predicting)) },
    poolSize: survey.points + from,
    totals: {
      design,
      isLearned: model !== undefined,
      points: survey.points,
      mass: survey.mass,
      predictedLoss,
      predictedVariance,
      largestUp: reach(largestUp),
      largestDown: reach(largestDown),
      expected,
    },
    expected: draws.map(({ scores }) => expectedLossOf(error, scores)),
  }
}

/**
 * A round as far as it is answered: up to the first draw without an answer, all of it if it is closed. Independent draws are one factor: undefined
 * until the last of them is answered.
 */
export function readRound(
  { totals, expected, row }: EvidenceRound,
  facts: RoundFacts,
  points: DrawnPoints,
  classes: readonly string[],
): RunningRound | undefined {
  const { draws, answers, isClosed } = facts
  const open = isClosed ? -1 : draws.findIndex(({ id }) => !answers.has(id))
  if (open >= 0 && totals.design === 'bernoulli') return undefined
  const told = firstAnswers(facts)
  const lossOf = ({ id }: PoolDraw, label: Label | undefined) => {
    if (label === null || label === undefined) return null
    return classes[row.classes[points.positionOf(id) - row.from]!] === label ? 0 : 1
  }
  const read = draws.slice(0, open < 0 ? draws.length : open).map(
    (draw, k): ReadDraw => ({
      loss: lossOf(draw, answers.get(draw.id)),
      told: lossOf(draw, told.has(draw.id) ? told.get(draw.id) : answers.get(draw.id)),
      mass: draw.mass,
      probability: draw.probability,
      predictedLoss: expected[k]!,
    }),
  )
  return { ...totals, draws: read }
}

/** Answers before the round's first revision of each: what later bets rest on. */
function firstAnswers({ revisions }: RoundFacts): ReadonlyMap<string, Label> {
  return new Map(revisions.toReversed().map(({ id, from }) => [id, from]))
}
