import { requireInput } from '../../core/errors.ts'
import type { ColumnCells } from '../../engines/clickhouse/cells.ts'
import { clickhouseDialect } from '../../engines/clickhouse/dialect.ts'
import { listIn, numberIn, textIn } from '../../engines/clickhouse/rows.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { doubleText, quotedName, quotedText } from '../../engines/clickhouse/sql-text.ts'
import type { FeatureBlock } from '../../engines/sql/features.ts'
import { ownFeatures } from '../../features/category.ts'
import { numberPart, vectorPart } from '../../features/intake.ts'
import { type Recipe, type RecipePart, recipeOf } from '../../features/recipe.ts'
import { type ColumnRole, isLearned, type Roles } from '../../features/roles.ts'
import type { ClickHouseColumns } from './clickhouse-columns.ts'

/** Learns how the rows become features from two passes: means and values, then variances. */
export async function learnOnClickHouse(session: ClickHouseSession, roles: Roles, columns: ClickHouseColumns): Promise<Recipe> {
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
  const answersTo = async (select: (role: ColumnRole) => string) => {
    const [row] = await ask({ sql: `SELECT ${learned.map(select).join(', ')} FROM ${table}` })
    return row!
  }

  const sums = await answersTo(({ column: { name }, role }) => {
    const { isMissing, number, text } = columns.cells(name)
    if (role === 'vector') return `sumForEach(arrayMap(v -> toFloat64(toFloat32(v)), ${quotedName(name)}))`
    if (role === 'category') return `groupUniqArrayIf(assumeNotNull(${text}), NOT ${isMissing})`
    return total(`if(${isMissing}, 0e0, ${number})`)
  })
  const filled = learned.map(({ column }) => Math.max(1, columns.rows - column.missing))
  const means = learned.map(({ role }, k) =>
    role === 'vector'
      ? listIn(sums, k).map((sum) => settled(Number(sum) / filled[k]!))
      : role === 'category'
        ? []
        : [settled(numberIn(sums, k) / filled[k]!)],
  )
  const squares = await answersTo(({ column: { name }, role }) => {
    const { isMissing, number } = columns.cells(name)
    const own = means[learned.findIndex(({ column }) => column.name === name)]!
    if (role === 'vector') {
      const away = `toFloat64(toFloat32(v)) - mean`
      return `sumForEach(arrayMap((v, mean) -> (${away}) * (${away}), ${quotedName(name)}, [${own.map(doubleText)}]))`
    }
    if (role === 'category') return '0'
    const away = `(${number} - ${doubleText(own[0]!)})`
    return total(`if(${isMissing}, 0e0, ${away} * ${away})`)
  })
  const parts = learned.map(({ column: { name, missing }, role }, k): RecipePart => {
    if (role === 'category') return categoryPart(name, listIn(sums, k))
    const values = role === 'vector' ? listIn(squares, k).map(Number) : [numberIn(squares, k)]
    const variances = Float64Array.from(values, (square) => square / filled[k]!)
    const moments = { means: Float64Array.from(means[k]!), variances }
    const part = role === 'vector' ? vectorPart(name, moments, false) : numberPart(name, moments, missing > 0)
    return { ...part, scale: settled(part.scale) }
  })
  return recipeOf(parts, columns.rows)
}

/** Threads add up in any order, so the last digits differ from one time to the next. Without them a recipe is the same every time. */
const settled = (value: number): number => Number(value.toPrecision(12))

function categoryPart(column: string, found: readonly unknown[]): RecipePart {
  return { kind: 'category', column, values: found.map((_, k) => textIn(found, k)).sort(), rest: 1 }
}

/** How ClickHouse makes the features of a recipe: the same 32-bit numbers as in memory. */
export function clickhouseBlocks({ parts }: Recipe, columns: ClickHouseColumns): FeatureBlock[] {
  return parts.flatMap((part) => blocksOf(part, columns.cells(part.column)))
}

function blocksOf(part: RecipePart, { number, isMissing, text }: ColumnCells): FeatureBlock[] {
  const unlessMissing = (sql: string, otherwise: string) => (isMissing === '0' ? sql : `if(${isMissing}, ${otherwise}, ${sql})`)
  switch (part.kind) {
    case 'number': {
      const x = `toFloat64(toFloat32((${number} - ${doubleText(part.mean)}) * ${doubleText(part.scale)}))`
      const indicator = part.indicator ? [{ kind: 'number' as const, sql: unlessMissing('0e0', '1e0') }] : []
      return [{ kind: 'number', sql: unlessMissing(x, '0e0') }, ...indicator]
    }
    case 'vector':
      return [{ kind: 'vector', sql: quotedName(part.column), means: part.means, scale: part.scale }]
    case 'category': {
      const { values, rest } = part
      const at = `indexOf([${values.map(quotedText)}], assumeNotNull(${text}))`
      const place = unlessMissing(`if(${at} = 0, ${values.length}, ${at} - 1)`, `${values.length + rest}`)
      return [{ kind: 'category', sql: `toInt32(${place})`, width: values.length + rest + 1 }]
    }
    case 'text':
      throw new Error(`${part.column}: words are refused before`)
  }
}
