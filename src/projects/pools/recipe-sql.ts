import type { FeatureBlock } from '../../engines/sql/features.ts'
import type { Recipe, RecipePart } from '../../features/recipe.ts'
import type { QueriedColumns } from './queried-table.ts'

/** How a database makes the features of a recipe: the same 32-bit numbers as in memory. Only where a part has an indicator may a cell be empty. */
export function blocksOf({ parts }: Recipe, columns: QueriedColumns): FeatureBlock[] {
  return parts.flatMap((part) => blocksOfPart(part, columns))
}

function blocksOfPart(part: RecipePart, { cell, dialect }: QueriedColumns): FeatureBlock[] {
  const { number, when, float, indexIn } = dialect
  const indicator = (isMissing: string): FeatureBlock => ({ kind: 'number', sql: when(isMissing, '1e0', '0e0') })
  switch (part.kind) {
    case 'number': {
      const { sql, isMissing } = cell(part.column, 'number')
      const scaled = float(`(${sql} - ${number(part.mean)}) * ${number(part.scale)}`)
      if (!part.indicator) return [{ kind: 'number', sql: scaled }]
      return [{ kind: 'number', sql: when(isMissing, '0e0', scaled) }, indicator(isMissing)]
    }
    case 'vector': {
      const { sql, isMissing } = cell(part.column, 'vector')
      const { means, scale } = part
      const block = { kind: 'vector', sql, means, scale, isWhole: !part.indicator } as const
      return part.indicator ? [block, indicator(isMissing)] : [block]
    }
    case 'category': {
      const { sql, isMissing } = cell(part.column, 'text')
      const { values, rest } = part
      const known = indexIn(values.map(dialect.text), sql, values.length)
      return [{ kind: 'category', sql: when(isMissing, `${values.length + rest}`, known), width: values.length + rest + 1 }]
    }
    case 'text':
      throw new Error(`${part.column}: words are refused before`)
  }
}
