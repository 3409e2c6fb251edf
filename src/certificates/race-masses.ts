import type { RaceGroup } from './model-pair.ts'

/** Where a race of models stands when masses are made. */
export interface RaceState {
  /** Models that are not out, the leader of them, and those that it has yet to leave behind. */
  readonly race: readonly number[]
  readonly leader: number
  readonly rivals: readonly number[]
}

/**
 * The mass of a point of each group:  0.6 s/mean s + 0.4  where models in the race differ, 0 elsewhere,
 * s² = Σ [p_leader ≠ p_j] (P(p_leader) + P(p_j))  over the leader's rivals j.   @see docs/equations.md#best-model
 */
export function raceMasses(groups: readonly RaceGroup[], { race, leader, rivals }: RaceState): Float64Array {
  const deviations = groups.map(({ predicted, probabilities }) => {
    if (race.every((j) => predicted[j] === predicted[race[0]!])) return undefined
    const chance = (j: number) => probabilities[predicted[j]!] ?? 0
    const squares = rivals.map((j) => (predicted[j] === predicted[leader] ? 0 : chance(leader) + chance(j)))
    return Math.sqrt(squares.reduce((a, b) => a + b, 0))
  })
  let [points, total] = [0, 0]
  for (const [k, deviation] of deviations.entries()) {
    if (deviation === undefined) continue
    points += groups[k]!.count
    total += groups[k]!.count * deviation
  }
  const massOf = (deviation: number) => (total > 0 ? 0.6 * ((deviation * points) / total) + 0.4 : 1)
  return Float64Array.from(deviations, (deviation) => (deviation === undefined ? 0 : massOf(deviation)))
}

/** The model that is believed to be right most often. */
export function favourite(race: readonly number[], groups: readonly RaceGroup[]): number {
  return largest(race, (w) =>
    groups.reduce((sum, { predicted, probabilities, count }) => sum + count * (probabilities[predicted[w]!] ?? 0), 0),
  )
}

/** The candidate of the largest value, the first of several. */
export function largest(candidates: readonly number[], score: (candidate: number) => number): number {
  const scores = candidates.map(score)
  return candidates[scores.indexOf(Math.max(...scores))]!
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, k) => k)
}
