import { requireInput } from '../core/errors.ts'
import type { RoundFacts } from '../core/record.ts'
import { lureWeights } from '../weights/lure.ts'
import { roundWeights } from '../weights/rounds.ts'
import { tempered } from '../weights/tempered.ts'
import type { Strategy } from './strategy.ts'

/** The labelled points a model is to learn from: ids, classes and weights of equal length, in draw order. */
export interface LabelledSet {
  readonly ids: readonly string[]
  readonly labels: readonly number[]
  readonly weights: readonly number[]
}

/**
 * What the record of a run gives a strategy to learn from. "Cannot tell" is left out; a point drawn twice comes twice.
 *
 * @see docs/equations.md#training
 */
export function trainingSet(
  rounds: readonly RoundFacts[],
  options: {
    readonly strategy: Pick<Strategy, 'trainsOn'>
    readonly weighting: number
    readonly classes: readonly string[]
    readonly poolSize: number
  },
): LabelledSet {
  const { strategy, weighting, classes, poolSize } = options
  const used = strategy.trainsOn === 'batch' ? rounds.filter(hasAnswers).slice(-1) : rounds
  const counts = strategy.trainsOn === 'batch' ? batchWeights(used) : allWeights(used, poolSize)

  const drawn = used.flatMap(({ draws, answers }) => draws.map(({ id }) => ({ id, label: answers.get(id) ?? null })))
  const rows = drawn.flatMap(({ id, label }, k) => (label === null ? [] : [{ id, label, weight: counts[k]! }]))
  const labels = rows.map(({ label }) => {
    const position = classes.indexOf(label)
    requireInput(position >= 0, `answer: one of the classes ${classes.join(', ')} is required, got ${label}`)
    return position
  })
  const weights = tempered(
    rows.map(({ weight }) => weight),
    weighting,
  )
  return { ids: rows.map(({ id }) => id), labels, weights: [...weights] }
}

const hasAnswers = ({ answers }: RoundFacts) => [...answers.values()].some((label) => label !== null)

/** 1/p for the draws of one round; a uniform start counts evenly. */
function batchWeights(rounds: readonly RoundFacts[]): ArrayLike<number> {
  return rounds.flatMap(({ design, draws, survey }) => {
    const probabilities = draws.map(({ probability }) => probability)
    return design === 'successive' ? [...lureWeights(probabilities, survey.points)] : probabilities.map((p) => 1 / p)
  })
}

/** Weights that make every label so far count towards the whole pool. */
function allWeights(rounds: readonly RoundFacts[], poolSize: number): ArrayLike<number> {
  const draws = rounds.flatMap((round) => round.draws)
  if (rounds.every(({ design }) => design === 'successive')) {
    return lureWeights(
      draws.map(({ probability }) => probability),
      poolSize,
    )
  }
  if (rounds.some(({ design }) => design === 'top')) return new Float64Array(draws.length).fill(1)
  const isMixed = rounds.some(({ design }) => design === 'multinomial')
  requireInput(
    !isMixed,
    'strategy: draws with replacement must train on their own batch, got all labels',
    "Use trainsOn: 'batch'.",
  )
  let index = 0
  const records = rounds.map(({ design, size, survey, draws: own }) => ({
    points: survey.points,
    expected: size,
    // A start of fixed size is a round in which everybody had the same chance.
    draws: own.map((draw) => ({
      index: index++,
      probability: design === 'successive' ? size / survey.points : draw.probability,
    })),
  }))
  return [...roundWeights(records, poolSize).values()]
}
