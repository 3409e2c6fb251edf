import { type FeatureRows, squaredNorms } from '../core/features.ts'
import type { Uniforms } from '../core/randomness.ts'
import { certainDraws, top } from '../designs/top.ts'
import { pure } from '../masses/mass.ts'
import { uniformMass } from '../masses/uniform.ts'
import type { Strategy } from './strategy.ts'

/**
 * Core-sets (Sener & Savarese 2018): each next point is the one farthest from everything labelled or chosen so far, so that nothing in
 * the pool is far from a label. Looks at features alone. No dice, hence no unbiased estimate.   @see docs/equations.md#core-set
 */
export const coreSet: Strategy = {
  name: 'core-set',
  summary: 'the points farthest from every label, deterministically (k-centre greedy); no unbiased estimate',
  mass: pure(uniformMass),
  design: top,
  trainsOn: 'all',
  weighting: 0,
  selector: ({ features: labelled }) => ({
    name: 'k-centre',
    select: ({ features, masses }, size, uniforms) => certainDraws(farthestFirst(features, labelled, size, uniforms), masses),
  }),
}

/**
 * k-centre greedy: each time the row with the largest  min ‖x − c‖²  over the centres c so far, equal ones in order of their uniforms. For
 * each centre one product with every row, and one number kept a row: n · m · d work, n memory.
 */
export function farthestFirst(rows: FeatureRows, centres: FeatureRows, size: number, uniforms: Uniforms): number[] {
  const distances = new Float64Array(rows.rows).fill(Number.POSITIVE_INFINITY)
  const norms = squaredNorms(rows)
  const centre = new Float64Array(rows.columns)
  const open = (from: FeatureRows, row: number) => {
    centre.fill(0)
    from.addInPlace(row, 1, centre)
    lowerInPlace(distances, rows, norms, centre)
  }
  for (let row = 0; row < centres.rows; row++) open(centres, row)

  return Array.from({ length: Math.min(size, rows.rows) }, () => {
    const next = farthest(distances, uniforms)
    open(rows, next)
    distances[next] = Number.NEGATIVE_INFINITY // never again, even where everything else is at distance 0
    return next
  })
}

/** distances ← min(distances, ‖x‖² + ‖c‖² − 2 x·c) */
function lowerInPlace(distances: Float64Array, rows: FeatureRows, norms: Float64Array, centre: Float64Array): void {
  let norm = 0
  for (const value of centre) norm += value * value
  for (let i = 0; i < distances.length; i++) {
    const distance = Math.max(0, norms[i]! + norm - 2 * rows.dot(i, centre))
    if (distance < distances[i]!) distances[i] = distance
  }
}

function farthest(distances: Float64Array, uniforms: Uniforms): number {
  let best = 0
  for (let i = 1; i < distances.length; i++) {
    const [distance, most] = [distances[i]!, distances[best]!]
    if (distance > most || (distance === most && uniforms(i) < uniforms(best))) best = i
  }
  return best
}
