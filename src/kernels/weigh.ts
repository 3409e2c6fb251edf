import { leading, mix } from './pick'

/**
 * More than two classes: from what was judged of each point (src/kernels/judge.ts) to masses, totals and draws. All of a chunk's totals go to a place of
 * their own, so that sums are the same whoever makes them.
 */
const kept: usize = 5 * 8
const worst: usize = 8
const wrong: usize = 16
const margin: usize = 24
const rootMeanSquare: usize = 32

// Where things are from `recipe` on: see src/engines/fast/judged.ts. A mass is Σ coefficient · formula, and a number that goes by the margin's bin.
const byBin: usize = 8 * 8
const edges: usize = byBin + 512 * 8
const slots: usize = edges + 17 * 8

/** Totals of the seven formulas over some points, the first of which counts them; and `bins` gets how many points each bin of margins has. */
export function census(points: usize, rows: i32, taken: usize, recipe: usize, bins: usize, out: usize): void {
  let count: f64 = 0
  let entropies: f64 = 0
  let rootWrongs: f64 = 0
  let squares: f64 = 0
  let rootWorsts: f64 = 0
  let worsts: f64 = 0
  let doubts: f64 = 0
  for (let i = 0; i < rows; i++, points += kept) {
    if (isTaken(taken, i)) continue
    const bin = bins + 4 * binOf(points, recipe)
    store<u32>(bin, load<u32>(bin) + 1)
    count += 1
    entropies += load<f64>(points)
    rootWrongs += sqrt<f64>(load<f64>(points, wrong))
    squares += load<f64>(points, rootMeanSquare)
    rootWorsts += sqrt<f64>(load<f64>(points, worst))
    worsts += load<f64>(points, worst)
    doubts += 1 - load<f64>(points, margin)
  }
  store<f64>(out, count)
  store<f64>(out, entropies, 8)
  store<f64>(out, rootWrongs, 16)
  store<f64>(out, squares, 24)
  store<f64>(out, rootWorsts, 32)
  store<f64>(out, worsts, 40)
  store<f64>(out, doubts, 48)
}

/** What a survey is made of: six totals, four largest numbers, and the smallest mass. */
export function weigh(points: usize, rows: i32, taken: usize, recipe: usize, out: usize): void {
  let masses: f64 = 0
  let losses: f64 = 0
  let roots: f64 = 0
  let wrongs: f64 = 0
  let perMass: f64 = 0
  let variances: f64 = 0
  let mostMass: f64 = 0
  let mostLoss: f64 = 0
  let mostDown: f64 = 0
  let mostUp: f64 = 0
  let leastMass: f64 = Infinity
  for (let i = 0; i < rows; i++, points += kept) {
    if (isTaken(taken, i)) continue
    const mass = massOf(points, recipe)
    const loss = load<f64>(points, worst)
    const chance = load<f64>(points, wrong)
    masses += mass
    losses += loss
    roots += sqrt<f64>(loss)
    wrongs += chance
    if (mass > 0) {
      const one = 1 / mass
      perMass += loss * one
      variances += chance * (1 - chance) * one
      mostDown = max<f64>(mostDown, chance * one)
      mostUp = max<f64>(mostUp, (1 - chance) * one)
    }
    mostMass = max<f64>(mostMass, mass)
    leastMass = min<f64>(leastMass, mass)
    mostLoss = max<f64>(mostLoss, loss)
  }
  store<f64>(out, masses)
  store<f64>(out, losses, 8)
  store<f64>(out, roots, 16)
  store<f64>(out, wrongs, 24)
  store<f64>(out, perMass, 32)
  store<f64>(out, variances, 40)
  store<f64>(out, mostMass, 48)
  store<f64>(out, mostLoss, 56)
  store<f64>(out, mostDown, 64)
  store<f64>(out, mostUp, 72)
  store<f64>(out, leastMass, 80)
}

/**
 * The points whose key −ln u / mass can be at most `limit`, as `pick` writes them: −ln u ≥ 1 − u. No mass is above `most`, so hardly any has to be
 * looked at.
 */
export function pickWeighed(
  low: usize,
  high: usize,
  points: usize,
  rows: i32,
  first: i32,
  taken: usize,
  recipe: usize,
  limit: f64,
  most: f64,
  keyLow: i32,
  keyHigh: i32,
  found: usize,
  room: i32,
): void {
  const unit: f64 = 1.0 / 2147483648.0
  for (let i = 0; i < rows; i++, low += 4, high += 4) {
    const u = <f64>(<i64>leading(mix(load<u32>(low) ^ <u32>keyLow, load<u32>(high) ^ <u32>keyHigh)) + 1) * unit
    if (1 - u > limit * most || isTaken(taken, i)) continue
    if (1 - u > limit * massOf(points + <usize>i * kept, recipe)) continue
    const count = load<i32>(found)
    store<i32>(found, count + 1)
    if (count < room) store<i32>(found + 4 + 4 * <usize>count, first + i)
  }
}

function isTaken(taken: usize, row: i32): bool {
  return ((load<u8>(taken + (<usize>row >> 3)) >> (<u8>row & 7)) & 1) !== 0
}

function massOf(point: usize, recipe: usize): f64 {
  const doubt = 1 - load<f64>(point, margin)
  return (
    load<f64>(recipe) +
    load<f64>(recipe, 8) * load<f64>(point) +
    load<f64>(recipe, 16) * sqrt<f64>(load<f64>(point, wrong)) +
    load<f64>(recipe, 24) * load<f64>(point, rootMeanSquare) +
    load<f64>(recipe, 32) * sqrt<f64>(load<f64>(point, worst)) +
    load<f64>(recipe, 40) * load<f64>(point, worst) +
    load<f64>(recipe, 48) * doubt +
    load<f64>(recipe + byBin + 8 * binOf(point, recipe))
  )
}

/** The bin of a margin, as in src/core/margins.ts: 16 for every halving, which begin at the edges 2^(i/16). At most one lies in a slot of 1/256. */
function binOf(point: usize, recipe: usize): usize {
  const bits = load<u64>(point, margin)
  const exponent = <i32>(bits >> 52) - 1023
  const slot = <usize>((bits >> 44) & 255)
  const fraction = reinterpret<f64>((bits & 0xfffffffffffff) | 0x3ff0000000000000)
  const begun = <usize>load<u8>(recipe + slots + slot)
  const sixteenth = <i32>begun + <i32>(fraction >= load<f64>(recipe + edges + 8 * (begun + 1)))
  return <usize>max(0, min(511, 512 + 16 * exponent + sixteenth))
}
