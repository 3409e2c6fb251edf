import { AlisError } from '../../core/errors.ts'
import { duckdbDialect } from '../../engines/duckdb/dialect.ts'
import type { FeatureBlock } from '../../engines/sql/features.ts'
import type { Recipe, RecipePart } from '../../features/recipe.ts'
import type { TableSql } from '../../sources/table.ts'

const { number, text } = duckdbDialect

/** How DuckDB makes the features of a recipe, learned from the same rows: the same 32-bit numbers as in memory. Only where it has an indicator may a cell be empty. */
export function blocksOf({ parts }: Recipe, sql: TableSql): FeatureBlock[] {
  return parts.flatMap((part) => blocksOfPart(part, sql))
}

function blocksOfPart(part: RecipePart, sql: TableSql): FeatureBlock[] {
  const cells = sql.column(part.column)
  switch (part.kind) {
    case 'number': {
      const x = `(${cells.number}::DOUBLE - ${number(part.mean)}) * ${number(part.scale)}`
      const rounded = `(${x})::FLOAT::DOUBLE`
      return [
        { kind: 'number', sql: part.indicator ? `coalesce(${rounded}, 0e0)` : rounded },
        ...indicatorOf(part.indicator, cells.number),
      ]
    }
    case 'vector':
      return [
        { kind: 'vector', sql: cells.vector, means: part.means, scale: part.scale, isWhole: !part.indicator },
        ...indicatorOf(part.indicator, cells.vector),
      ]
    case 'category': {
      const { values, rest } = part
      const own = `list_position([${values.map(text)}]::VARCHAR[], ${cells.text}) - 1`
      const place = `CASE WHEN coalesce(${cells.text}, '') = '' THEN ${values.length + rest} ELSE coalesce(${own}, ${values.length}) END`
      return [{ kind: 'category', sql: place, width: values.length + rest + 1 }]
    }
    case 'text':
      throw new AlisError('bad-input', `${part.column}: a pool on disk is not learned from by words, got words`)
  }
}

function indicatorOf(indicator: boolean, cell: string): FeatureBlock[] {
  return indicator ? [{ kind: 'number', sql: `CASE WHEN ${cell} IS NULL THEN 1e0 ELSE 0e0 END` }] : []
}
