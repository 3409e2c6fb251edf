import { requireInput } from '../../core/errors.ts'
import type { Label } from '../../core/record.ts'
import type { Recipe } from '../../features/recipe.ts'
import { classesOf } from './classes.ts'
import type { DataOptions, PoolData } from './pool-data.ts'
import { answersBy, type LookUp, type QueriedTable, textsIn } from './queried-table.ts'
import { openTest } from './test-file.ts'

/** More than there can be classes: the refusal of too many says how many there are. */
const mostLabels = 100_000

/** What the label column says, where there is one: the classes, the answers, and the rows of another file to test on. */
export async function labelsOf(
  table: QueriedTable,
  lookUp: LookUp,
  recipe: Recipe,
  { test, positive, classes, added: _, ...wishes }: DataOptions,
): Promise<Pick<PoolData, 'test' | 'classes' | 'answers' | 'labelsIn'>> {
  const labelsIn = async (column: string) => {
    const { sql, isMissing } = table.cell(column, 'text')
    const rows = await table.ask(`SELECT ${table.id}, ${sql} FROM ${table.from} WHERE NOT (${isMissing})`)
    return new Map(rows.map(([id, label]): [string, Label] => [String(id), String(label)]))
  }
  if (wishes.label === undefined) return { test: undefined, classes: classes ?? [], answers: undefined, labelsIn }
  const text = table.cell(wishes.label, 'text').sql
  const found = await textsIn(table, text, mostLabels)
  const other = typeof test === 'string' ? await openTest(test, wishes, recipe) : undefined
  const { names, of } = classesOf(wishes.label, new Set([...found, ...(other?.labels ?? [])]), positive)
  return { test: other?.labelled(of), classes: names, answers: answersBy(lookUp, text, of), labelsIn }
}

/** Rows are set aside by lot in memory only. */
export function requireNoShare(where: string, { test }: DataOptions): void {
  requireInput(
    typeof test !== 'number',
    `test: a file of its own is required for ${where}, got a share of ${test}`,
    'Name a file with --test, or leave it out.',
  )
}
