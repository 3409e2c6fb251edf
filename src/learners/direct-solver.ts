import { factorInPlace, solveInPlace } from '../core/cholesky.ts'
import { type FeatureRows, INTERCEPT_COLUMN, type RowCurvatures } from '../core/features.ts'
import { sumOfSquares } from '../core/row-squares.ts'
import type { Preconditioner } from './newton.ts'
import { blocksOf, takeOutMean } from './training.ts'

const MOST_COLUMNS = 1000 // a matrix of 8 MB, and a fifth of a second to factor it
const MOST_NUMBERS = 2 ** 23 // in all matrices, 64 MB

/**
 * Newton's matrix class by class, solved by Cholesky's method:  Mₖ = Σᵢ hᵢₖ xᵢxᵢᵀ + λI,  where hᵢₖ is the curvature along class k alone and xᵢ
 * includes the intercept's column. `curvatures` are read when it is made.
 *
 * What all classes have in common moves no chance, and no gradient has any of it: with K > 1 it is taken out again, else the
 * matrices, which know nothing of it, would lead there.
 */
export function directSolver(features: FeatureRows, curvatures: RowCurvatures, l2: number): Preconditioner {
  const { columns, rows, algebra } = features
  const size = columns + 1
  const count = curvatures.own.length / rows
  const isTooMuch = columns > MOST_COLUMNS || count * size ** 2 > MOST_NUMBERS
  return {
    // K · rows · size² / 2 products, against 2 · K · rows · size for a pass; by kernels, passes of one class wait for memory
    cost: isTooMuch ? Number.POSITIVE_INFINITY : size / (!algebra?.solver ? 6 : count > 1 ? 3 : 5),
    make(mayBeRough) {
      const weights = Array.from({ length: count }, (_, k) => curvaturesAlong(curvatures, k, count))
      const solve = (mayBeRough && algebra?.solver?.(weights, l2)) || exactSolver(features, weights, l2)
      return (vector) => {
        const blocks = blocksOf(vector, count)
        solve(blocks)
        if (count > 1) takeOutMean(blocks)
      }
    },
  }
}

/** hᵢₖ = ownᵢₖ (1 − sharesᵢₖ) */
function curvaturesAlong({ own, shares }: RowCurvatures, k: number, count: number): Float64Array {
  const along = new Float64Array(own.length / count)
  for (let i = 0, at = k; i < along.length; i++, at += count) along[i] = own[at]! * (1 - (shares?.[at] ?? 0))
  return along
}

function exactSolver(
  features: FeatureRows,
  weights: readonly Float64Array[],
  l2: number,
): (blocks: readonly Float64Array[]) => void {
  const size = features.columns + 1
  const factors = weights.map((own) => {
    const matrix = sumOfSquares(features, { factors: own, last: INTERCEPT_COLUMN })
    for (let j = 0; j < size; j++) matrix[j * size + j]! += l2
    factorInPlace(matrix, size)
    for (let j = 0; j < size; j++) matrix[j * size + j] ||= Math.sqrt(l2) // a pivot lost to rounding: λ is what remains of it
    return matrix
  })
  return (blocks) => {
    for (const [k, factor] of factors.entries()) solveInPlace(factor, blocks[k]!)
  }
}
