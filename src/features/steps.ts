import type { FeatureBlocks, StepWish } from '../core/feature-blocks.ts'
import { dense, type FeatureRows } from '../core/features.ts'
import { landmarksWriter, learnLandmarks, rowsByLot } from './landmarks.ts'
import { type Recipe, type RecipeStep, widthOfParts, widthOfStep, withSteps } from './recipe.ts'
import { learnThermometer, thermometerWriter } from './thermometer.ts'

/** Cuts of all features together, at most: with more there is little that labels could tell of each. */
const mostCuts = 512

/** Products that making similarities of the whole pool may take: some seconds. */
const mostProducts = 4e9

/** The recipe with steps learned from rows that it has made features of. Sparse features stay as they are. */
export function learnSteps(recipe: Recipe, base: FeatureRows, wish: StepWish | undefined): Recipe {
  const plan = stepPlan(recipe, base.rows, wish)
  return plan ? withLearned(recipe, plan, { landmarks: base.select(plan.places), first: base }) : recipe
}

/** How many steps a pool of so many rows gets, and the rows that they are learned from. */
export interface StepPlan {
  /** Of rows in the canonical order. */
  readonly places: readonly number[]
  readonly cuts: number
}

/** Rows of a pool with the features of its columns. */
export interface StepSample {
  /** Those of the places. */
  readonly landmarks: FeatureRows
  /** The first in the canonical order, `cutRows` or more of them where there are so many. */
  readonly first: FeatureRows
}

/** What to learn steps from, if there are to be any. */
export function stepPlan(recipe: Recipe, rows: number, wish: StepWish | undefined): StepPlan | undefined {
  if (!wish || recipe.layout === 'sparse') return undefined
  const { landmarks, cuts } = affordable({ rows, columns: recipe.width }, wish)
  return landmarks + cuts > 0 ? { places: landmarks > 0 ? rowsByLot(rows, landmarks) : [], cuts } : undefined
}

/** The recipe with the steps of a plan. */
export function withLearned(recipe: Recipe, { places, cuts }: StepPlan, { landmarks, first }: StepSample): Recipe {
  const steps = [places.length > 0 ? learnLandmarks(landmarks) : undefined, cuts > 0 ? learnThermometer(first, cuts) : undefined]
  return withSteps(
    recipe,
    steps.filter((step) => step !== undefined),
  )
}

/** As many as are wished for, halved until they can be had: landmarks first, as they are worth more. */
function affordable(
  { rows, columns }: Pick<FeatureRows, 'rows' | 'columns'>,
  wish: StepWish,
): Pick<StepWish, 'landmarks' | 'cuts'> {
  const fits = (width: number) => 4 * rows * width <= wish.bytes
  const landmarks = halved(
    wish.landmarks,
    16,
    (count) => 2 * count <= rows && rows * count * (count + columns) <= mostProducts && fits(columns + count),
  )
  const cuts = halved(wish.cuts, 2, (count) => columns * count <= mostCuts && fits(columns + landmarks + columns * count))
  return { landmarks, cuts }
}

/** The first of a number, its half and so on that will do; 0 if none from `least` on does. */
function halved(count: number, least: number, willDo: (count: number) => boolean): number {
  if (count < least) return 0
  return willDo(count) ? count : halved(Math.floor(count / 2), least, willDo)
}

/** How many features of which kind a recipe makes. */
export function blocksOf(recipe: Recipe): FeatureBlocks {
  const { steps = [] } = recipe
  const of = (kind: RecipeStep['kind']) =>
    steps.filter((step) => step.kind === kind).reduce((sum, step) => sum + widthOfStep(step), 0)
  return { base: widthOfParts(recipe), landmarks: of('landmarks'), cuts: of('thermometer'), isSparse: recipe.layout === 'sparse' }
}

/** Writes whole rows, from one of those of the parts on, as many as there is room for. */
export function rowWriter(recipe: Recipe, base: FeatureRows): (into: Float32Array, first: number) => void {
  const { width } = recipe
  const writers = stepWriters(recipe)
  const x = new Float64Array(base.columns)
  return (into, first) => {
    for (let row = 0; row < into.length / width; row++) {
      x.fill(0)
      base.addInPlace(first + row, 1, x)
      into.set(x, row * width)
    }
    for (const write of writers) write(into)
  }
}

/** Each writes the features of a step into rows that have those of the parts. */
function stepWriters(recipe: Recipe): ((rows: Float32Array) => void)[] {
  let next = widthOfParts(recipe)
  return (recipe.steps ?? []).map((step) => {
    const at = next
    next += widthOfStep(step)
    const write = step.kind === 'landmarks' ? landmarksWriter(step) : thermometerWriter(step)
    return (rows) => write(rows, recipe.width, at)
  })
}

/** All rows with the features of every step. */
export function withStepFeatures(recipe: Recipe, base: FeatureRows): FeatureRows {
  if (!recipe.steps) return base
  const values = new Float32Array(base.rows * recipe.width)
  rowWriter(recipe, base)(values, 0)
  return dense(values, recipe.width)
}
