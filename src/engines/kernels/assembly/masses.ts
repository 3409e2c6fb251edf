import { bothOf, fma4 } from './lanes'
import { half, keep, leading } from './pick'
import { bytesOfFour, entropyAt, marginAt, rootMeanSquareAt, variationAt, worstAt, wrongAt } from './statistics-layout'

/**
 * From the statistics of each point (src/engines/kernels/assembly/class-statistics.ts) to masses, totals and draws. Masses are 32-bit floats, totals doubles. All of a chunk's totals go
 * to a place of their own, so that sums are the same whichever thread makes them.
 */

// Where things are from `formula` on: see src/engines/kernels/class-statistics.ts. A mass is Σ coefficient · formula, and a number that goes by the margin's bin.
const byBin: usize = 12 * 4
const edges: usize = byBin + 512 * 4
const slots: usize = edges + 17 * 4

/** Totals of the formulas over some points, the first of which counts them; and `bins` gets how many points each bin of margins has. */
export function census(points: usize, rows: i32, taken: usize, formula: usize, bins: usize, out: usize): void {
  let count: i32 = 0
  let entropies = f64x2.splat(0)
  let rootWrongs = f64x2.splat(0)
  let squares = f64x2.splat(0)
  let rootWorsts = f64x2.splat(0)
  let worsts = f64x2.splat(0)
  let doubts = f64x2.splat(0)
  let powers = f64x2.splat(0)
  let variations = f64x2.splat(0)
  for (let i = 0; i < rows; i += 4, points += bytesOfFour) {
    const open = openOf(taken, i, rows)
    if (open === 0) continue
    for (let k = 0; k < 4; k++)
      if (open & (1 << k)) {
        const bin = bins + 4 * binOf(points + 4 * <usize>k, formula)
        store<u32>(bin, load<u32>(bin) + 1)
        count++
      }
    const mask = maskOf(open)
    const worst = v128.and(v128.load(points, worstAt), mask)
    const doubt = v128.and(f32x4.sub(f32x4.splat(1), v128.load(points, marginAt)), mask)
    const square = f32x4.mul(doubt, doubt)
    entropies = added(entropies, v128.and(v128.load(points, entropyAt), mask))
    rootWrongs = added(rootWrongs, f32x4.sqrt(v128.and(v128.load(points, wrongAt), mask)))
    squares = added(squares, v128.and(v128.load(points, rootMeanSquareAt), mask))
    rootWorsts = added(rootWorsts, f32x4.sqrt(worst))
    worsts = added(worsts, worst)
    doubts = added(doubts, doubt)
    powers = added(powers, f32x4.mul(square, square))
    variations = added(variations, v128.and(v128.load(points, variationAt), mask))
  }
  store<f64>(out, <f64>count)
  store<f64>(out, bothOf(entropies), 8)
  store<f64>(out, bothOf(rootWrongs), 16)
  store<f64>(out, bothOf(squares), 24)
  store<f64>(out, bothOf(rootWorsts), 32)
  store<f64>(out, bothOf(worsts), 40)
  store<f64>(out, bothOf(doubts), 48)
  store<f64>(out, bothOf(powers), 56)
  store<f64>(out, bothOf(variations), 64)
}

/** What a survey is made of: six totals, four largest numbers, and the smallest mass. */
export function massTotals(points: usize, rows: i32, taken: usize, formula: usize, out: usize): void {
  const one = f32x4.splat(1)
  const zero = f32x4.splat(0)
  let masses = f64x2.splat(0)
  let losses = f64x2.splat(0)
  let roots = f64x2.splat(0)
  let wrongs = f64x2.splat(0)
  let perMass = f64x2.splat(0)
  let variances = f64x2.splat(0)
  let mostMass = zero
  let mostLoss = zero
  let mostDown = zero
  let mostUp = zero
  let leastMass = f32x4.splat(Infinity)
  for (let i = 0; i < rows; i += 4, points += bytesOfFour) {
    const open = openOf(taken, i, rows)
    if (open === 0) continue
    const mask = maskOf(open)
    const mass = v128.and(massesOf(points, formula), mask)
    const loss = v128.and(v128.load(points, worstAt), mask)
    const chance = v128.and(v128.load(points, wrongAt), mask)
    const right = f32x4.sub(one, chance)
    const inverse = v128.and(f32x4.div(one, mass), f32x4.gt(mass, zero)) // a point without mass cannot be drawn, and enters no ratio
    masses = added(masses, mass)
    losses = added(losses, loss)
    roots = added(roots, f32x4.sqrt(loss))
    wrongs = added(wrongs, chance)
    perMass = added(perMass, f32x4.mul(loss, inverse))
    variances = added(variances, f32x4.mul(f32x4.mul(chance, right), inverse))
    mostDown = f32x4.pmax(mostDown, f32x4.mul(chance, inverse))
    mostUp = f32x4.pmax(mostUp, f32x4.mul(right, inverse))
    mostMass = f32x4.pmax(mostMass, mass)
    mostLoss = f32x4.pmax(mostLoss, loss)
    leastMass = f32x4.pmin(leastMass, v128.bitselect(mass, f32x4.splat(Infinity), mask))
  }
  store<f64>(out, bothOf(masses))
  store<f64>(out, bothOf(losses), 8)
  store<f64>(out, bothOf(roots), 16)
  store<f64>(out, bothOf(wrongs), 24)
  store<f64>(out, bothOf(perMass), 32)
  store<f64>(out, bothOf(variances), 40)
  store<f64>(out, mostOf(mostMass), 48)
  store<f64>(out, mostOf(mostLoss), 56)
  store<f64>(out, mostOf(mostDown), 64)
  store<f64>(out, mostOf(mostUp), 72)
  store<f64>(out, -mostOf(f32x4.neg(leastMass)), 80)
}

/** The points whose key −ln u / mass can be at most `limit`, as `pickByCell` writes them: −ln u ≥ 1 − u. No mass is above `most`. */
export function pickByMass(
  low: usize,
  high: usize,
  points: usize,
  rows: i32,
  first: i32,
  taken: usize,
  formula: usize,
  limit: f64,
  most: f64,
  keyLow: i32,
  keyHigh: i32,
  found: usize,
  room: i32,
): void {
  const highest = f32x4.splat(<f32>(limit * most))
  const limits = f32x4.splat(<f32>limit)
  for (let i = 0; i < rows; i += 4, low += 16, high += 16, points += bytesOfFour) {
    const shortfall = shortfallsOf(low, high, keyLow, keyHigh)
    if (!v128.any_true(f32x4.le(shortfall, highest))) continue
    const isNear = f32x4.le(shortfall, f32x4.mul(limits, massesOf(points, formula)))
    const open = i32x4.bitmask(isNear) & openOf(taken, i, rows)
    if (open === 0) continue
    for (let k = 0; k < 4; k++) if (open & (1 << k)) keep(first + i + k, found, room)
  }
}

/** What each of four uniforms is short of 1, by its leading 31 bits: no more than it is. */
function shortfallsOf(low: usize, high: usize, keyLow: i32, keyHigh: i32): v128 {
  const highs = v128.xor(v128.load(high), i32x4.splat(keyHigh))
  const lows = half(v128.xor(v128.load(low), i32x4.splat(keyLow)), highs)
  const ab = v128.shuffle<i32>(lows, highs, 0, 4, 1, 5)
  const cd = v128.shuffle<i32>(lows, highs, 2, 6, 3, 7)
  const bits = i32x4(
    <i32>leading(i64x2.extract_lane(ab, 0)),
    <i32>leading(i64x2.extract_lane(ab, 1)),
    <i32>leading(i64x2.extract_lane(cd, 0)),
    <i32>leading(i64x2.extract_lane(cd, 1)),
  )
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(i32x4.splat(0x7fffffff), bits)), f32x4.splat(<f32>(1.0 / 2147483648.0)))
}

/** The mass of one point, as it was added up. */
export function massAt(points: usize, row: i32, formula: usize): f64 {
  const masses = massesOf(points + <usize>(row >> 2) * bytesOfFour, formula)
  const two = (row & 2) === 0 ? masses : v128.shuffle<i32>(masses, masses, 2, 3, 2, 3)
  return <f64>((row & 1) === 0 ? f32x4.extract_lane(two, 0) : f32x4.extract_lane(two, 1))
}

/** The masses of four points. */
export function massesOf(points: usize, formula: usize): v128 {
  const worst = v128.load(points, worstAt)
  const doubt = f32x4.sub(f32x4.splat(1), v128.load(points, marginAt))
  const square = f32x4.mul(doubt, doubt)
  let mass = v128.load32_splat(formula + byBin + 4 * binOf(points, formula))
  mass = v128.load32_lane(formula + byBin + 4 * binOf(points + 4, formula), mass, 1)
  mass = v128.load32_lane(formula + byBin + 4 * binOf(points + 8, formula), mass, 2)
  mass = v128.load32_lane(formula + byBin + 4 * binOf(points + 12, formula), mass, 3)
  mass = f32x4.add(mass, v128.load32_splat(formula))
  mass = fma4(v128.load32_splat(formula, 4), v128.load(points, entropyAt), mass)
  mass = fma4(v128.load32_splat(formula, 8), f32x4.sqrt(v128.load(points, wrongAt)), mass)
  mass = fma4(v128.load32_splat(formula, 12), v128.load(points, rootMeanSquareAt), mass)
  mass = fma4(v128.load32_splat(formula, 16), f32x4.sqrt(worst), mass)
  mass = fma4(v128.load32_splat(formula, 20), worst, mass)
  mass = fma4(v128.load32_splat(formula, 24), doubt, mass)
  mass = fma4(v128.load32_splat(formula, 28), f32x4.mul(square, square), mass)
  return fma4(v128.load32_splat(formula, 32), v128.load(points, variationAt), mass)
}

/** Which of four points may be drawn, a bit for each: those that are not taken, and are there at all. */
export function openOf(taken: usize, row: i32, rows: i32): i32 {
  const open = ~(<i32>load<u8>(taken + (<usize>row >> 3)) >> (row & 4)) & 15
  return row + 4 <= rows ? open : open & ((1 << (rows - row)) - 1)
}

/** All bits of the lanes of those. */
export function maskOf(open: i32): v128 {
  const bits = v128.and(i32x4.splat(open), i32x4(1, 2, 4, 8))
  return i32x4.gt_s(bits, i32x4.splat(0))
}

/** The bin of a margin, as in src/core/margins.ts: 16 for every halving, which begin at the edges 2^(i/16). At most one lies in a slot of 1/256. */
function binOf(point: usize, formula: usize): usize {
  const bits = load<u32>(point, marginAt)
  const exponent = <i32>(bits >> 23) - 127
  const slot = <usize>((bits >> 15) & 255)
  const fraction = reinterpret<f32>((bits & 0x7fffff) | 0x3f800000)
  const begun = <usize>load<u8>(formula + slots + slot)
  const sixteenth = <i32>begun + <i32>(fraction >= load<f32>(formula + edges + 4 * (begun + 1)))
  return <usize>max(0, min(511, 512 + 16 * exponent + sixteenth))
}

/** Two sums, and four floats on top of them. */
function added(sums: v128, numbers: v128): v128 {
  const upper = v128.shuffle<i32>(numbers, numbers, 2, 3, 2, 3)
  return f64x2.add(sums, f64x2.add(f64x2.promote_low_f32x4(numbers), f64x2.promote_low_f32x4(upper)))
}

function mostOf(numbers: v128): f64 {
  const two = f32x4.max(numbers, v128.shuffle<i32>(numbers, numbers, 2, 3, 2, 3))
  return <f64>max<f32>(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1))
}
