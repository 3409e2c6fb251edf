import { isFor } from '../../core/record.ts'
import type { Survey } from '../../core/survey.ts'
import { isRandom } from '../../designs/top.ts'
import type { Learner } from '../../learners/learner.ts'
import type { ClosedRound } from '../../protocol/rounds.ts'
import { type StrategyName, strategies, strategyNames } from '../../strategies/catalogue.ts'
import { estimateOf } from '../../strategies/round-estimate.ts'
import { weightHealth } from '../../weights/health.ts'
import { lureWeights } from '../../weights/lure.ts'
import type { RecordedRound } from './record.ts'

interface EstimatePlan {
  readonly learner: Learner
  readonly classes: readonly string[]
}

/** The closed learning rounds, as the plots show them. What was computed once is kept until an answer is revised. */
export function closedRoundReader(plan: EstimatePlan) {
  const known = new Map<number, { readonly round: ClosedRound; readonly state: string }>()

  return (rounds: readonly RecordedRound[]): ClosedRound[] => {
    const learned = rounds.filter((round) => isFor('learn', round))
    return learned.flatMap((round, at) => {
      if (!round.isClosed || round.answers.size === 0) return []
      const learnedFrom = answersBefore(rounds, round.round)
      const state = JSON.stringify([learnedFrom, [...round.revised].map((id) => [id, round.answers.get(id)])])
      const last = known.get(round.round)
      if (last?.state === state) return [last.round]
      const closed = closedRound(round, at + 1, learnedFrom, plan)
      known.set(round.round, { round: closed, state })
      return [closed]
    })
  }
}

function answersBefore(rounds: readonly RecordedRound[], before: number): number {
  const answers = rounds.slice(0, before).flatMap((round) => [...round.answers.values()])
  return answers.filter((label) => label !== null).length
}

function closedRound(round: RecordedRound, number: number, learnedFrom: number, plan: EstimatePlan): ClosedRound {
  const { strategy, answers, revised } = round
  const shared = { round: round.round, number, strategy, answers: answers.size, learnedFrom }
  const weights = isRandom(round.design) && { weights: weightsOf(round) }
  const estimate = learnedFrom > 0 ? estimateOf(plan, round, answers) : undefined
  if (!estimate) return { ...shared, ...weights }
  const { metric: _, about: __, ...measured } = estimate
  return { ...shared, estimate: { ...measured, isRevised: revised.size > 0 }, ...weights }
}

const edges = [0.25, 0.5, 1, 2, 4]

/** What each answer of a round counts for in its estimate, at mean 1: that of all there are, where they are drawn one after another. */
function weightsOf({ design, draws, survey, strategy }: RecordedRound): NonNullable<ClosedRound['weights']> {
  const probabilities = draws.map(({ probability }) => probability)
  const isSuccessive = design === 'successive'
  const raw = isSuccessive ? [...lureWeights(probabilities, survey.points)] : probabilities.map((p) => 1 / p)
  const mean = isSuccessive ? 1 : raw.reduce((a, b) => a + b, 0) / raw.length
  const counts = new Array<number>(edges.length + 1).fill(0)
  for (const weight of raw) counts[edges.filter((edge) => weight / mean >= edge).length]!++
  const most = largestPossible(strategy, survey)
  const { effectiveSize } = weightHealth(raw)
  return { counts, effectiveSize, largest: Math.max(...raw) / mean, ...(most !== undefined && { largestPossible: most }) }
}

/** What a point counts for if it was the least likely of all, where a share of every draw is uniform: as on record, for shares were others in the past. */
function largestPossible(name: string, { mass, points, smallestMass }: Survey): number | undefined {
  const strategy = strategyNames.includes(name as StrategyName) ? strategies[name as StrategyName] : undefined
  const isUniform = strategy?.mass.parts.some(({ of }) => of.name === 'uniform')
  return isUniform ? mass / (points * smallestMass) : undefined
}
