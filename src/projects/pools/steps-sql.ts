import type { StepWish } from '../../core/feature-blocks.ts'
import type { FeatureRows } from '../../core/features.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Dialect } from '../../engines/sql/dialect.ts'
import { baseName, type OrderedIds, type StepFeatures, squaresName } from '../../engines/sql/features.ts'
import { similarityWeights } from '../../features/landmarks.ts'
import { type LandmarksStep, type Recipe, type ThermometerStep, widthOfStep } from '../../features/recipe.ts'
import { stepPlan, withLearned, withStepFeatures } from '../../features/steps.ts'
import { cutRows } from '../../features/thermometer.ts'

/** A pool in a database that steps can be learned from. */
interface SampledPool {
  readonly size: number
  idsInOrder(places: readonly number[], first: number): Promise<OrderedIds>
  features: Engine['features']
}

/** The recipe with steps learned where the pool lies, from the same few rows that memory would learn them from. */
export async function learnStepsIn(pool: SampledPool, recipe: Recipe, wish: StepWish | undefined): Promise<Recipe> {
  const plan = stepPlan(recipe, pool.size, wish)
  if (!plan) return recipe
  const { at, first } = await pool.idsInOrder(plan.places, Math.min(pool.size, plan.cuts > 0 ? cutRows : 0))
  const rows = await pool.features([...at, ...first])
  const some = (from: number, count: number): FeatureRows => rows.select(Array.from({ length: count }, (_, i) => from + i))
  return withLearned(recipe, plan, { landmarks: some(0, at.length), first: some(at.length, first.length) })
}

/** What the features of the steps of a recipe add to the scores of a model, where the pool lies: none of them is made by itself. */
export function stepFeatures(recipe: Recipe, dialect: Dialect): StepFeatures | undefined {
  const { steps } = recipe
  if (!steps) return undefined
  const written = steps.map((step, s) =>
    step.kind === 'landmarks' ? landmarksIn(step, `alike${s}`, dialect) : cutsIn(step, dialect),
  )
  const widths = steps.map(widthOfStep)
  const starts = widths.map((_, s) => widths.slice(0, s).reduce((sum, width) => sum + width, 0))
  return {
    width: widths.reduce((sum, width) => sum + width, 0),
    lists: written.flatMap(({ lists }) => lists),
    scoreOf: (weights) =>
      dialect.operations.sum!(...written.map(({ scoreOf }, s) => scoreOf(weights.slice(starts[s], starts[s]! + widths[s]!)))),
    extend: (rows) => withStepFeatures(recipe, rows),
  }
}

type WrittenStep = Pick<StepFeatures, 'lists' | 'scoreOf'>

/** Features are sums of similarities, and so is what a model makes of them. */
function landmarksIn(step: LandmarksStep, name: string, dialect: Dialect): WrittenStep {
  const { rows, gamma } = step
  const { number } = dialect
  // −γ ‖x − r‖² = 2γ x·r − γ ‖r‖² − γ ‖x‖², given the list of x and a 1.
  const exponents = rows.map((row) => {
    const length = row.reduce((sum, value) => sum + value * value, 0)
    const product = dialect.dot(baseName, [...row.map((value) => 2 * gamma * value), gamma * (1 - length)].map(number), true)
    return `exp(${product} - ${number(gamma)} * ${squaresName})`
  })
  const products = similarityWeights(step)
  return {
    lists: [{ name, sql: `[${exponents.join(', ')}]` }],
    scoreOf(weights) {
      const folded = rows.map((_, j) => products.reduce((sum, product, i) => sum + weights[i]! * product[j]!, 0))
      return dialect.dot(name, folded.map(number), true)
    },
  }
}

/** What the cuts below a value add up to, found by halves. */
function cutsIn({ features, cuts, height }: ThermometerStep, { number, when, operations }: Dialect): WrittenStep {
  const found = (value: string, own: readonly number[], sums: readonly number[]): string => {
    if (own.length === 0) return number(sums[0]!)
    const half = own.length >> 1
    const above = found(value, own.slice(half + 1), sums.slice(half + 1))
    return when(`${value} > ${number(own[half]!)}`, above, found(value, own.slice(0, half), sums.slice(0, half + 1)))
  }
  return {
    lists: [],
    scoreOf(weights) {
      let k = 0
      const each = features.map((feature, f) => {
        const sums = [0]
        for (const _ of cuts[f]!) sums.push(sums.at(-1)! + height * weights[k++]!)
        return found(`${baseName}[${feature + 1}]`, cuts[f]!, sums)
      })
      return operations.sum!(...each)
    },
  }
}
