import { requireInput } from '../core/errors.ts'
import type { Cells } from '../core/rows.ts'
import { categoryLearner, ownFeatures } from './category.ts'
import { numericIn, textsIn } from './cells.ts'
import { categoryEncoder, type Encoder, numericEncoder } from './encode.ts'
import type { Moments } from './moments.ts'
import type { CategoryPart, NumberPart, RecipePart, Shape, TextPart, VectorPart } from './recipe.ts'
import type { ColumnRole } from './roles.ts'
import { textEncoder, textLearner } from './text.ts'

/** Mean distance of vectors from their centre. As with texts, what suits the usual penalty. */
const vectorNorm = 5

/** The numbers of all rows meanwhile, `stride` a row. The array that becomes the features, wherever these are dense. */
export interface Rows {
  readonly values: Float32Array
  readonly stride: number
  readonly rows: number
}

/** A column on its way to features. */
export interface Intake {
  readonly column: string
  readonly kind: RecipePart['kind']
  /** Numbers kept of each row until all are read. */
  readonly slots: number
  /** What will come of it, as far as can be told by now. */
  readonly expected: Shape
  /** Takes in cells: those of row i go to row targets[i], or nowhere if that is negative. `at`: its first slot. */
  add(cells: Cells | undefined, firstRow: number, targets: Int32Array, to: Rows, at: number): void
  /** `moments` are those of all numbers and vectors, by slot. */
  learn(from: Rows, at: number, moments: Moments): Learned
}

interface Learned {
  readonly part: RecipePart
  /** The features of the rows taken in; `start` is the first of its part. */
  encoder(start: number): Encoder
}

export function intakeOf({ column, role }: ColumnRole, rows: number): Intake {
  const { name, missing, distinct, width = 0 } = column
  if (role === 'number') return numericIntake(role, name, 1, missing > 0)
  if (role === 'vector') return numericIntake(role, name, width, missing > 0)
  return role === 'category' ? categoryIntake(name, distinct) : textIntake(name, rows)
}

/** How numbers, or vectors, become features: centred and scaled by their moments. */
export function numericPart(
  kind: 'number' | 'vector',
  column: string,
  { means, variances }: Moments,
  indicator: boolean,
): NumberPart | VectorPart {
  const variance = variances.reduce((a, b) => a + b, 0)
  const isConstant = variance <= 1e-14 * means.reduce((sum, mean) => sum + mean * mean, 0) // what rounding leaves of it
  const scale = isConstant ? 0 : (kind === 'vector' ? vectorNorm : 1) / Math.sqrt(variance)
  if (kind === 'number') return { kind, column, mean: means[0]!, scale, indicator }
  return { kind, column, means: [...means], scale, indicator }
}

/** A number is a vector of one. */
function numericIntake(kind: 'number' | 'vector', column: string, slots: number, indicator: boolean): Intake {
  requireInput(slots > 0, `${column}: a vector must have at least one number, got none`)
  const width = slots + (indicator ? 1 : 0)
  return {
    column,
    kind,
    slots,
    expected: { width, filled: width, isHashed: false },
    add(cells, firstRow, targets, { values, stride }, at) {
      const numbers = numericIn({ column, kind, width: slots }, cells, firstRow)
      for (let i = 0; i < targets.length; i++) {
        const to = targets[i]! * stride + at
        if (targets[i]! >= 0) for (let k = 0; k < slots; k++) values[to + k] = numbers[i * slots + k]!
      }
    },
    learn(from, at, { means, variances }) {
      const own = { means: means.subarray(at, at + slots), variances: variances.subarray(at, at + slots) }
      const part = numericPart(kind, column, own, indicator)
      return { part, encoder: (start) => numericEncoder(part, start, { ...from, at }) }
    },
  }
}

function categoryIntake(column: string, distinct: number): Intake {
  const learner = categoryLearner(column)
  return {
    column,
    kind: 'category',
    slots: 1,
    expected: { width: distinct + 2, filled: 1, isHashed: distinct > ownFeatures },
    add(cells, _, targets, { values, stride }, at) {
      const texts = textsIn(cells, column)
      for (let i = 0; i < targets.length; i++) if (targets[i]! >= 0) values[targets[i]! * stride + at] = learner.code(texts[i]!)
    },
    learn(from, at) {
      const part: CategoryPart = learner.learnInPlace(from.values, from.rows, from.stride, at)
      return { part, encoder: (start) => categoryEncoder(start, { ...from, at }) }
    },
  }
}

/** Texts are kept and gone through twice: they take less room than their pieces. */
function textIntake(column: string, rows: number): Intake {
  const learner = textLearner(column)
  const kept = new Array<string | null>(rows).fill(null)
  return {
    column,
    kind: 'text',
    slots: 0,
    expected: { width: 0, filled: 0, isHashed: true },
    add(cells, _, targets) {
      const texts = textsIn(cells, column)
      for (let i = 0; i < targets.length; i++) {
        if (targets[i]! < 0) continue
        learner.add(texts[i]!)
        kept[targets[i]!] = texts[i]!
      }
    },
    learn() {
      const part: TextPart = learner.learn()
      return { part, encoder: (start) => textEncoder(part, start)(kept) }
    },
  }
}
