import { requireInput } from '../../core/errors.ts'
import { scoreExpressions } from '../../engines/sql/chances.ts'
import type { Dialect } from '../../engines/sql/dialect.ts'
import type { FeatureBlock } from '../../engines/sql/features.ts'
import type { Recipe } from '../../features/recipe.ts'
import type { DataOptions } from '../pools/pool-data.ts'
import { findRow, isNoProbability, type QueriedTable } from '../pools/queried-table.ts'

export interface ScoreOptions extends DataOptions {
  readonly scores: readonly string[]
}

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

/** The scores of chances, given each as an expression that is a double. */
export function scoreBlocks(chances: readonly string[], dialect: Dialect): FeatureBlock[] {
  return scoreExpressions(chances, dialect).map((sql) => ({ kind: 'number', sql }))
}

/** Refuses rows that say nothing, or what is no probability; names one of them. */
export async function requireChances(table: QueriedTable, columns: readonly string[]): Promise<void> {
  for (const column of columns) {
    const found = await findRow(table, table.cell(column, 'text').sql, isNoProbability(table.cell(column, 'number')))
    requireInput(
      found === undefined,
      `${column}: a probability from 0 to 1 is required, got ${found?.text ?? 'nothing'} for ${found?.id}`,
      'A percentage? Divide it by 100. A score? Make a probability of it.',
    )
  }
}

export function requireNoTest({ test }: DataOptions, what = 'from scores in columns'): void {
  requireInput(test === undefined, `test: nothing is learned ${what}, got ${test} to test on`, 'Leave it out.')
}

/** Rows of a file may come in another order once it is written anew, and those of a table have none. */
export function requireIdColumn(where: string, id: string | undefined): asserts id is string {
  requireInput(
    id !== undefined,
    `${where}: a column of ids is required for scores that are refreshed, got none`,
    'Name it with --id: rows may come in another order the next time.',
  )
}
