import type { Reader } from '../../core/belief.ts'
import { kernelFor } from '../../core/declared-kernel.ts'
import { marginBins } from '../../core/margins.ts'
import type { Census, Ingredient, IngredientKernel, Mass } from '../../masses/mass.ts'
import { settledSum } from './settled-mass.ts'

/** How a mass is made of the statistics of a point: so much of each formula, and a number for the bin that the margin is in. */
export interface MassFormula {
  readonly coefficients: Float64Array
  readonly byBin: Float64Array
}

// How src/engines/kernels/assembly/masses.ts finds it, in floats: coefficients, numbers by bin, and the edges of bins; then a byte for each slot.
export const firstBin = 12
export const firstEdge = firstBin + marginBins

/** Where the bins of margins between 1 and 2 begin, as a bin is the same in every octave: the first float of each; and the last edge at or before each 256th. */
export const marginEdges = Float32Array.from({ length: 17 }, (_, i) => {
  const [edge, nearest] = [2 ** (i / 16), Math.fround(2 ** (i / 16))]
  return nearest >= edge ? nearest : nearest + 2 ** -23
})
export const marginSlots = Uint8Array.from({ length: 256 }, (_, slot) =>
  marginEdges.findLastIndex((edge) => edge <= 1 + slot / 256),
)

export const formulaNumbers = firstEdge + marginEdges.length

/** Where each formula stands among the coefficients; −1 for what goes by the bin of the margin. */
const positions: Readonly<Record<IngredientKernel, number>> = {
  uniform: 0,
  entropy: 1,
  'expected-error': 2,
  'expected-loss': 3,
  'pseudo-loss': 4,
  'pseudo-loss-linear': 5,
  doubt: 6,
  'doubt-power-4': 7,
  variance: 8,
  'margin-rank': -1,
}
export const formulaCount = 9

/** No mass for any point. */
export const noMass: MassFormula = { coefficients: new Float64Array(firstBin), byBin: new Float64Array(marginBins) }

/** Whether the statistics that kernels make of scores are those of this reading. */
export function isSoftmax({ kernel, read }: Reader, classes: number): boolean {
  return kernelFor(kernel, read) === (classes === 2 ? 'sigmoid' : 'softmax')
}

export function isSoftmaxError({ kernel, read }: Reader, classes: number): boolean {
  return kernelFor(kernel, read) === (classes === 2 ? 'sigmoid-error' : 'softmax-error')
}

/** Where the formulas of a mass stand, part by part; undefined if some part has none. `forms`: how many quadratic forms there are. */
export function formulasOf({ parts }: Mass, forms: number): readonly number[] | undefined {
  const found = parts.map(({ of }) => positionOf(of, forms))
  return found.every((position) => position !== undefined) ? found : undefined
}

function positionOf({ kernel, value }: Ingredient, forms: number): number | undefined {
  const name = kernelFor(kernel, value)
  return name === undefined || (name === 'variance' && forms !== 2) ? undefined : positions[name]
}

/** How a settled mass is made, given where the formulas of its parts stand; undefined if it does not say how it is made of them. */
export function settledFormula(mass: Mass, formulas: readonly number[], census: Census): MassFormula | undefined {
  const sum = settledSum(mass, census)
  if (!sum) return undefined
  const coefficients = new Float64Array(formulaCount)
  const byBin = new Float64Array(marginBins)
  for (const [j, position] of formulas.entries())
    if (position >= 0) coefficients[position]! += sum.scales[j]!
    else for (let bin = 0; bin < marginBins; bin++) byBin[bin]! += sum.scales[j]! * sum.ranks[j]![bin]!
  return { coefficients, byBin }
}
