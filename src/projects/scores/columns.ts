import { requireInput } from '../../core/errors.ts'
import type { Recipe } from '../../features/recipe.ts'

/** The columns of chances in the order of the scores: that of the positive class for two classes, or one for each of K. */
export function chanceColumns(named: readonly string[], classes: readonly string[]): readonly string[] {
  const option = '--scores-column'
  requireInput(
    classes.length >= 2,
    `classes: at least two are required, got ${classes.length}`,
    'For example --classes ham,spam.',
  )
  if (classes.length === 2) {
    requireInput(
      named.length === 1,
      `${option}: one column is required for two classes, the probability of ${JSON.stringify(classes[1])}, got ${named.length}`,
      'The other class has the rest.',
    )
    return named
  }
  const missing = classes.find((name) => !named.includes(name))
  requireInput(
    missing === undefined && named.length === classes.length,
    `${option}: a column for each of the classes ${classes.join(', ')}, and named like it, is required, got ${named.join(', ')}`,
    missing === undefined ? undefined : `There is none for ${JSON.stringify(missing)}. --positive makes two classes of many.`,
  )
  return classes
}

/** Nothing is made of the columns but what they say. */
export const scoresRecipe = (rows: number, columns: readonly string[]): Recipe => ({
  version: 1,
  rows,
  width: columns.length,
  layout: 'dense',
  parts: [],
})

/** Refuses rows that say nothing, or what is no probability; `found` is one of them: its id and what it says. */
export function requireChances(column: string, found: readonly unknown[] | undefined): void {
  requireInput(
    found === undefined,
    `${column}: a probability from 0 to 1 is required, got ${found?.[1] ?? 'nothing'} for ${JSON.stringify(found?.[0])}`,
    'A percentage? Divide it by 100. A score? Make a probability of it.',
  )
}

/** Rows of a file may come in another order once it is written anew, and those of a table have none. */
export function requireIdColumn(where: string, id: string | undefined): asserts id is string {
  requireInput(
    id !== undefined,
    `${where}: a column of ids is required for scores that are refreshed, got none`,
    'Name it with --id: rows may come in another order the next time.',
  )
}
