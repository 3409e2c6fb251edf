import { remainingMasses } from '../core/draw.ts'
import { requireInput } from '../core/errors.ts'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import type { StrataCounts, StrataDrawRequest, StratumDraw } from '../core/strata.ts'
import { sumOf } from '../core/sums.ts'

/** A point that may turn out to be drawn. */
export interface StratumCandidate {
  readonly id: string
  readonly code: number
}

/** From which uniform number on the points of a stratum are candidates: codes increasing. Those of any other stratum are none. */
export interface StrataThresholds {
  readonly codes: Float64Array
  readonly least: Float64Array
}

/**
 * Successive sampling with masses by stratum. The points whose keys  −ln u / mass  are at most some limit are found wherever the pool lies,
 * since a key is at most L where  u ≥ exp(−L mass);  the smallest keys among them are the draws. Totals come from the counts alone.
 *
 * @see docs/equations.md#successive
 */
export async function drawByStrata(
  request: StrataDrawRequest,
  counts: StrataCounts,
  find: (thresholds: StrataThresholds) => Promise<readonly StratumCandidate[]>,
): Promise<StratumDraw[]> {
  requireDrawable(request)
  const strata = strataWithPoints(request, counts)
  const points = sumOf(strata.counts)
  if (request.size === 0 || points === 0) return []
  // Fewer than `size` of so many expected ones are found once in 10⁸ times; then there are to be more of them.
  for (let expected = request.size + 6 * Math.sqrt(request.size) + 12; ; expected *= 4) {
    const limit = expected < points ? keyLimit(strata, expected) : Number.POSITIVE_INFINITY
    const least = strata.masses.map((mass) => Math.exp(-limit * mass) * (1 - 1e-12)) // the margin is for rounding
    const keyed = keyedCandidates(await find({ codes: strata.codes, least }), strata, request)
    const sure = keyed.filter(({ key }) => key <= limit)
    if (sure.length >= request.size || limit === Number.POSITIVE_INFINITY) return drawsAmong(sure, strata, request.size)
  }
}

/** Refuses masses and sizes that mean nothing. */
function requireDrawable({ codes, masses, size }: StrataDrawRequest): void {
  requireInput(Number.isInteger(size) && size >= 0, `strata: size must be a whole number, got ${size}`)
  requireInput(
    codes.length === masses.length,
    `strata: a mass for each of ${codes.length} codes is required, got ${masses.length}`,
  )
  const bad = masses.findIndex((mass) => !(mass > 0 && mass < Number.POSITIVE_INFINITY))
  requireInput(bad < 0, `strata: masses must be finite and above 0, got ${masses[bad]} for ${codes[bad]}`)
  const unordered = codes.findIndex((code, k) => k > 0 && !(codes[k - 1]! < code))
  requireInput(unordered < 0, `strata: codes must increase, got ${codes[unordered]} after ${codes[unordered - 1]}`)
}

/** Strata with points that may be drawn. */
interface DrawableStrata extends StrataCounts {
  readonly masses: Float64Array
}

function strataWithPoints({ codes, masses }: StrataDrawRequest, pool: StrataCounts): DrawableStrata {
  const counts = new Float64Array(codes.length)
  for (let k = 0, at = 0; k < codes.length; k++) {
    while (at < pool.codes.length && pool.codes[at]! < codes[k]!) at++
    if (pool.codes[at] === codes[k]) counts[k] = pool.counts[at]!
  }
  const hasPoints = (_: number, k: number) => counts[k]! > 0
  return { codes: codes.filter(hasPoints), masses: masses.filter(hasPoints), counts: counts.filter(hasPoints) }
}

/** A limit that at least `expected` keys are expected below, and at most twice as many: their expected number is concave in the limit. */
function keyLimit({ masses, counts }: DrawableStrata, expected: number): number {
  const below = (limit: number) => counts.reduce((sum, count, k) => sum - count * Math.expm1(-limit * masses[k]!), 0)
  let limit = expected / totalMass({ masses, counts })
  while (below(limit) < expected) limit *= 2
  return limit
}

const totalMass = ({ masses, counts }: Omit<DrawableStrata, 'codes'>): number =>
  sumOf(counts.map((count, k) => count * masses[k]!))

interface KeyedCandidate extends StratumCandidate {
  readonly key: number
  /** Among the drawable strata. */
  readonly stratum: number
}

/** In the order of their keys; of equal keys, in the order of the hashes of ids. */
function keyedCandidates(
  found: readonly StratumCandidate[],
  { codes, masses }: DrawableStrata,
  { stream }: StrataDrawRequest,
): KeyedCandidate[] {
  const hashes = hashIds(found.map(({ id }) => id))
  const uniforms = uniformsOf(stream, hashes)
  const keyed = found.map((candidate, i) => {
    const stratum = placeIn(codes, candidate.code)
    return { ...candidate, stratum, key: -Math.log(uniforms(i)) / masses[stratum]!, i }
  })
  return keyed.sort((a, b) => a.key - b.key || hashes.high[a.i]! - hashes.high[b.i]! || hashes.low[a.i]! - hashes.low[b.i]!)
}

/** Where a number stands among increasing ones, of which it is one. */
function placeIn(increasing: Float64Array, value: number): number {
  let low = 0
  for (let high = increasing.length - 1; low < high; ) {
    const middle = (low + high) >> 1
    if (increasing[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function drawsAmong(sorted: readonly KeyedCandidate[], { masses, counts }: DrawableStrata, size: number): StratumDraw[] {
  const drawn = sorted.slice(0, size)
  const countsLeft = counts.slice()
  for (const { stratum } of drawn) countsLeft[stratum]! -= 1
  const remaining = remainingMasses(
    drawn.map(({ stratum }) => masses[stratum]!),
    totalMass({ masses, counts: countsLeft }),
  )
  return drawn.map(({ id, code, stratum }, k) => {
    const mass = masses[stratum]!
    return { id, code, order: k + 1, probability: mass / remaining[k]!, mass, remaining: remaining[k]! }
  })
}
