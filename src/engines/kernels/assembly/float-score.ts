import { cellOf } from './cells'
import { fma4 } from './lanes'
import { sparseDot, twoDots } from './score'

/** Scores of two classes as 32-bit floats: as fast as features are read. */

/**
 * The score of one row. Features as 32-bit floats; weights as such, with zeros up to a multiple of four, and as doubles. Where the zeros
 * are past the end of a row, they meet the next.
 */
export function floatScoreDense(
  row: usize,
  columns: i32,
  weights: usize,
  doubles: usize,
  intercept: f64,
  near: f32,
  table: usize,
  out: usize,
): void {
  scoreRows(row, 0, columns, isNarrow(columns), weights, intercept, out)
  if (isDoubtful(load<f32>(out), near, table)) store<f32>(out, exactScore(row, columns, doubles, intercept))
}

/**
 * Whether a score this near to 0 may lie in another cell once it is added up in doubles: ranks go by cells, and small ranks must be right.
 * Scores in 32 bits are off by far less than a 4,096th of what is near.
 */
export function isDoubtful(score: f32, near: f32, table: usize): bool {
  if (abs(score) >= near) return false
  const little = near / 4096
  return cellOf(reinterpret<u32>(score - little), table) !== cellOf(reinterpret<u32>(score + little), table)
}

/** The scores of four rows that lie `step` bytes apart, or of one four times, as far as 32 bits are enough for them. */
export function scoreRows(
  row: usize,
  step: usize,
  columns: i32,
  areNarrow: bool,
  weights: usize,
  intercept: f64,
  out: usize,
): void {
  const dots = areNarrow
    ? dotsOfNear<f32>(row, step, floatBytes(columns), weights)
    : dotsOfFour<f32>(row, step, floatBytes(columns), weights)
  v128.store(out, f32x4.add(dots, f32x4.splat(<f32>intercept)))
}

/** Added up in doubles. */
export function exactScore(row: usize, columns: i32, doubles: usize, intercept: f64): f32 {
  return <f32>(f64x2.extract_lane(twoDots(row, row, doubles, columns), 0) + intercept)
}

/** Whether rows are so narrow that it does not matter for memory whether four are read at once. */
export function isNarrow(columns: i32): bool {
  return columns <= 24
}

/**
 * The products of four rows with the weights, side by side: one row after another, as memory is read best. Features are 32-bit floats, and
 * so are weights and sums; or bytes, with weights of 16 bits and sums of 32. `end`: the bytes of a row.
 */
function dotsOfFour<Sum>(row: usize, step: usize, end: usize, weights: usize): v128 {
  const a = partsOf<Sum>(row, weights, end)
  const b = partsOf<Sum>(row + step, weights, end)
  const c = partsOf<Sum>(row + 2 * step, weights, end)
  const d = partsOf<Sum>(row + 3 * step, weights, end)
  return totals<Sum>(a, b, c, d)
}

function partsOf<Sum>(row: usize, weights: usize, end: usize): v128 {
  return isFloat<Sum>() ? floatParts(row, weights, end) : byteParts(row, weights, end)
}

/** The product of a row with the weights in four parts. Sums of every fourth four, so that none has to wait for another. */
function floatParts(row: usize, weights: usize, end: usize): v128 {
  let p = f32x4.splat(0)
  let q = f32x4.splat(0)
  let r = f32x4.splat(0)
  let s = f32x4.splat(0)
  let j: usize = 0
  for (const most = end & ~63; j < most; j += 64) {
    p = fma4(v128.load(row + j), v128.load(weights + j), p)
    q = fma4(v128.load(row + j, 16), v128.load(weights + j, 16), q)
    r = fma4(v128.load(row + j, 32), v128.load(weights + j, 32), r)
    s = fma4(v128.load(row + j, 48), v128.load(weights + j, 48), s)
  }
  for (; j < end; j += 16) p = fma4(v128.load(row + j), v128.load(weights + j), p)
  return f32x4.add(f32x4.add(p, q), f32x4.add(r, s))
}

/** The product of a row of bytes with the weights in four parts. */
function byteParts(row: usize, weights: usize, end: usize): v128 {
  let p = i32x4.splat(0)
  let q = i32x4.splat(0)
  let j: usize = 0
  for (const most = end & ~15; j < most; j += 16) {
    p = i32x4.add(p, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + j), v128.load(weights + 2 * j)))
    q = i32x4.add(q, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + j, 8), v128.load(weights + 2 * j, 16)))
  }
  if (j < end) p = i32x4.add(p, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + j), v128.load(weights + 2 * j)))
  return i32x4.add(p, q)
}

/** The same, all four at once, so that a weight is fetched once for all: for rows that are narrow, or in the cache already. */
export function dotsOfNear<Sum>(a: usize, step: usize, end: usize, weights: usize): v128 {
  const b = a + step
  const c = b + step
  const d = c + step
  let sumA = f32x4.splat(0)
  let sumB = f32x4.splat(0)
  let sumC = f32x4.splat(0)
  let sumD = f32x4.splat(0)
  for (let j: usize = 0; j < end; j += isFloat<Sum>() ? 16 : 8) {
    const w = v128.load(weights + (isFloat<Sum>() ? j : 2 * j))
    sumA = withProduct<Sum>(sumA, a + j, w)
    sumB = withProduct<Sum>(sumB, b + j, w)
    sumC = withProduct<Sum>(sumC, c + j, w)
    sumD = withProduct<Sum>(sumD, d + j, w)
  }
  return totals<Sum>(sumA, sumB, sumC, sumD)
}

/** Sums, and on top of them the features at some place times these weights. */
function withProduct<Sum>(sums: v128, features: usize, w: v128): v128 {
  if (isFloat<Sum>()) return fma4(v128.load(features), w, sums)
  return i32x4.add(sums, i32x4.dot_i16x8_s(v128.load_ext<i8>(features), w))
}

/** Bytes of the weights of a row of floats, and of as many features. */
export function floatBytes(columns: i32): usize {
  return <usize>(4 * ((columns + 3) & ~3))
}

/** The sum of the four numbers of each, side by side. */
function totals<Number>(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.add<Number>(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = v128.add<Number>(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return v128.add<Number>(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

/** Features as bytes, so many (a multiple of 8) a row, weights as 16-bit whole numbers; the score is their sum times `scale`, plus the intercept. */
export function floatScoreBytes(
  row: usize,
  step: usize,
  bytes: i32,
  weights: usize,
  scale: f32,
  intercept: f32,
  out: usize,
): void {
  const sums =
    bytes <= 256 ? dotsOfNear<i32>(row, step, <usize>bytes, weights) : dotsOfFour<i32>(row, step, <usize>bytes, weights)
  v128.store(out, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.splat(scale)), f32x4.splat(intercept)))
}

/** Features with the zeros left out: the row holds entries starts[0] … starts[1] − 1. Weights as for dense ones; sums are doubles. */
export function floatScoreSparse(
  starts: usize,
  indices: usize,
  values: usize,
  weights: usize,
  doubles: usize,
  intercept: f64,
  near: f32,
  out: usize,
): void {
  const score = <f32>sparseDot<f32>(starts, indices, values, weights, intercept)
  store<f32>(out, abs(score) < near ? <f32>sparseDot<f64>(starts, indices, values, doubles, intercept) : score)
}
