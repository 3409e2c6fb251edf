import type { Formula } from '../../core/formula.ts'
import type { Model } from '../../core/model.ts'
import type { Stream } from '../../core/randomness.ts'
import type { Signal } from '../../core/signal.ts'
import type { StrataCounts, StratifiedPool } from '../../core/strata.ts'
import { drawByStrata, type StrataThresholds, type StratumCandidate } from '../draw-strata.ts'
import { requireCode } from '../row-strata.ts'

/** How the stratum of a point follows from the scores of a model. One object for one way: what is kept is kept for it. */
export interface StrataRequest {
  readonly model: Model
  readonly code: Formula
}

export interface StrataPoints {
  /** How many points have each code, drawn or not. */
  counts(signal?: Signal): Promise<StrataCounts>
  /** Points that may still be drawn and whose uniform is at least the threshold of their stratum. */
  candidates(thresholds: StrataThresholds, stream: Stream, signal?: Signal): Promise<readonly StratumCandidate[]>
  /** By id. Refuses ids that no point has. */
  codesOf(ids: readonly string[], signal?: Signal): Promise<ReadonlyMap<string, number>>
}

/** Points in strata, and which of them the engine was told to leave out. */
export interface StratifiablePoints {
  readonly size: number
  readonly points: StrataPoints
  /** Ids that may no longer be drawn. Grows. */
  readonly taken: ReadonlySet<string>
  take(ids: readonly string[]): Promise<void>
}

/** Strata where the pool lies. All points are counted once; those that were taken are subtracted, and a draw is one pass. */
export function stratifiedInDatabase({ size, points, taken, take }: StratifiablePoints): StratifiedPool {
  let whole: Promise<StrataCounts> | undefined
  const known = new Map<string, number>() // codes of points that were drawn or taken: few

  async function codesOf(ids: Iterable<string>, signal?: Signal): Promise<readonly number[]> {
    const wanted = [...ids]
    const open = wanted.filter((id) => !known.has(id))
    if (open.length > 0) for (const [id, code] of await points.codesOf(open, signal)) known.set(id, code)
    return wanted.map((id) => known.get(id)!)
  }

  async function counts(signal?: Signal): Promise<StrataCounts> {
    whole ??= points.counts(signal)
    const all = await whole.catch((error) => {
      whole = undefined // the next call tries again
      throw error
    })
    all.codes.forEach(requireCode)
    return lessOnes(all, await codesOf(taken, signal))
  }

  return {
    size,
    counts,
    async draw(request, signal) {
      const find = (thresholds: StrataThresholds) => points.candidates(thresholds, request.stream, signal)
      const draws = await drawByStrata(request, await counts(signal), find)
      for (const { id, code } of draws) known.set(id, code) // it will be taken
      return draws
    },
    codesOf: async (ids, signal) => Float64Array.from(await codesOf(ids, signal)),
    take,
  }
}

/** Counts less one for each of some codes; strata without points are left out. */
function lessOnes({ codes, counts }: StrataCounts, less: readonly number[]): StrataCounts {
  const lessOf = new Map<number, number>()
  for (const code of less) lessOf.set(code, (lessOf.get(code) ?? 0) + 1)
  const left = counts.map((count, k) => count - (lessOf.get(codes[k]!) ?? 0))
  const hasPoints = (_: number, k: number) => left[k]! > 0
  return { codes: codes.filter(hasPoints), counts: left.filter(hasPoints) }
}
