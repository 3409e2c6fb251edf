/**
 * Which of many findings may be listed so that the expected share of false ones is at most α, whatever depends on what and whenever
 * one stops: those with the k largest e-values, for the largest k with e₍k₎ ≥ m/(αk).   @see docs/equations.md#findings
 *
 * `eValues`: the wealth against each finding being false, as `QuestionLimit` has it. Returns their positions.
 */
export function findings(eValues: readonly number[], alpha: number): number[] {
  const order = [...eValues.keys()].sort((a, b) => eValues[b]! - eValues[a]!)
  const most = order.findLastIndex((at, k) => eValues[at]! >= eValues.length / (alpha * (k + 1)))
  return order.slice(0, most + 1).sort((a, b) => a - b)
}
