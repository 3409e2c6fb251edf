import { requireInput } from '../core/errors.ts'
import { isFor, poolSizes, type RoundFacts } from '../core/record.ts'
import { lureWeights } from '../weights/lure.ts'
import { roundWeights } from '../weights/rounds.ts'

/**
 * How many points of the pool each draw stands for, so that every label so far counts towards the whole of it. Points may join, and
 * labels may be given that were not drawn: what is labelled by then is known for certain and counts as itself, and the draws since stand
 * for all the rest.   @see docs/equations.md#certain
 */
export function poolWeights(rounds: readonly RoundFacts[], poolSize: number): readonly number[] {
  if (rounds.some(({ design }) => design === 'top')) return rounds.flatMap(({ draws }) => draws.map(() => 1))
  const sizes = poolSizes(rounds)
  const lastChange = rounds.findLastIndex((round, at) => sizes[at]! < poolSize || isFor('given', round))
  const isCertain = (_: RoundFacts, at: number) => at <= lastChange
  const certain = new Set(rounds.filter(isCertain).flatMap(({ draws }) => draws.map(({ id }) => id))).size
  const drawn = rounds.filter((round, at) => !isCertain(round, at))
  const weights = drawnWeights(drawn, poolSize - certain)
  let next = 0
  return rounds.flatMap((round, at) => round.draws.map(() => (isCertain(round, at) ? 1 : weights[next++]!)))
}

/** How many of the points they were drawn from each draw stands for. */
function drawnWeights(rounds: readonly RoundFacts[], points: number): readonly number[] {
  const draws = rounds.flatMap((round) => round.draws)
  if (rounds.every(({ design }) => design === 'successive')) {
    const probabilities = draws.map(({ probability }) => probability)
    return Array.from(lureWeights(probabilities, points), (weight) => (weight * points) / draws.length)
  }
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
    // A start of fixed size is a round in which every point had the same chance.
    draws: own.map((draw) => ({
      index: index++,
      probability: design === 'successive' ? size / survey.points : draw.probability,
    })),
  }))
  return [...roundWeights(records, points).values()]
}
