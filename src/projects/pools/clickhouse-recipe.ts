import { requireInput } from '../../core/errors.ts'
import type { Row } from '../../engines/clickhouse/connection.ts'
import { clickhouseDialect } from '../../engines/clickhouse/dialect.ts'
import { listIn, numberIn, textIn } from '../../engines/clickhouse/rows.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { doubleText, quotedName } from '../../engines/clickhouse/sql-text.ts'
import { ownFeatures } from '../../features/category.ts'
import { numericPart } from '../../features/intake.ts'
import { type Recipe, type RecipePart, recipeOf } from '../../features/recipe.ts'
import { type ColumnRole, isLearned, type Roles, type TableFacts } from '../../features/roles.ts'
import { cellsIn } from './clickhouse-table.ts'

/** Learns how the rows become features from two passes: means and values, then variances. */
export async function learnOnClickHouse(session: ClickHouseSession, roles: Roles, { rows }: TableFacts): Promise<Recipe> {
  const { ask, table, abilities } = session
  const { total } = clickhouseDialect(abilities)
  const learned = roles.filter(isLearned)
  for (const { column, role } of learned)
    requireInput(
      role !== 'text',
      `${column.name}: a pool on ClickHouse is learned from by numbers, lists of numbers and categories, got words`,
      `Make lists of numbers of them first (an embedding), or leave them out with --ignore ${column.name}.`,
    )
  for (const { column, role } of learned)
    requireInput(
      role !== 'category' || column.distinct <= ownFeatures,
      `${column.name}: a category of a pool on ClickHouse can have ${ownFeatures} different values, got about ${column.distinct}`,
      `Leave it out with --ignore ${column.name}.`,
    )
  const answersTo = async (select: (role: ColumnRole, k: number) => string) => {
    const [row] = await ask({ sql: `SELECT ${learned.map(select).join(', ')} FROM ${table}` })
    return row!
  }

  const sums = await answersTo(({ column: { name }, role }) => {
    const { isMissing, number, text } = cellsIn(session, name)
    if (role === 'vector') return `sumForEach(arrayMap(v -> toFloat64(toFloat32(v)), ${quotedName(name)}))`
    if (role === 'category') return `groupUniqArrayIf(assumeNotNull(${text}), NOT ${isMissing})`
    return total(`if(${isMissing}, 0e0, ${number})`)
  })
  const numbersIn = (row: Row, k: number) => (learned[k]!.role === 'vector' ? listIn(row, k).map(Number) : [numberIn(row, k)])
  const filled = learned.map(({ column }) => Math.max(1, rows - column.missing))
  const means = learned.map(({ role }, k) =>
    role === 'category' ? [] : numbersIn(sums, k).map((sum) => settled(sum / filled[k]!)),
  )
  const squares = await answersTo(({ column: { name }, role }, k) => {
    const { isMissing, number } = cellsIn(session, name)
    if (role === 'vector') {
      const away = `toFloat64(toFloat32(v)) - mean`
      return `sumForEach(arrayMap((v, mean) -> (${away}) * (${away}), ${quotedName(name)}, [${means[k]!.map(doubleText)}]))`
    }
    if (role === 'category') return '0'
    const away = `(${number} - ${doubleText(means[k]![0]!)})`
    return total(`if(${isMissing}, 0e0, ${away} * ${away})`)
  })
  const parts = learned.map(({ column: { name, missing }, role }, k): RecipePart => {
    if (role === 'category')
      return {
        kind: 'category',
        column: name,
        values: listIn(sums, k)
          .map((_, j, found) => textIn(found, j))
          .sort(),
        rest: 1,
      }
    const variances = Float64Array.from(numbersIn(squares, k), (square) => square / filled[k]!)
    const moments = { means: Float64Array.from(means[k]!), variances }
    const isVector = role === 'vector'
    const part = numericPart(isVector ? 'vector' : 'number', name, moments, !isVector && missing > 0)
    return { ...part, scale: settled(part.scale) }
  })
  return recipeOf(parts, rows)
}

/** Threads add up in any order, so the last digits differ from one time to the next. Without them a recipe is the same every time. */
const settled = (value: number): number => Number(value.toPrecision(12))
