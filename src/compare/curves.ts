import type { Run, RunRound } from './run.ts'

/** Numbers of labels at which all strategies are compared: the start, then batch by batch to the budget. */
export function gridOf({ start, batch, budget }: { readonly start: number; readonly batch: number; readonly budget: number }) {
  const grid: number[] = []
  for (let labels = start; labels < budget; labels += batch) grid.push(labels)
  return [...grid, budget]
}

/** A run on the grid. Where it has no model with just so many labels (batches of random size), the last one before counts. */
export function onGrid({ rounds }: Run, grid: readonly number[], value: (round: RunRound) => number): Float64Array {
  let at = 0
  return Float64Array.from(grid, (labels, i) => {
    // What a last batch of random size spends beyond the budget is within it.
    while (at + 1 < rounds.length && (rounds[at + 1]!.labels <= labels || i === grid.length - 1)) at++
    return value(rounds[at]!)
  })
}

/** The mean of curves, each as often as it was picked. */
export function meanCurve(curves: readonly Float64Array[], picks: ArrayLike<number> = curves.map((_, k) => k)): Float64Array {
  const mean = new Float64Array(curves[0]!.length)
  for (let k = 0; k < picks.length; k++) {
    const curve = curves[picks[k]!]!
    for (let i = 0; i < mean.length; i++) mean[i]! += curve[i]! / picks.length
  }
  return mean
}
