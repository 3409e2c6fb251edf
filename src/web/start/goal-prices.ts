export interface GoalPrice {
  readonly tolerance: number
  readonly answers: number
  /** What the answers are for, where that is more than one thing. */
  readonly about?: string
}

/** A goal that leaves rows to be said something of. */
export const isWithin = ({ answers }: Pick<GoalPrice, 'answers'>, rows: number) => answers < 0.9 * rows

/** The finest of the usual goals that takes half of the rows at most; the first that is possible; or all rows. */
export function usualGoal(prices: readonly GoalPrice[], rows: number): number | 'all' {
  const fine = prices.find(({ tolerance, answers }) => tolerance === 0.05 && answers <= rows / 2)
  return (fine ?? prices.find((price) => isWithin(price, rows)))?.tolerance ?? 'all'
}
