import type { FeatureRows } from '../core/features.ts'
import type { Cells, RowBatch } from '../core/rows.ts'
import { categoryFeatures } from './category.ts'
import { numericIn, textsIn, type WantedColumn, wantedBy } from './cells.ts'
import { categoryEncoder, denseRows, type Encoder, numericEncoder, sparseRows, startsOf } from './encode.ts'
import { type Recipe, type RecipePart, requireRecipe, widthOfParts } from './recipe.ts'
import { withStepFeatures } from './steps.ts'
import { textEncoder } from './text.ts'

export interface AppliedRecipe {
  /** Columns to ask a source for, and how. */
  readonly wanted: readonly WantedColumn[]
  /** The features of a batch that has these columns. */
  features(batch: RowBatch): FeatureRows
}

/** Makes features of new rows, to the last bit as they were made of the rows that the recipe was learned from. */
export function applyRecipe(recipe: Recipe): AppliedRecipe {
  const { parts, layout } = requireRecipe(recipe)
  const width = widthOfParts(recipe)
  const starts = startsOf(recipe)
  const encoders = parts.map((part, k) => batchEncoder(part, starts[k]!))
  return {
    wanted: wantedBy(parts),
    features({ rows, start, columns }) {
      const bound = encoders.map((encoder, k) => encoder(columns[k], start))
      if (layout === 'dense') return withStepFeatures(recipe, denseRows(bound, rows, width, new Float32Array(rows * width)))
      return sparseRows(bound, rows, width, 64 * rows)
    },
  }
}

/** An encoder for the cells of one batch after another. */
function batchEncoder(part: RecipePart, start: number): (cells: Cells | undefined, firstRow: number) => Encoder {
  const { column } = part
  switch (part.kind) {
    case 'number':
    case 'vector': {
      const stride = part.kind === 'vector' ? part.means.length : 1
      const from = { column, kind: part.kind, width: stride }
      return (cells, firstRow) => numericEncoder(part, start, { values: numericIn(from, cells, firstRow), stride, at: 0 })
    }
    case 'category': {
      const featureOf = categoryFeatures(part)
      return (cells) => categoryEncoder(start, { values: Float32Array.from(textsIn(cells, column), featureOf), stride: 1, at: 0 })
    }
    case 'text': {
      const encoder = textEncoder(part, start)
      return (cells) => encoder(textsIn(cells, column))
    }
  }
}
