/** The exact 95 % interval for a share of `size` points from one uniform sample without replacement: 2.5 % on either side. */
export function exactLook(hits: number, sample: number, size: number): readonly [number, number] {
  const search = (isIn: (wrong: number) => boolean, from: number, to: number) => {
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if (isIn(middle)) to = middle
      else from = middle + 1
    }
    return from
  }
  const atLeast = (wrong: number) => tail(hits, sample, wrong, size) > 0.025
  const atMost = (wrong: number) => 1 - tail(hits + 1, sample, wrong, size) <= 0.025
  const low = search(atLeast, hits, size - sample + hits)
  const high = search((wrong) => wrong >= size - sample + hits || atMost(wrong + 1), low, size)
  return [low / size, high / size]
}

/** P(X ≥ hits), X hypergeometric. */
function tail(hits: number, sample: number, wrong: number, size: number): number {
  let sum = 0
  for (let k = hits; k <= Math.min(sample, wrong); k++)
    sum += Math.exp(choose(wrong, k) + choose(size - wrong, sample - k) - choose(size, sample))
  return sum
}

const logs: number[] = [0]
/** log of n over k */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY
  while (logs.length <= n) logs.push(logs.at(-1)! + Math.log(logs.length))
  return logs[n]! - logs[k]! - logs[n - k]!
}
