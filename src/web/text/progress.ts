import type { ClosedRound } from '../../protocol/rounds.ts'

/** Healthy from 30 % of the answers, thin from 10 %, poor below. */
export function healthOf({ effectiveSize, answers }: { effectiveSize: number; answers: number }): 'Healthy' | 'Thin' | 'Poor' {
  const part = effectiveSize / answers
  return part >= 0.3 ? 'Healthy' : part >= 0.1 ? 'Thin' : 'Poor'
}

/** Why no answer can count for more than it does, where that is so. */
export function capWords(largestPossible: number | undefined): string {
  if (largestPossible === undefined) return 'This strategy sets no limit to what one answer may count for.'
  if (largestPossible <= 1) return 'Every draw is uniform, so every answer counts the same.'
  const part = Math.floor(100 / largestPossible + 1e-9) // rounding may not make more of it
  return `At least ${part}\u00a0% of every draw is uniform, so no answer can count for more than ${tidy(largestPossible)}.`
}

const tidy = (n: number) => Number(n.toFixed(1)).toString()

export function newestWeights(rounds: readonly ClosedRound[]) {
  return rounds.findLast(
    (round): round is ClosedRound & { weights: NonNullable<ClosedRound['weights']> } => round.weights !== undefined,
  )
}
