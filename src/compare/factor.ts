/** A mean curve: one value for each number of labels of a grid that they share. */
export type Curve = ArrayLike<number>

/** The labels at which a curve first comes down to a goal, between two of the grid by interpolation; undefined if it never does. */
export function labelsToReach(grid: Curve, curve: Curve, goal: number): number | undefined {
  for (let i = 0; i < grid.length; i++) {
    if (curve[i]! > goal) continue
    if (i === 0) return grid[0]!
    const way = (curve[i - 1]! - goal) / (curve[i - 1]! - curve[i]!)
    return grid[i - 1]! + way * (grid[i]! - grid[i - 1]!)
  }
  return undefined
}

/**
 * How many times fewer labels a strategy needs: the budget over the labels it needs for the final error of the baseline. If it
 * never gets there, the other way round: the labels the baseline needs for *its* final error, over the budget. So 2 is half the
 * labels, 1 is the baseline's pace, and 0.5 is what the baseline had learned at half of the budget.
 */
export function labelFactor(grid: Curve, own: Curve, reference: Curve): number {
  const last = grid.length - 1
  const budget = grid[last]!
  const needed = labelsToReach(grid, own, reference[last]!)
  if (needed !== undefined) return budget / needed
  return labelsToReach(grid, reference, own[last]!)! / budget // reached: the reference ends below
}

/** The area under a curve, over the labels from the first to the last of the grid. */
export function areaUnder(grid: Curve, curve: Curve): number {
  let area = 0
  for (let i = 1; i < grid.length; i++) area += ((curve[i - 1]! + curve[i]!) / 2) * (grid[i]! - grid[i - 1]!)
  return area
}
