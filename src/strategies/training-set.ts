import { requireInput } from '../core/errors.ts'
import { isFor, type RoundFacts } from '../core/record.ts'
import { lureWeights } from '../weights/lure.ts'
import { tempered } from '../weights/tempered.ts'
import { poolWeights } from './pool-weights.ts'
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
  const used = strategy.trainsOn === 'batch' ? lastBatch(rounds) : rounds
  const counts = strategy.trainsOn === 'batch' ? batchWeights(used) : poolWeights(used, poolSize)

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

/** V^t, or before there is one S⁰: the labels that were given. */
function lastBatch(rounds: readonly RoundFacts[]): readonly RoundFacts[] {
  const answered = rounds.filter(({ answers }) => [...answers.values()].some((label) => label !== null))
  return [answered.findLast((round) => !isFor('given', round)) ?? answered.at(-1)].filter((round) => round !== undefined)
}

/** 1/p for the draws of one round; a uniform start counts evenly. */
function batchWeights(rounds: readonly RoundFacts[]): ArrayLike<number> {
  return rounds.flatMap(({ design, draws, survey }) => {
    const probabilities = draws.map(({ probability }) => probability)
    return design === 'successive' ? [...lureWeights(probabilities, survey.points)] : probabilities.map((p) => 1 / p)
  })
}
