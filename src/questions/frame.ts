import { requireInput } from '../core/errors.ts'
import { type Axes, type StrataCounts, type Stratum, stratumCodes } from '../core/strata.ts'
import type { Learned } from './learned.ts'

/** What a pool is known by before the first answer: the names behind the places of its strata. */
export interface Frame {
  /** Classes that an answer may name; none where answers are grades. */
  readonly classes: readonly string[]
  /** Models whose predictions are known, by name. The first is the one that is audited. */
  readonly models: readonly string[]
  /** Columns that slices are made of, with the values that have a slice of their own; a last one may stand for all others. */
  readonly slices: readonly SliceColumn[]
  /** Least and largest grade, where answers are grades. */
  readonly range?: readonly [number, number]
  /** Where points were added: how many points the pool had at the start, and after each addition. Strata tell when a point came. */
  readonly pools?: readonly number[]
}

/** A column whose values part a pool into slices. */
export interface SliceColumn {
  readonly column: string
  readonly values: readonly string[]
}

export function axesOf({ classes, models, slices, pools }: Frame): Axes {
  return {
    classes: classes.length,
    models: models.length,
    slices: slices.map(({ values }) => values.length),
    ...(pools && { pools: pools.length }),
  }
}

/** What the first model predicts, by the code of a stratum. */
export function predictionsIn(frame: Frame): (code: number) => string {
  const { stratum } = stratumCodes(axesOf(frame))
  return (code) => frame.classes[stratum(code).predicted[0]!]!
}

/** The points that an audit is about, by stratum. */
export interface Strata {
  readonly frame: Frame
  /** Where points were added: the size of the pool that these are of, and that questions are about which name no other. */
  readonly poolSize?: number
  /** What was known of the model before the first draw, from its learning. */
  readonly learned?: Learned
  readonly codes: Float64Array
  readonly list: readonly Stratum[]
  readonly counts: Float64Array
  readonly points: number
  /** Strata that differ in nothing but their slices and arrivals have one profile: beliefs go by it. */
  readonly profiles: Int32Array
  /** One stratum of each profile. */
  readonly profileOf: readonly Stratum[]
  /** The place of a code; −1 if no point has it. */
  at(code: number): number
}

export function strataOf(frame: Frame, { codes, counts }: StrataCounts): Strata {
  const axes = axesOf(frame)
  const { stratum } = stratumCodes(axes)
  const perProfile = axes.slices.reduce((product, size) => product * size, axes.pools ?? 1)
  const list = Array.from(codes, stratum)
  const places = new Map(Array.from(codes, (code, k) => [code, k]))
  const profiles = new Int32Array(codes.length)
  const profileOf: Stratum[] = []
  let last = -1
  for (const [k, code] of codes.entries()) {
    const profile = Math.floor(code / perProfile) // slices and arrivals are the last digits, and codes increase
    if (profile !== last) profileOf.push(list[k]!)
    profiles[k] = profileOf.length - 1
    last = profile
  }
  return {
    frame,
    ...(frame.pools && { poolSize: frame.pools.at(-1)! }),
    codes,
    list,
    counts,
    points: counts.reduce((sum, count) => sum + count, 0),
    profiles,
    profileOf,
    at: (code) => places.get(code) ?? -1,
  }
}

/** The same while the pool had so many points: without those that came later. */
export function strataIn(strata: Strata, poolSize: number | undefined): Strata {
  if (poolSize === strata.poolSize) return strata
  const { frame, codes, counts, learned } = strata
  const isThere = presence(strata, poolSize)
  const kept = (_: number, k: number) => isThere(k)
  const own = strataOf(frame, { codes: codes.filter(kept), counts: counts.filter(kept) })
  return { ...own, ...(poolSize && { poolSize }), ...(learned && { learned }) }
}

/** Whether the points of a stratum were in the pool when it had so many. */
export function presence({ frame: { pools }, list }: Strata, poolSize: number | undefined): (stratum: number) => boolean {
  if (!pools) return () => true
  const place = placeOfPool(pools, poolSize)
  return (stratum) => list[stratum]!.arrival <= place
}

/** The place of a size among those that a pool had. */
export function placeOfPool(pools: readonly number[], poolSize: number | undefined): number {
  const place = pools.indexOf(poolSize ?? -1)
  requireInput(place >= 0, `poolSize: one of the sizes that the pool had, ${pools.join(', ')}, is required, got ${poolSize}`)
  return place
}

/** Counts with these points added. */
export function withPoints({ codes, counts }: StrataCounts, added: ArrayLike<number>): StrataCounts {
  const points = new Map(Array.from(codes, (code, k) => [code, counts[k]!]))
  for (const code of Array.from(added)) points.set(code, (points.get(code) ?? 0) + 1)
  const all = Float64Array.from(points.keys()).sort()
  return { codes: all, counts: all.map((code) => points.get(code)!) }
}
