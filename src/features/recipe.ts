import { requireInput } from '../core/errors.ts'
import type { GramOptions } from './grams.ts'

/** How a table becomes features: plain JSON, stored with a project, and applied to new rows to the same last bit. */
export interface Recipe {
  readonly version: 1
  /** Rows it was learned from. */
  readonly rows: number
  /** Features of a row: those of every part, one part after another. */
  readonly width: number
  readonly layout: 'dense' | 'sparse'
  readonly parts: readonly RecipePart[]
}

export type RecipePart = NumberPart | CategoryPart | VectorPart | TextPart

/** (x − mean) · scale, and 0 where x is missing. With `indicator`, a second feature is 1 there. */
export interface NumberPart {
  readonly kind: 'number'
  readonly column: string
  readonly mean: number
  readonly scale: number
  readonly indicator: boolean
}

/** A 1 in one of the features: one for each of `values`, `rest` shared by all other values (by hash), one for missing. */
export interface CategoryPart {
  readonly kind: 'category'
  readonly column: string
  readonly values: readonly string[]
  readonly rest: number
}

/** (v − means) · scale, and zeros where v is missing. With `indicator`, one more feature is 1 there. */
export interface VectorPart {
  readonly kind: 'vector'
  readonly column: string
  readonly means: readonly number[]
  readonly scale: number
  readonly indicator: boolean
}

/** Pieces of the text, weighted (1 + ln count) · (1 + ln((1 + texts) / (1 + texts with it))), every row brought to length `norm`. */
export interface TextPart {
  readonly kind: 'text'
  readonly column: string
  readonly pieces: GramOptions
  readonly norm: number
  readonly texts: number
  /** The buckets that are features, each as the distance from the one before (the first from −1). */
  readonly gaps: readonly number[]
  /** In how many texts each of them occurred. */
  readonly occurrences: readonly number[]
}

export function recipeOf(parts: readonly RecipePart[], rows: number): Recipe {
  const width = parts.reduce((sum, part) => sum + widthOf(part), 0)
  requireInput(
    width > 0,
    `features: at least one must come of the columns, got none of ${parts.map(({ column }) => column).join(', ')}`,
    'A text is learned from where pieces of it occur in two rows or more.',
  )
  return { version: 1, rows, width, layout: layoutOf(parts.map(shapeOf)), parts }
}

/** The recipe, if it is one of ours: what is read from disk may come from a later version. */
export function requireRecipe(recipe: Recipe): Recipe {
  requireInput(recipe.version === 1, `recipe: version must be 1, got ${recipe.version}`, 'Use a newer alis.')
  const width = recipe.parts.reduce((sum, part) => sum + widthOf(part), 0)
  requireInput(width === recipe.width, `recipe: parts must make ${recipe.width} features, got ${width}`)
  return recipe
}

export function widthOf(part: RecipePart): number {
  switch (part.kind) {
    case 'number':
      return part.indicator ? 2 : 1
    case 'category':
      return part.values.length + part.rest + 1
    case 'vector':
      return part.means.length + (part.indicator ? 1 : 0)
    case 'text':
      return part.gaps.length
  }
}

/** The bucket of every feature of a text. */
export function bucketsOf({ gaps }: TextPart): number[] {
  let bucket = -1
  return gaps.map((gap) => {
    bucket += gap
    return bucket
  })
}

/** What decides between dense and sparse. */
export interface Shape {
  readonly width: number
  /** How many of the features are not 0 in a row, at most. */
  readonly filled: number
  /** Their number is as large as it pleases, and nearly all are 0. */
  readonly isHashed: boolean
}

function shapeOf(part: RecipePart): Shape {
  const width = widthOf(part)
  if (part.kind === 'text') return { width, filled: width, isHashed: true }
  if (part.kind === 'category') return { width, filled: 1, isHashed: part.rest > 1 }
  return { width, filled: width, isHashed: false }
}

/** Dense, unless that were mostly zeros and many of them. */
export function layoutOf(shapes: readonly Shape[]): 'dense' | 'sparse' {
  if (shapes.some(({ isHashed }) => isHashed)) return 'sparse'
  const width = shapes.reduce((sum, shape) => sum + shape.width, 0)
  const filled = shapes.reduce((sum, shape) => sum + shape.filled, 0)
  return width <= 2000 || filled > width / 2 ? 'dense' : 'sparse'
}

/** A name for every feature, for people. Pieces of text go by the number of their bucket. */
export function featureNames({ parts }: Recipe): string[] {
  return parts.flatMap(namesOf)
}

function namesOf(part: RecipePart): string[] {
  const { column } = part
  const missing = `${column} missing`
  switch (part.kind) {
    case 'number':
      return part.indicator ? [column, missing] : [column]
    case 'category': {
      const rest = part.rest === 1 ? [`${column} other`] : Array.from({ length: part.rest }, (_, k) => `${column} other ${k + 1}`)
      return [...part.values.map((value) => `${column} = ${value}`), ...rest, missing]
    }
    case 'vector':
      return [...part.means.map((_, k) => `${column}[${k}]`), ...(part.indicator ? [missing] : [])]
    case 'text':
      return bucketsOf(part).map((bucket) => `${column} #${bucket}`)
  }
}
