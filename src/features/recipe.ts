import { requireInput } from '../core/errors.ts'
import type { GramOptions } from './grams.ts'

/** How a table becomes features: plain JSON, stored with a project, and applied to new rows to the same last bit. */
export interface Recipe {
  /** 2 where there are steps. */
  readonly version: 1 | 2
  /** Rows it was learned from. */
  readonly rows: number
  /** Features of a row: those of every part, one part after another, and then those of every step. */
  readonly width: number
  readonly layout: 'dense' | 'sparse'
  readonly parts: readonly RecipePart[]
  /** Columns of vectors that a model makes of others, before anything else is made of them. */
  readonly embedded?: readonly EmbeddedColumn[] | undefined
  /** What further features are made of those of the parts, where they are dense. */
  readonly steps?: readonly RecipeStep[]
}

/** The vectors of a column of texts or images, by a model: the column `… embedded`. */
export interface EmbeddedColumn {
  readonly column: string
  /** A folder, or a name on the Hugging Face Hub. */
  readonly model: string
  /** The SHA-256 of the files of the folder, or the name. */
  readonly identity: string
  readonly width: number
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

/**
 * Pieces of the text, weighted (1 + ln count) · (1 + ln((1 + texts) / (1 + texts with it))), every row brought to length `norm`; where pieces are apart,
 * words and runs of characters each to a length of their own.
 */
export interface TextPart {
  readonly kind: 'text'
  readonly column: string
  readonly pieces: GramOptions
  readonly norm: number | readonly [words: number, characters: number]
  readonly texts: number
  /** The buckets that are features, each as the distance from the one before (the first from −1). */
  readonly gaps: readonly number[]
  /** In how many texts each of them occurred. */
  readonly occurrences: readonly number[]
}

/** Makes further features of the features of a row. */
export type RecipeStep = ThermometerStep | LandmarksStep

/** For each of some features and each of its cuts: `height` where the feature is above the cut, or else 0. */
export interface ThermometerStep {
  readonly kind: 'thermometer'
  readonly features: readonly number[]
  readonly cuts: readonly (readonly number[])[]
  readonly height: number
}

/**
 * How alike a row x is to some rows r of the pool: length · L⁻¹ (e^(−γ‖x − r₁‖²), …), where LLᵀ is what the rows are to each other, so that products of
 * features are what the similarities of rows make them (Nyström's method).   @see docs/equations.md#landmarks
 */
export interface LandmarksStep {
  readonly kind: 'landmarks'
  /** Features of the landmarks, as their parts make them. */
  readonly rows: readonly (readonly number[])[]
  readonly gamma: number
  readonly length: number
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

/** The same recipe with steps that make further features. */
export function withSteps(recipe: Recipe, steps: readonly RecipeStep[]): Recipe {
  if (steps.length === 0) return recipe
  return { ...recipe, version: 2, steps, width: recipe.width + steps.reduce((sum, step) => sum + widthOfStep(step), 0) }
}

/** The recipe, if it is one of ours: what is read from disk may come from a later version. */
export function requireRecipe(recipe: Recipe): Recipe {
  const { version, steps = [] } = recipe
  requireInput(version === 1 || version === 2, `recipe: version must be 1 or 2, got ${version}`, 'Use a newer alis.')
  const width = steps.reduce((sum, step) => sum + widthOfStep(step), widthOfParts(recipe))
  requireInput(width === recipe.width, `recipe: parts and steps must make ${recipe.width} features, got ${width}`)
  return recipe
}

/** Features of a row before any step. */
export const widthOfParts = ({ parts }: Pick<Recipe, 'parts'>): number => parts.reduce((sum, part) => sum + widthOf(part), 0)

export function widthOfStep(step: RecipeStep): number {
  return step.kind === 'landmarks' ? step.rows.length : step.cuts.reduce((sum, cuts) => sum + cuts.length, 0)
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
export function featureNames({ parts, steps = [] }: Recipe): string[] {
  const names = parts.flatMap(namesOf)
  return [...names, ...steps.flatMap((step) => namesOfStep(step, names))]
}

function namesOfStep(step: RecipeStep, names: readonly string[]): string[] {
  if (step.kind === 'landmarks') return step.rows.map((_, k) => `like landmark ${k + 1}`)
  return step.features.flatMap((feature, j) => step.cuts[j]!.map((_, k) => `${names[feature]} above cut ${k + 1}`))
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
