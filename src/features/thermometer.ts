import type { FeatureRows } from '../core/features.ts'
import type { ThermometerStep } from './recipe.ts'

/** With half of all rows above a cut, sixteen of them vary as much as the number itself, which has variance 1. */
const height = 0.5

/** Rows that cuts are found by, at most: the first, which are those of any. */
export const cutRows = 20_000

/** Cuts at quantiles, so many for each feature at most; features with two values need none. Undefined where nothing is cut. */
export function learnThermometer(base: FeatureRows, cutsEach: number): ThermometerStep | undefined {
  const features: number[] = []
  const cuts: number[][] = []
  for (let j = 0; j < base.columns; j++) {
    const own = cutsOf(columnOf(base, j), cutsEach)
    if (own.length < 2) continue
    features.push(j)
    cuts.push(own)
  }
  return features.length > 0 ? { kind: 'thermometer', features, cuts, height } : undefined
}

/** A feature of the rows, in order of size. */
function columnOf(base: FeatureRows, j: number): Float64Array {
  const unit = new Float64Array(base.columns)
  unit[j] = 1
  const rows = Math.min(base.rows, cutRows)
  return Float64Array.from({ length: rows }, (_, row) => base.dot(row, unit)).sort()
}

/** Values in the middle of as many stretches of equally many rows, each once; none that no row is above. */
function cutsOf(sorted: Float64Array, count: number): number[] {
  const largest = sorted.at(-1)!
  const cuts = Array.from({ length: count }, (_, k) => sorted[Math.floor(((k + 0.5) / count) * sorted.length)]!)
  return [...new Set(cuts)].filter((cut) => cut < largest)
}

/** Writes the features of rows of some width, whose first are those of the parts, from `at` on in each row. */
export function thermometerWriter({
  features,
  cuts,
  height,
}: ThermometerStep): (into: Float32Array, width: number, at: number) => void {
  return (into, width, at) => {
    for (let row = 0; row < into.length; row += width)
      for (let j = 0, next = row + at; j < features.length; j++) {
        const value = into[row + features[j]!]!
        for (const cut of cuts[j]!) into[next++] = value > cut ? height : 0
      }
  }
}
