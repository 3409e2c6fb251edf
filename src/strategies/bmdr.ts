import { worstLoss } from '../core/belief.ts'
import type { FeatureRows } from '../core/features.ts'
import { smallest } from '../core/smallest.ts'
import { certainDraws, top } from '../designs/top.ts'
import { addInPlace } from '../learners/vectors.ts'
import { pure } from '../masses/mass.ts'
import { uniformMass } from '../masses/uniform.ts'
import { type CappedProblem, cappedMinimum } from './capped-simplex.ts'
import { kernelOver } from './kernel.ts'
import type { PoolView, Selector } from './selector.ts'
import type { Strategy } from './strategy.ts'

export interface BmdrOptions {
  /** β: how much being like the pool counts beside being in doubt. Default 100. */
  readonly likeness?: number
  /** Points looked at, chosen by hash; all of them, where there are no more. Work grows with its square. Default 1000. */
  readonly most?: number
}

/**
 * Discriminative and representative batches (Wang & Ye 2015): points of small worst-case loss, which are those in doubt, that together with the
 * labelled ones look like the pool. No dice, hence no unbiased estimate.   @see docs/equations.md#bmdr
 */
export function bmdrStrategy({ likeness = 100, most = 1000 }: BmdrOptions = {}): Strategy {
  return {
    name: 'bmdr',
    summary: `doubtful points that look like the pool, deterministically, from about ${most} points of the pool; no unbiased estimate`,
    mass: pure(uniformMass),
    design: top,
    trainsOn: 'all',
    weighting: 0,
    selector: ({ features: labelled }) => batchSelector(labelled, likeness, most),
  }
}

export const bmdr = bmdrStrategy()

function batchSelector(labelled: FeatureRows, likeness: number, most: number): Selector {
  return {
    name: 'bmdr',
    select(view, size, uniforms) {
      const { rows } = view.features
      const part = smallest(Math.min(rows, Math.max(most, 4 * size)))
      for (let i = 0; i < rows; i++) part.offer(uniforms(i), i)
      const points = part.sorted() // in order of their uniforms, so that nothing depends on the order of the pool
      const shares = cappedMinimum(batchProblem(view, points, labelled, Math.min(size, points.length), likeness), practical)
      const order = [...points.keys()].sort((a, b) => shares[b]! - shares[a]! || a - b)
      return certainDraws(
        order.slice(0, size).map((k) => points[k]!),
        view.masses,
      )
    },
  }
}

/** What is chosen in the end are whole points: more digits than this change nothing. */
const practical = { tolerance: 1e-6, steps: 20_000 }

/**
 * f(α) = (1/m) Σ αᵢ l̂ᵢ + β ‖ (Σ_labelled φ + Σ αᵢ φᵢ)/(l + m) − mean φ over the pool ‖²,  without its constant
 *
 * A point that is looked at stands for as many of the pool as were left for each of those looked at.
 */
export function batchProblem(
  view: PoolView,
  points: readonly number[],
  labelled: FeatureRows,
  size: number,
  likeness: number,
): CappedProblem {
  const { features } = view
  const own = features.select(points)
  const kernel = kernelOver(own)
  const totals = kernel.totals()
  const known = new Float64Array(points.length)
  for (let l = 0; l < labelled.rows; l++) addInPlace(known, 1, kernel.with(labelled, l))
  const inAll = labelled.rows + size
  const pool = labelled.rows + features.rows
  const standsFor = features.rows / points.length
  const linear = Float64Array.from(points, (i, k) => {
    const whole = (known[k]! + standsFor * totals[k]!) / pool
    return worstLoss(view.beliefAt(i)) / size + ((2 * likeness) / inAll) * (known[k]! / inAll - whole)
  })
  const scale = (2 * likeness) / inAll ** 2
  const rows = new Map<number, Float64Array>()
  const quadratic = (k: number) => {
    const row = rows.get(k) ?? kernel.with(own, k).map((value) => scale * value)
    rows.set(k, row)
    return row
  }
  return { quadratic, linear, size }
}
