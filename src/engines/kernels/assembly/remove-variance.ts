import { fma } from './lanes'
import { bytesOfFour, variationAt } from './statistics-layout'

/**
 * What a label of each point would remove of the variance, v·b / (1 + v·h), squared, in place of v, the last of its statistics; b and h are sums of
 * squares of the products of a row with `first` and then `second` vectors, a multiple of 4 each. A row is the first of its numbers and a 1: `width`
 * in all, as many as a vector has. Four rows at a time, in doubles. `work` has room for six such rows.
 */
export function removeVariance(
  features: usize,
  rows: i32,
  columns: i32,
  width: i32,
  first: i32,
  second: i32,
  vectors: usize,
  work: usize,
  points: usize,
): void {
  const stride = <usize>(4 * columns)
  const others = vectors + 8 * <usize>(first * width)
  const sums = work + 32 * <usize>width
  for (let i = 0; i < rows; i += 4, features += 4 * stride, points += bytesOfFour) {
    for (let k = 0; k < 4; k++) spread(features + <usize>min(k, rows - 1 - i) * stride, width, work + 8 * <usize>k)
    writeSquares(work, sums, vectors, first, 8 * <usize>width, sums)
    writeSquares(work, sums, others, second, 8 * <usize>width, sums + 32)
    const v = v128.load(points, variationAt)
    const removed = removedOf(f64x2.promote_low_f32x4(v), v128.load(sums), v128.load(sums, 32))
    const upper = v128.shuffle<i32>(v, v, 2, 3, 2, 3)
    const after = removedOf(f64x2.promote_low_f32x4(upper), v128.load(sums, 16), v128.load(sums, 48))
    v128.store(points, v128.shuffle<i32>(removed, after, 0, 1, 4, 5), variationAt)
  }
}

/** Writes the beginning of a row as doubles and a 1, four rows side by side. */
function spread(row: usize, width: i32, out: usize): void {
  for (const end = row + 4 * <usize>(width - 1); row < end; row += 4, out += 32) store<f64>(out, <f64>load<f32>(row))
  store<f64>(out, 1)
}

/** For each of four rows, the sum of the squares of its products with some vectors; four of them at a time, so that none waits for another. */
function writeSquares(rows: usize, end: usize, vector: usize, count: i32, apart: usize, out: usize): void {
  let low = f64x2.splat(0)
  let high = low
  for (; count > 0; count -= 4, vector += 4 * apart) {
    let a0 = f64x2.splat(0)
    let a1 = a0
    let b0 = a0
    let b1 = a0
    let c0 = a0
    let c1 = a0
    let d0 = a0
    let d1 = a0
    for (let at = rows, from = vector; at < end; at += 32, from += 8) {
      const first = v128.load(at)
      const last = v128.load(at, 16)
      const a = v128.load64_splat(from)
      a0 = fma(a, first, a0)
      a1 = fma(a, last, a1)
      const b = v128.load64_splat(from + apart)
      b0 = fma(b, first, b0)
      b1 = fma(b, last, b1)
      const c = v128.load64_splat(from + 2 * apart)
      c0 = fma(c, first, c0)
      c1 = fma(c, last, c1)
      const d = v128.load64_splat(from + 3 * apart)
      d0 = fma(d, first, d0)
      d1 = fma(d, last, d1)
    }
    low = fma(a0, a0, fma(b0, b0, fma(c0, c0, fma(d0, d0, low))))
    high = fma(a1, a1, fma(b1, b1, fma(c1, c1, fma(d1, d1, high))))
  }
  v128.store(out, low)
  v128.store(out, high, 16)
}

function removedOf(v: v128, b: v128, h: v128): v128 {
  const removed = f64x2.div(f64x2.mul(v, b), fma(v, h, f64x2.splat(1)))
  return f32x4.demote_f64x2_zero(f64x2.mul(removed, removed))
}
