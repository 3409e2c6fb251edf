import { uniform } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import { doubtPlace, type Places, stratumCodes } from '../../src/core/strata.ts'
import { stratifiedMemory } from '../../src/engines/stratified.ts'
import { axesOf, type Frame, type Strata, strataOf } from '../../src/questions/frame.ts'
import type { AuditSubject } from '../../src/questions/subject.ts'

/** A point as a test says it: classes by place, the chance of being wrong as the model has it, its slice, and its true class. */
export interface TestPoint {
  readonly predicted: number
  readonly other?: number
  readonly chance: number
  readonly slice?: number
  readonly truth: number
}

/** The same, with its slice in each of several columns. */
export interface SlicedPoint extends TestPoint {
  readonly slices?: readonly number[]
}

/** Two classes unless said otherwise, another model and one column of two slices. */
export const testFrame: Frame = {
  classes: ['no', 'yes'],
  models: ['own', 'other'],
  slices: [{ column: 'region', values: ['north', 'south'] }],
}

/** A pool of such points: what an audit is given, the answers, and the points by id. */
export function testPool(points: readonly SlicedPoint[], frame: Frame = testFrame) {
  const { code } = stratumCodes(axesOf(frame))
  const ids = points.map((_, i) => `p${i}`)
  const codes = Float64Array.from(points, ({ predicted, other = predicted, chance, slice = 0, slices = [slice] }) =>
    code({
      predicted: [predicted, other].slice(0, frame.models.length),
      doubt: doubtPlace(chance),
      runnerUp: frame.classes.length,
      share: 0,
      grade: 0,
      slices: slices.slice(0, frame.slices.length),
    }),
  )
  const truth = new Map<string, Label>(points.map((point, i) => [ids[i]!, frame.classes[point.truth]!]))
  const subject = (): AuditSubject => ({ pool: stratifiedMemory({ ids, codes }), frame, model: 'predictions' })
  return { ids, points, truth, subject }
}

/** So many points, made by formulas of a seed: errors where the model doubts, if it is honest. */
export function randomPoints(size: number, seed: number, error: number, isHonest = true): TestPoint[] {
  return Array.from({ length: size }, (_, i) => {
    const u = (name: string) => uniform(seed, name, `${i}`)
    const chance = Math.min(0.9, error * 7 * u('chance') ** 6)
    const predicted = u('predicted') < 0.3 ? 1 : 0
    const truth = u('wrong') < (isHonest ? chance : error) ? 1 - predicted : predicted
    const other = u('other') < 0.15 ? 1 - predicted : predicted
    return { predicted, other, chance, slice: u('slice') < 0.4 ? 1 : 0, truth }
  })
}

/** A question's true value, by its definition: num and den of every point. */
export function ratioOf(points: readonly TestPoint[], worth: (point: TestPoint) => readonly [num: number, den: number]): number {
  const sums = points.map(worth).reduce<[number, number]>(([a, b], [num, den]) => [a + num, b + den], [0, 0])
  return sums[0] / sums[1]
}

/** Strata of a pool with so many points of each of these: by default one, of even chances. */
export function testStrata(frame: Frame, points: readonly (Partial<Places> & { readonly count?: number })[]): Strata {
  const { code } = stratumCodes(axesOf(frame))
  const unknown = { doubt: doubtPlace(0.5), runnerUp: frame.classes.length, share: 0, grade: 0, slices: [] }
  const coded = points.map(({ count = 1, ...places }) => [code({ predicted: [], ...unknown, ...places }), count] as const)
  const sorted = coded.toSorted(([a], [b]) => a - b)
  return strataOf(frame, {
    codes: Float64Array.from(sorted, ([own]) => own),
    counts: Float64Array.from(sorted, ([, count]) => count),
  })
}
