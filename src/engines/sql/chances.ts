import { leastChance } from '../../core/chances.ts'
import type { Dialect } from './dialect.ts'

/** The scores of chances, given each as an expression that is a double: `scoresOfChances` in SQL. */
export function scoreExpressions(chances: readonly string[], { operations, number }: Dialect): string[] {
  const { smallest, largest, log, quotient, difference } = operations
  const inside = chances.map((p) => smallest!(largest!(p, number(leastChance)), number(1 - leastChance)))
  return inside.map(inside.length === 1 ? (p) => log!(quotient!(p, difference!(number(1), p))) : (p) => log!(p))
}
