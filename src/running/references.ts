import type { RoundView } from '../certificates/running.ts'

/** So many of the newest rounds are kept, */
const newest = 8

/** and of those before every second, of many every fourth, of very many every eighth: some forty up to 256 rounds. */
const everyOf = (rounds: number): number => (rounds <= 64 ? 2 : rounds <= 128 ? 4 : 8)

/** Whether the model of a round is among those that the model after so many rounds is compared with. */
export function isKept(round: number, rounds: number): boolean {
  return round >= rounds - newest || round % everyOf(rounds) === 0
}

/** The round that stands in for one that is kept no longer: the next that stays. It was made while the other was among the newest. */
export function anchorOf(round: number, rounds: number): number {
  const every = everyOf(rounds)
  return every * Math.ceil(round / every)
}

/**
 * A round as seen through another: what separates the two, and what separates the other from the model asked about. For n θ the errors of each
 * model on its own round, E + Kᵣ − Dᵣ ≤ nᵣθᵣ and nᵣθᵣ + K − D ≤ nθ add up; so do the upper sides.   @see docs/equations.md#running-references
 */
export function seenThrough(round: RoundView, other: RoundView): RoundView {
  return {
    mostErrors: round.mostErrors + other.mostErrors,
    leastErrors: round.leastErrors + other.leastErrors,
    differing: round.differing + other.differing,
    added: round.added + other.added,
    gone: round.gone + other.gone,
  }
}
