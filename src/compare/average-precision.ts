/**
 * Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from the highest down: precision, averaged over the recall it is paid with. Points of
 * one score count together, so that their order does not. Null where nothing is positive.
 */
export function averagePrecision(scores: readonly number[], isPositive: readonly boolean[]): number | null {
  const positives = isPositive.filter(Boolean).length
  if (positives === 0) return null
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!)
  let sum = 0
  let found = 0
  for (let from = 0, to = 0; from < order.length; from = to) {
    const before = found
    for (; to < order.length && scores[order[to]!] === scores[order[from]!]; to++) if (isPositive[order[to]!]) found++
    sum += ((found - before) / positives) * (found / to)
  }
  return sum
}
