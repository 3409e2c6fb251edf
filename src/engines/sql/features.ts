import { requireInput } from '../../core/errors.ts'
import { dense, type FeatureRows } from '../../core/features.ts'
import { type Model, weightsOf } from '../../core/model.ts'
import { mostFormFeatures } from '../../core/quadratic-form.ts'
import type { Dialect } from './dialect.ts'
import type { Written } from './select.ts'

/**
 * Features of a point as a database reads them off its row, in the order of a model's weights. Each has its own expression in SQL,
 * quoted already where it names what people named.
 */
export type FeatureBlock = NumberBlock | VectorBlock | CategoryBlock

/** What to read off the row of a point. */
export interface TableFeatures {
  readonly blocks: readonly FeatureBlock[]
  /** Further features, which are made of those of the blocks. */
  readonly steps?: StepFeatures | undefined
  /** What people see of a point, as an expression that is a text or NULL, by name. */
  readonly fields: Readonly<Record<string, string>>
}

/** Features that are made of other features of a point. */
export interface StepFeatures {
  readonly width: number
  /** Lists that they are made of, given `baseName`, the list of the features of the blocks and a 1, and `squaresName`, the sum of its squares. */
  readonly lists: readonly Written[]
  /** What all of them together add to a score, given the lists. */
  scoreOf(weights: readonly number[]): string
  /** Rows with further features, of rows with those of the blocks. */
  extend(base: FeatureRows): FeatureRows
}

/** Ids of a pool by their places in the canonical order. */
export interface OrderedIds {
  readonly at: readonly string[]
  readonly first: readonly string[]
}

export const baseName = 'base'
export const squaresName = 'squares'

/** One feature, a double that is never NULL. */
export interface NumberBlock {
  readonly kind: 'number'
  readonly sql: string
}

/** (v − means) · scale of a list of as many floats; zeros where it is NULL. */
export interface VectorBlock {
  readonly kind: 'vector'
  readonly sql: string
  readonly means: readonly number[]
  readonly scale: number
  /** That it is never NULL, which makes it cheaper. Default: it may be. */
  readonly isWhole?: boolean
}

/** A 1 in one of `width` features: which, as a whole number from 0. */
export interface CategoryBlock {
  readonly kind: 'category'
  readonly sql: string
  readonly width: number
}

function widthOf(block: FeatureBlock): number {
  if (block.kind === 'number') return 1
  return block.kind === 'vector' ? block.means.length : block.width
}

export const widthOfAll = (blocks: readonly FeatureBlock[]): number => blocks.reduce((sum, block) => sum + widthOf(block), 0)

/** Refuses forms of more features than can be had where the pool lies. */
export function requireNarrow(features: number): void {
  requireInput(
    features <= mostFormFeatures,
    `engine: at most ${mostFormFeatures} features are possible for this strategy where the pool lies, got ${features}`,
    'Use the strategy alis.',
  )
}

/** All features of a point, those of the steps among them. */
export const columnsOf = ({ blocks, steps }: Pick<TableFeatures, 'blocks' | 'steps'>): number =>
  widthOfAll(blocks) + (steps?.width ?? 0)

/** Refuses forms of other features than those of the columns: a pool in a database has no others. */
export function requireBase(wanted: number, features: number): void {
  requireInput(wanted === features, `engine: forms of the ${features} features of the columns are required, got ${wanted}`)
}

/** The name under which a block is selected. */
export const blockName = (k: number): string => `f${k}`

/** Each block as a column, to be read by `rowsFrom`. */
export const blockColumns = (blocks: readonly FeatureBlock[]): string[] => blocks.map(({ sql }, k) => `${sql} AS ${blockName(k)}`)

/** A block that adds to scores by itself; numbers do so together, as one list. */
export type OtherBlock = VectorBlock | CategoryBlock

/** What a block adds to a score. A vector is centred and scaled in the weights: one product of lists, and nothing of its length is made anew for each point. */
export function scoreOf(block: OtherBlock, name: string, weights: readonly number[], dialect: Dialect): string {
  if (block.kind === 'category') return dialect.entry(weights.map(dialect.number), name)
  const { means, scale, isWhole } = block
  const scaled = weights.map((weight) => weight * scale)
  const centre = scaled.reduce((sum, weight, j) => sum + weight * means[j]!, 0)
  const centred = `${dialect.dot(name, scaled.map(dialect.number), isWhole)} - ${dialect.number(centre)}`
  return isWhole ? `(${centred})` : `coalesce(${centred}, 0)`
}

/**
 * The scores of a model, given the list of all numbers by its name and what each other block adds. The product of two lists takes
 * two thirds of the time of a sum of products, and of four thousand terms it is understood much sooner.
 */
export function scoresBy(
  model: Model,
  blocks: readonly FeatureBlock[],
  dialect: Dialect,
  numbers: string,
  added: (block: OtherBlock, b: number, weights: readonly number[], k: number) => string,
  ofSteps: ((weights: readonly number[]) => string) | undefined,
): string[] {
  if (model.kind === 'columns' && blocks.every(({ kind }) => kind === 'number'))
    return blocks.map((_, k) => `${numbers}[${k + 1}]`)
  const { weights: rows, intercepts } = weightsOf(model)
  return rows.map((weights, k) => {
    let at = 0
    const ofNumbers: string[] = []
    const others: string[] = []
    for (const [b, block] of blocks.entries()) {
      const own = weights.slice(at, at + widthOf(block))
      at += own.length
      if (block.kind === 'number') ofNumbers.push(dialect.number(own[0]!))
      else others.push(added(block, b, own, k))
    }
    const product = ofNumbers.length > 0 ? [dialect.dot(numbers, ofNumbers, true)] : []
    const further = ofSteps && isOfSteps(weights, at) ? [ofSteps(weights.slice(at))] : []
    return dialect.operations.sum!(...product, ...others, ...further, dialect.number(intercepts[k]!))
  })
}

const isOfSteps = (weights: readonly number[], base: number) => weights.slice(base).some((weight) => weight !== 0)

/** Whether a model weighs features of steps, which need not be made for one that does not. */
export const needsSteps = (model: Model, blocks: readonly FeatureBlock[]): boolean =>
  model.kind === 'linear' && model.weights.some((weights) => isOfSteps(Array.from(weights), widthOfAll(blocks)))

/** What a database answers for the columns of the blocks, as features: the same 32-bit numbers that memory holds. */
export function rowsFrom(rows: readonly (readonly unknown[])[], blocks: readonly FeatureBlock[]): FeatureRows {
  const width = widthOfAll(blocks)
  const values = new Float32Array(rows.length * width)
  for (const [i, row] of rows.entries()) {
    let at = i * width
    for (const [k, block] of blocks.entries()) {
      writeInPlace(values, at, block, row[k])
      at += widthOf(block)
    }
  }
  return dense(values, width)
}

function writeInPlace(values: Float32Array, at: number, block: FeatureBlock, cell: unknown): void {
  if (block.kind === 'number') values[at] = Number(cell)
  else if (block.kind === 'category') values[at + Number(cell)] = 1
  else if (Array.isArray(cell)) {
    for (const [j, mean] of block.means.entries()) values[at + j] = (Number(cell[j]) - mean) * block.scale
  }
}
