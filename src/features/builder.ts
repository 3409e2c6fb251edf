import { requireInput } from '../core/errors.ts'
import type { FeatureRows } from '../core/features.ts'
import type { RowBatch } from '../core/rows.ts'
import { type WantedColumn, wantedBy } from './cells.ts'
import { denseRows, type Encoder, sparseRows, startsOf } from './encode.ts'
import { type Intake, intakeOf } from './intake.ts'
import { momentsOf } from './moments.ts'
import { featureNames, layoutOf, type Recipe, type RecipePart, recipeOf } from './recipe.ts'
import { isLearned, type Roles } from './roles.ts'

/** Learns a recipe and makes the features of a pool, from one pass over its rows. */
export interface FeatureBuilder {
  /** Columns to ask the source for, and how. */
  readonly wanted: readonly WantedColumn[]
  /** Takes in rows of the source, in any order, each once. */
  add(batch: RowBatch): void
  /** Once every row has been added. */
  finish(): BuiltFeatures
}

export interface BuiltFeatures {
  readonly recipe: Recipe
  readonly features: FeatureRows
  /** A name for every feature; made when asked for. */
  readonly names: readonly string[]
}

/**
 * `rows` are those of the source. Row i becomes row place[i] of the features, or none if that is negative: given places by id, the
 * same file in any order gives the same recipe and features to the last bit. Left out, rows stay where they are.
 */
export function featureBuilder(roles: Roles, rows: number, place?: Int32Array): FeatureBuilder {
  const size = place ? requirePlaces(place, rows) : rows
  requireInput(size > 0, 'features: at least one row to learn from is required, got none')
  const intakes = roles.filter(isLearned).map((role) => intakeOf(role, size))
  const { ats, numeric, stride } = slotsOf(intakes)
  const kept = { values: new Float32Array(size * stride), stride, rows: size }
  let added = 0
  let isFinished = false

  return {
    wanted: wantedBy(intakes),

    add({ start, rows: count, columns }) {
      const targets = place ? place.subarray(start, start + count) : Int32Array.from({ length: count }, (_, i) => start + i)
      for (const [k, intake] of intakes.entries()) intake.add(columns[k], start, targets, kept, ats[k]!)
      added += count
    },

    finish() {
      if (isFinished) throw new Error('features: finished already') // the numbers have become features
      requireInput(added === rows, `features: ${rows} rows of the source are required, got ${added}`)
      isFinished = true
      const moments = momentsOf(kept.values, size, stride, numeric)
      const learned = intakes.map((intake, k) => intake.learn(kept, ats[k]!, moments))
      const recipe = recipeOf(
        learned.map(({ part }) => part),
        size,
      )
      const starts = startsOf(recipe)
      const encoders = learned.map(({ encoder }, k) => encoder(starts[k]!))
      const features = encodeRows(recipe, encoders, kept.values, stride)
      return {
        recipe,
        features,
        get names() {
          return featureNames(recipe)
        },
      }
    },
  }
}

/** Checks that places are 0 … n − 1, each once, and returns n. */
function requirePlaces(place: Int32Array, rows: number): number {
  requireInput(place.length === rows, `place: one for each of ${rows} rows is required, got ${place.length}`)
  const size = place.reduce((count, to) => count + (to >= 0 ? 1 : 0), 0)
  const isTaken = new Uint8Array(size)
  for (const to of place) {
    if (to < 0) continue
    requireInput(
      to < size && isTaken[to] === 0,
      `place: every number below ${size} is required once, got ${to} again or out of turn`,
    )
    isTaken[to] = 1
  }
  return size
}

/** Where in a row each column keeps its numbers: first those with moments, numbers and vectors. A row has room for its features, if dense. */
function slotsOf(intakes: readonly Intake[]) {
  const hasMoments = ({ kind }: Intake) => kind === 'number' || kind === 'vector'
  const ats = new Array<number>(intakes.length).fill(0)
  let next = 0
  const assign = (test: (intake: Intake) => boolean) => {
    for (const [k, intake] of intakes.entries()) {
      if (!test(intake)) continue
      ats[k] = next
      next += intake.slots
    }
    return next
  }
  const numeric = assign(hasMoments)
  const slots = assign((intake) => !hasMoments(intake))
  const shapes = intakes.map(({ expected }) => expected)
  const width = shapes.reduce((sum, shape) => sum + shape.width, 0)
  return { ats, numeric, stride: layoutOf(shapes) === 'dense' ? Math.max(slots, width) : slots }
}

function encodeRows(
  { rows, width, layout, parts }: Recipe,
  encoders: readonly Encoder[],
  values: Float32Array,
  stride: number,
): FeatureRows {
  if (layout === 'sparse')
    return sparseRows(
      encoders,
      rows,
      width,
      parts.reduce((sum, part) => sum + entriesOf(part, rows), 0),
    )
  return denseRows(encoders, rows, width, width <= stride ? values : new Float32Array(rows * width))
}

/** How many entries a part has in all rows, at most. */
function entriesOf(part: RecipePart, rows: number): number {
  if (part.kind === 'text') return part.occurrences.reduce((a, b) => a + b, 0)
  return part.kind === 'vector' ? rows * Math.max(1, part.means.length) : rows
}
