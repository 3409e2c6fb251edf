import { requireInput } from '../core/errors.ts'
import type { Cells, RowBatch } from '../core/rows.ts'
import { ownFeatures } from './category.ts'
import { numericIn, textsIn, wantedBy } from './cells.ts'
import { numericPart } from './intake.ts'
import { runningMoments } from './moments.ts'
import { type Recipe, type RecipePart, recipeOf } from './recipe.ts'
import { type ColumnRole, isLearned, type Roles } from './roles.ts'

/** Learns a recipe from rows that pass by once. None is kept, so a pool may be of any size. */
export function streamedLearner(roles: Roles) {
  const columns = roles.filter(isLearned).map(columnLearner)
  let rows = 0
  return {
    wanted: wantedBy(columns),
    add(batch: RowBatch): void {
      for (const [k, column] of columns.entries()) column.add(batch.columns[k], batch.start)
      rows += batch.rows
    },
    finish: (): Recipe =>
      recipeOf(
        columns.map((column) => column.learn()),
        rows,
      ),
  }
}

interface ColumnLearner {
  readonly column: string
  readonly kind: RecipePart['kind']
  add(cells: Cells | undefined, firstRow: number): void
  learn(): RecipePart
}

function columnLearner({ column: { name, missing, width = 0 }, role }: ColumnRole): ColumnLearner {
  requireInput(
    role !== 'text',
    `${name}: a pool on disk is learned from by numbers, lists of numbers and categories, got words`,
    `Make lists of numbers of them first (an embedding), or leave them out with --ignore ${name}.`,
  )
  if (role === 'category') return categoryColumn(name)
  const kind = role === 'vector' ? 'vector' : 'number'
  const from = { column: name, kind, width: kind === 'vector' ? width : 1 } as const
  const moments = runningMoments(from.width)
  return {
    column: name,
    kind,
    add: (cells, firstRow) => moments.add(numericIn(from, cells, firstRow)),
    learn: () => numericPart(kind, name, moments.moments(), missing > 0),
  }
}

function categoryColumn(column: string): ColumnLearner {
  const values = new Set<string>()
  return {
    column,
    kind: 'category',
    add(cells) {
      for (const value of textsIn(cells, column)) if (value !== null && value !== '') values.add(value)
      requireInput(
        values.size <= ownFeatures,
        `${column}: a category of a pool on disk can have ${ownFeatures} different values, got more`,
        `Leave it out with --ignore ${column}.`,
      )
    },
    learn: () => ({ kind: 'category', column, values: [...values].sort(), rest: 1 }),
  }
}
